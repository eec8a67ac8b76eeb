#!/usr/bin/env python3
"""Writes the golden vectors beside it, from the formulas of docs/sampling.md in 60-digit arithmetic.

    python3 tests/vectors/generate.py        needs python3-mpmath; the tests only read what it wrote

Rounding to float32 happens where the contract says so and nowhere else: m, the curved logit, an edit, their sum, the product.
"""
import json
import pathlib
import struct

from mpmath import exp, expm1, fsum, inf, isinf, log, log1p, mp, mpf, nint, sqrt

mp.dps = 60
HERE = pathlib.Path(__file__).parent
MASK_DEPTH = 10000


def to_float32(x):
    """The nearest float32, ties to even, as an exact number."""
    if x == 0 or isinf(x):
        return x
    exponent = max(int(mp.floor(log(abs(x), 2))), -126)
    for e in (exponent, exponent + 1):  # the logarithm may be off by one at a power of two
        ulp = mpf(2) ** (e - 23)
        rounded = nint(x / ulp) * ulp
        if abs(rounded) <= mpf(2) ** (e + 1):
            break
    return rounded if abs(rounded) < mpf(2) ** 128 else inf * (1 if x > 0 else -1)


def stored(x):
    """A number from a list above as the float32 that a program reads it as."""
    if x == "-inf":
        return -inf
    return mpf(struct.unpack("<f", struct.pack("<f", x))[0])


def rho(c, z):
    w, bh, bt = c["width"], c["shoulder"], c["toe"]
    if z > w and bh != "off":
        d = z - mpf(w)
        return -(d - mpf(bh) * log1p(d / mpf(bh)))
    if z < -w and bt != "off":
        d = -z - mpf(w)
        return d - mpf(bt) * log1p(d / mpf(bt)) if c["toe_shape"] == "log" else -d * d / (2 * mpf(bt))
    return mpf(0)


def slope(c, z):
    w, bh, bt = c["width"], c["shoulder"], c["toe"]
    if z > w and bh != "off":
        return 1 / (1 + (z - mpf(w)) / mpf(bh))
    if z < -w and bt != "off":
        ratio = (-z - mpf(w)) / mpf(bt)
        return 1 / (1 + ratio) if c["toe_shape"] == "log" else 1 + ratio
    return mpf(1)


def inverse(c, v):
    w, bh, bt = c["width"], c["shoulder"], c["toe"]
    if v > w and bh != "off":
        return mpf(w) + mpf(bh) * expm1((v - mpf(w)) / mpf(bh))
    if v < -w and bt != "off":
        u = -v - mpf(w)
        if c["toe_shape"] == "log":
            return -mpf(w) - mpf(bt) * expm1(u / mpf(bt))
        return -mpf(w) - mpf(bt) * (sqrt(1 + 2 * u / mpf(bt)) - 1)
    return v


def identity(c):
    return c is None or c["width"] == "off" or (c["shoulder"] == "off" and c["toe"] == "off")


def softmax(x):
    top = max(x)
    weights = [exp(v - top) if not isinf(v) else mpf(0) for v in x]
    total = fsum(weights)
    return [w / total for w in weights]


def anchor(mode, x):
    p = softmax(x)
    if mode == "top":
        return max(x)
    if mode == "entropy":
        return fsum(q * v for q, v in zip(p, x) if q > 0)
    mass = mpf(0)
    for v, q in sorted(zip(x, p), key=lambda pair: -pair[0]):
        mass += q
        if mass >= mpf(1) / 2:
            return v
    raise AssertionError("no mass")


def keep(value, ids, params):
    """top_p, top_k, min_p on the ids, best first; each keeps at least one."""
    if params.get("top_p", 1) < 1:
        p, kept, mass = softmax([value[i] for i in ids]), 0, mpf(0)
        while kept < len(ids) and (kept == 0 or mass < mpf(params["top_p"])):
            mass += p[kept]
            kept += 1
        ids = ids[:kept]
    if params.get("top_k", 0) > 0:
        ids = ids[: params["top_k"]]
    if params.get("min_p", 0) > 0:
        best = value[ids[0]]
        ids = [i for i in ids if i == ids[0] or exp(value[i] - best) >= mpf(params["min_p"])]
    return ids


def work_out(case):
    params, c = case["params"], case["params"].get("hlg")
    x = [stored(v) for v in case["logits"]]
    m = to_float32(mpf(1.0 / params["temperature"]))  # 1 / T is a float64 division
    pivot = None if identity(c) else anchor(c["pivot"], x) - mpf(c["pivot_offset"])
    edits = {}
    for token, delta in case.get("edits", []):
        edits[token] = edits.get(token, 0) + stored(delta)
    value = []
    for i, v in enumerate(x):
        if max(x) - v > MASK_DEPTH or ("allowed" in case and i not in case["allowed"]):
            value.append(-inf)
            continue
        curved = v if pivot is None else to_float32(v + rho(c, v - pivot))
        value.append(to_float32(curved + to_float32(edits[i])) if i in edits else curved)
    ids = sorted((i for i in range(len(x)) if not isinf(value[i])), key=lambda i: -value[i])
    if c is None:
        ids = keep(value, ids, params)
    weights = {i: exp(m * (value[i] - value[ids[0]])) for i in ids}
    total = fsum(weights.values())
    case["pivot"] = pivot if pivot is None else number(pivot)
    case["shaped"] = [number(to_float32(m * value[i])) if i in weights else "-inf" for i in range(len(x))]
    case["probabilities"] = [number(weights[i] / total) if i in weights else 0 for i in range(len(x))]
    return case


def number(x):
    return int(x) if x == int(x) and abs(x) < 1e6 else float(x)


