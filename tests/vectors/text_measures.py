# SPDX-License-Identifier: MIT
"""Measures of texts, written down once more, apart from the program: text_measures.json.

    python3 tests/vectors/text_measures.py > tests/vectors/text_measures.json
"""

import json
import math
import random
from collections import Counter

import numpy as np


def grams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def cosine_matrix(texts):
    vectors = [grams(words, 1) + grams(words, 2) for words in texts]
    keys = sorted({key for vector in vectors for key in vector})
    table = np.array([[vector[key] for key in keys] for vector in vectors], dtype=float)
    norms = np.linalg.norm(table, axis=1)
    with np.errstate(invalid="ignore"):
        matrix = np.nan_to_num(table @ table.T / np.outer(norms, norms))
    np.fill_diagonal(matrix, 1)
    return matrix


def dissimilarity(texts):
    matrix = cosine_matrix(texts)
    return 1 - matrix[np.triu_indices(len(texts), 1)].mean()


def vendi(texts):
    values = np.linalg.eigvalsh(cosine_matrix(texts) / len(texts))
    values = values[values > 0]
    return math.exp(-(values * np.log(values)).sum())


def distinct(texts, n):
    every = [gram for words in texts for gram in grams(words, n).elements()]
    return len(set(every)) / len(every)


def expectation_adjusted_distinct(texts, vocabulary):
    every = [word for words in texts for word in words]
    return len(set(every)) / (vocabulary * (1 - ((vocabulary - 1) / vocabulary) ** len(every)))


def bleu(hypothesis, references):
    logs = 0.0
    for n in range(1, 5):
        own = grams(hypothesis, n)
        best = Counter()
        for reference in references:
            best |= grams(reference, n)
        matches = sum((own & best).values())
        if n == 1 and matches == 0:
            return 0.0
        logs += math.log((matches or 0.1) / max(1, sum(own.values()))) / 4
    length = min((len(reference) for reference in references), key=lambda size: (abs(size - len(hypothesis)), size))
    brevity = 1.0 if len(hypothesis) > length else math.exp(1 - length / len(hypothesis))
    return brevity * math.exp(logs)


def self_bleu(texts):
    return sum(bleu(text, texts[:i] + texts[i + 1 :]) for i, text in enumerate(texts)) / len(texts)


def repetition(texts):
    every = sum(max(0, len(words) - 3) for words in texts)
    return sum(sum(times - 1 for times in grams(words, 4).values()) for words in texts) / every


def character_score(order, real, before, text):
    """ln p of the text behind the other, Witten and Bell's interpolation from the longest context down."""

    real = " ".join(real.split())
    counts = {}
    for at, char in enumerate(real):
        for length in range(min(order, at + 1)):
            counts.setdefault(real[at - length : at], Counter())[char] += 1

    def p(context, char):
        below = 1 / 256 if context is None else p(context[1:] if context else None, char)
        followers = counts.get(context)
        if context is None or not followers:
            return below
        return (followers[char] + len(followers) * below) / (sum(followers.values()) + len(followers))

    whole = before + text
    return sum(math.log(p(whole[max(0, at - order + 1) : at], whole[at])) for at in range(len(before), len(whole)))


def main():
    dice = random.Random(2026)
    words = ["the", "a", "fox", "king", "went", "and", "saw", "old", "house", "in", "was", "there"]
    cases = []
    for texts, longest in ((2, 5), (3, 12), (8, 30), (12, 45), (5, 60)):
        corpus = [[dice.choice(words[: 3 + dice.randrange(10)]) for _ in range(dice.randint(4, longest))] for _ in range(texts)]
        cases.append(
            {
                "texts": corpus,
                "dissimilarity": dissimilarity(corpus),
                "vendi": vendi(corpus),
                "distinct": [distinct(corpus, n) for n in (1, 2, 3)],
                "adjusted": expectation_adjusted_distinct(corpus, 50),
                "self_bleu": self_bleu(corpus),
                "repetition": repetition(corpus),
            }
        )
    real = "the fox went into the house and the king was in the old house there"
    characters = [
        {"order": order, "real": real, "before": before, "text": text, "ln_p": character_score(order, real, before, text)}
        for order in (1, 3, 5)
        for before, text in (("the ", "fox was old"), ("", "zebra"), ("in th", "e housing"))
    ]
    print(json.dumps({"cases": cases, "characters": characters}))


main()
