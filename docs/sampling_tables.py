#!/usr/bin/env python3
"""Prints the tables of sampling.md from raw logits, by `hlg draw --stats`.

Usage: sampling_tables.py HLG LOGITS_DIR [FILE...]

HLG is the program; LOGITS_DIR holds the real logits (FILE names within it, 16-bit); those that are not there are skipped. Two
synthetic distributions over 262,144 tokens are made on the spot: `zipf`, logit of the token of rank r = -1.2 ln r, and `peaked`,
eight tokens 1.5 nats apart from 12 downwards and all others normal with mean -6 and deviation 2 (Python's random, seed 1).

The temperature of each row is tuned by bisection until its entropy is that of plain temperature 1 on the same logits.
"""
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

VOCAB = 262144
HLG_ON = ["--hlg-sampling", "on"]
SAMPLERS = [
    ("temperature", []),
    ("top_p 0.95", ["--top-p", "0.95"]),
    ("log toe, `note`", HLG_ON + ["--hlg-preset", "note"]),
    ("log toe, entropy pivot, offset 0", HLG_ON + ["--hlg-preset", "note", "--hlg-pivot", "entropy", "--hlg-pivot-offset", "0"]),
    ("fade toe, knobs of `note`", HLG_ON + ["--hlg-preset", "note", "--hlg-toe-shape", "fade"]),
    ("fade toe, `gentle`", HLG_ON + ["--hlg-preset", "gentle"]),
    ("fade toe, `balanced`", HLG_ON + ["--hlg-preset", "balanced"]),
    ("fade toe, `bold`", HLG_ON + ["--hlg-preset", "bold"]),
]


def write(path, logits):
    path.write_bytes(struct.pack(f"<{len(logits)}f", *logits))
    return path


def synthetic(folder):
    generator = random.Random(1)
    peaks = [12 - 1.5 * i for i in range(8)]
    noise = [generator.gauss(-6, 2) for _ in range(VOCAB - len(peaks))]
    return [
        write(folder / "zipf.f32", [-1.2 * math.log(rank) for rank in range(1, VOCAB + 1)]),
        write(folder / "peaked.f32", peaks + noise),
    ]


def stats(program, logits, temperature, flags):
    below = [argument for p in (1e-4, 1e-6) for argument in ("--below", repr(math.log(p)))]
    command = [program, "draw", "--logits", str(logits), "--stats", "--seed", "1", "-T", repr(temperature)]
    return json.loads(subprocess.run(command + below + flags, check=True, capture_output=True).stdout)


def tuned(program, logits, flags, entropy):
    low, high = 0.05, 20.0
    for _ in range(40):
        middle = math.sqrt(low * high)
        if stats(program, logits, middle, flags)["entropy"] < entropy:
            low = middle
        else:
            high = middle
    return middle


def row(name, temperature, s):
    tail = [f"{entry['mass']:.1e}" for entry in s["mass_below"]]
    price = s["surprisal"] - s["model_entropy"]
    cells = [name, f"{temperature:.3f}", f"{s['entropy']:.2f}", f"{price:+.3f}", f"{s['top1']:.3f}", f"{s['collision']:.4f}", *tail]
    return "| " + " | ".join(cells) + " |"


def table(program, logits, at):
    plain = stats(program, logits, 1.0, [])
    print(f"\n{logits.stem}: {plain['vocab']:,} tokens, entropy {plain['model_entropy']:.2f} nats, "
          f"top-1 {plain['model_top1']:.3f}, {at}\n")
    print("| sampler | T | entropy | price | top-1 | collision | mass p < 1e-4 | p < 1e-6 |")
    print("|:--|--:|--:|--:|--:|--:|--:|--:|")
    for name, flags in SAMPLERS:
        temperature = 1.0 if at == "all at T = 1" else tuned(program, logits, flags, plain["entropy"])
        print(row(name, temperature, stats(program, logits, temperature, flags)))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or ["gemma-2-2b-00.f16", "qwen3.5-4b-05.f16", "gemma-4-12b-03.f16"]
    with tempfile.TemporaryDirectory() as temporary:
        real = [folder / name for name in names]
        skipped = [path.name for path in real if not path.is_file()]
        if skipped:
            print(f"skipped, not in {folder}: {', '.join(skipped)}", file=sys.stderr)
        files = [path for path in real if path.is_file()] + synthetic(pathlib.Path(temporary))
        for logits in files:
            table(program, logits, "all at T = 1")
        for logits in files:
            table(program, logits, "each T tuned to the entropy of temperature 1")


main()