def curve(pivot, offset, width, shoulder, toe, shape):
    return {"pivot": pivot, "pivot_offset": offset, "width": width, "shoulder": shoulder, "toe": toe, "toe_shape": shape}


NOTE = curve("top", 6, 4, 4, 6, "log")
BALANCED = curve("entropy", 1.7, 1.6, 0.6, 2, "fade")
LOGITS = [12.25, 11.5, 9.75, 8.1, 6.3, 4.2, 2.05, -0.4, -3.3, -8.8]
MASKED = [7.5, "-inf", 7.25, -3.4028235e38, 3.0, -1e30, -9992.5, -9992.501, -0.0, 1e-45]


def steps():
    def case(name, logits, temperature=1.0, hlg=None, **more):
        params = {"temperature": temperature, "hlg": hlg}
        for field in ("top_p", "top_k", "min_p"):
            if field in more:
                params[field] = more.pop(field)
        return {"name": name, "params": params, "logits": logits, **more}

    tail = curve("median", -1.5, 0.5, 0.8, 3, "log")
    yield case("plain temperature", LOGITS, 0.7)
    yield case("hot temperature, masks of every kind", MASKED, 5.0)
    yield case("width off is plain temperature", LOGITS, 0.7, curve("median", 0, "off", 1, 1, "fade"))
    yield case("shoulder and toe off is plain temperature", LOGITS, 0.7, curve("entropy", 2, 1, "off", "off", "log"))
    yield case("note: top pivot, log toe", LOGITS, 1.0, NOTE)
    yield case("note, cold", LOGITS, 0.3, NOTE)
    yield case("top pivot, fade toe", LOGITS, 0.9, curve("top", 5, 1, 2, 2, "fade"))
    yield case("balanced: entropy pivot, fade toe", LOGITS, 1.0, BALANCED)
    yield case("entropy pivot, log toe", LOGITS, 1.3, curve("entropy", 0, 0.5, 1, 4, "log"))
    yield case("median pivot, log toe, pivot above its anchor", LOGITS, 1.0, tail)
    yield case("median pivot, fade toe, no mid", LOGITS, 2.0, curve("median", 1.5, 0, 0.3, 1.2, "fade"))
    yield case("shoulder off", LOGITS, 1.0, curve("top", 6, 2, "off", 1.5, "log"))
    yield case("toe off", LOGITS, 1.0, curve("top", 6, 2, 1.5, "off", "fade"))
    yield case("masks of every kind under a curve", MASKED, 1.0, NOTE)
    yield case("edits act after the curve", LOGITS, 1.0, NOTE, edits=[[9, 10.5], [0, -2], [4, 0.25], [4, 0.5]])
    yield case("top token banned", LOGITS, 1.0, BALANCED, edits=[[0, "-inf"]])
    yield case("some tokens allowed, the pivot stays", LOGITS, 1.0, NOTE, allowed=[2, 3, 7, 9])
    yield case("one token left", LOGITS, 1.0, BALANCED, allowed=[8])
    yield case("top_p", LOGITS, 1.5, top_p=0.95)
    yield case("top_k and min_p", LOGITS, 1.5, top_k=4, min_p=0.1)
    yield case("all three, edits first", LOGITS, 0.8, edits=[[5, 8], [1, "-inf"]], top_p=0.99, top_k=5, min_p=0.01)


def curves():
    for name, c in (("log toe", NOTE), ("fade toe", BALANCED), ("sharp knots", curve("top", 0, 0, 0.01, 0.05, "log")),
                    ("toe off", curve("top", 0, 1, 2, "off", "log"))):
        values = [-12, -6, -1.65, -0.3, 0, 0.7, 1.61, 5]
        points = [-50, -12.5, -4.5, -1.75, -0.125, 0, 0.5, 1.5, 2.25, 4, 7.75, 30]
        exact = [mpf(z) for z in points]
        yield {
            "name": name,
            "hlg": c,
            "z": points,
            "rho": [number(rho(c, z)) for z in exact],
            "slope": [number(slope(c, z)) for z in exact],
            # The other way: where h takes these values. On the log sides that grows like e^value.
            "value": values,
            "inverse": [number(inverse(c, mpf(v))) for v in values],
        }


def philox4x32(counter, key):
    """Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3 (2011). Ten rounds."""
    c, k, mask = list(counter), list(key), 0xFFFFFFFF
    for _ in range(10):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def stream():
    assert philox4x32([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]  # Random123's known answer
    low, high = (lambda v: v & 0xFFFFFFFF), (lambda v: v >> 32)
    for seed, index, choice, attempt, round_ in (
        (0, 0, 0, 0, 0), (42, 0, 0, 0, 0), (42, 1, 0, 0, 0), (42, 1, 1, 0, 0), (42, 1, 1, 3, 0), (42, 1, 1, 3, 2),
        (0xFEDCBA9876543210, 0x0123456789ABCDEF, 0x89ABCDEF, 0xABCDEF, 64),
    ):
        w = philox4x32([low(index), high(index), 256 * attempt + round_, choice], [low(seed), high(seed)])
        yield {
            "seed": hex(seed), "index": hex(index), "choice": choice, "attempt": attempt, "round": round_,
            "first": f"0x{w[0] | w[1] << 32:016x}", "second": f"0x{w[2] | w[3] << 32:016x}",
        }


def write(name, cases):
    """One field a line, lists on one line: small enough to read."""
    blocks = []
    for case in cases:
        fields = [f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in case.items()]
        blocks.append("  {\n" + ",\n".join(fields) + "\n  }")
    (HERE / name).write_text("[\n" + ",\n".join(blocks) + "\n]\n")


write("curves.json", curves())
write("steps.json", map(work_out, steps()))
write("stream.json", stream())
