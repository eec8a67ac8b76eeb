/* SPDX-License-Identifier: MIT
 *
 * libhlg, the C interface: exact sampling from the full vocabulary, with plain temperature, the classic truncations or the
 * HLG curve. Valid C99. Everything that crosses this line is a plain value, a pointer with a length, or an opaque handle;
 * no exception leaves it and nothing in it is global, so handles on different threads never meet. One handle serves one
 * request at a time.
 *
 * Units: logits, widths, offsets and entropies are in nats; counts are tokens.
 */
#ifndef HLG_HLG_H
#define HLG_HLG_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define HLG_API
#else
#define HLG_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call can answer. Anything but HLG_OK leaves the outputs as they were, unless the call says otherwise. */
typedef enum hlg_status {
    HLG_OK = 0,
    HLG_ERROR_PARAMETER = 1, /* a setting is out of its range; the text names it and the range */
    HLG_ERROR_ARGUMENT = 2,  /* a null pointer, a wrong length, a struct size this library does not know */
    HLG_ERROR_EMPTY = 3,     /* the vocabulary has no tokens */
    HLG_ERROR_TOO_LARGE = 4, /* more than 2^31 - 1 tokens */
    HLG_ERROR_NAN = 5,       /* a logit is NaN */
    HLG_ERROR_INFINITE = 6,  /* a logit is +inf */
    HLG_ERROR_NO_TOKEN = 7,  /* every token is masked or banned */
    HLG_ERROR_EDIT = 8,      /* an edit names a token outside the vocabulary, or its delta is NaN or +inf */
    HLG_ERROR_MEMORY = 9,    /* out of memory */
    HLG_ERROR_INTERNAL = 10  /* a defect in the library */
} hlg_status;

/** One English sentence for a status; never null, static storage. */
HLG_API const char* hlg_status_text(hlg_status status);

/** The library's version, "major.minor.patch". */
HLG_API const char* hlg_version(void);

/** The token at which the curve is anchored. */
typedef enum hlg_pivot {
    HLG_PIVOT_TOP = 0,     /* the largest logit */
    HLG_PIVOT_ENTROPY = 1, /* the probability-weighted mean of the logits */
    HLG_PIVOT_MEDIAN = 2   /* the logit where the mass, sorted downwards, first reaches one half */
} hlg_pivot;

/** The curve's shape below the linear part. */
typedef enum hlg_toe_shape {
    HLG_TOE_LOG = 0, /* slope falls with distance: a power law, lifts the far tail */
    HLG_TOE_FADE = 1 /* slope rises with distance: fades the far tail */
} hlg_toe_shape;

/**
 * Every setting of a sampler. Fill it with hlg_params_init, then change what you need; `size` lets a library that knows more
 * fields serve a program that was built with fewer.
 */
typedef struct hlg_params {
    size_t size;         /* sizeof(hlg_params), set by hlg_params_init */
    double temperature;  /* 0 to 100; below 1e-5 greedy; default 1 */
    double top_p;        /* 0 to 1, 1 = off (default), 0 = one token; ignored while hlg is on */
    double min_p;        /* 0 to 1, 0 = off (default); ignored while hlg is on */
    int64_t top_k;       /* tokens; 0 or -1 = off (default 0); ignored while hlg is on */
    uint64_t seed;       /* key of the random stream; default 0 */
    int32_t hlg;         /* 0 = off (default), 1 = the curve is the sampler */
    int32_t pivot;       /* an hlg_pivot; default HLG_PIVOT_ENTROPY */
    int32_t toe_shape;   /* an hlg_toe_shape; default HLG_TOE_FADE */
    int32_t reserved;    /* 0 */
    double pivot_offset; /* nats below the anchor, -1e4 to 1e4; NaN = the pivot's own default (top 3, entropy 1.7, median 2.5) */
    double width;        /* half the linear part, nats, >= 0; INFINITY = off, the curve is then temperature; default 1.6 */
    double shoulder;     /* nats, > 0; small compresses the favourites more; INFINITY = off; default 0.6 */
    double toe;          /* nats, > 0; INFINITY = off; default 2 */
} hlg_params;

/** The built-in settings: temperature 1, no truncation, curve off, seed 0. `size` is sizeof(hlg_params) at the caller. */
HLG_API hlg_status hlg_params_init(hlg_params* params, size_t size);

/**
 * Sets the curve's fields to a named preset (and hlg to 1). HLG_ERROR_PARAMETER for an unknown name.
 * hlg_preset_name(i) gives the names from i = 0 on, then null.
 */
HLG_API hlg_status hlg_params_preset(hlg_params* params, const char* name);
HLG_API const char* hlg_preset_name(size_t i);

/** A change to one token's score that acts after the curve: shaped = m * (curve(x) + delta). delta -INFINITY bans. */
typedef struct hlg_edit {
    int32_t token;
    float delta; /* nats */
} hlg_edit;

/** One decoding step's input. Zero-fill it, then set what you have. Pointers are read only during the call. */
typedef struct hlg_step {
    const float* logits;   /* [vocab], as the model gave them; -inf or anything 1e4 nats below the top is masked */
    size_t vocab;          /* tokens */
    const hlg_edit* edits; /* [edit_count], any order; several for one token add up; sorted by token is fastest */
    size_t edit_count;
    const uint32_t* allowed; /* bit i % 32 of word i / 32 allows token i; [(vocab + 31) / 32]; null = all allowed */
} hlg_step;

/** Where in the random stream a draw stands: the same seed, position and logits give the same token everywhere. */
typedef struct hlg_position {
    uint64_t index;   /* of the generated token, from 0 */
    uint32_t choice;  /* which of the request's n answers, from 0 */
    uint32_t attempt; /* 0; one more for each redraw of the same token, as after a grammar's refusal; below 2^24 */
} hlg_position;

typedef struct hlg_sampler hlg_sampler;

/**
 * Makes a sampler. On an error *out is null and, when `message` is given, it holds up to message_size - 1 bytes that name the
 * setting and its range.
 */
HLG_API hlg_status hlg_sampler_new(const hlg_params* params, hlg_sampler** out, char* message, size_t message_size);

/** Frees a sampler; null is fine. */
HLG_API void hlg_sampler_free(hlg_sampler* sampler);

/**
 * Draws one token. Allocates nothing once the sampler has seen a vocabulary and an edit list of this size; only the median pivot
 * and the truncations may still grow their scratch at a flatter distribution than any before. top_p's mass is met within 1e-5.
 */
HLG_API hlg_status hlg_draw(hlg_sampler* sampler, const hlg_step* step, hlg_position position, int32_t* token);

/** Draws `count` tokens from one distribution, as the generated tokens first.index, first.index + 1, ... of these logits. */
HLG_API hlg_status hlg_draw_many(hlg_sampler* sampler, const hlg_step* step, hlg_position first, size_t count, int32_t* tokens);

/** The exact distribution that hlg_draw draws from: probabilities[vocab], float64, summing to 1. */
HLG_API hlg_status hlg_probabilities(hlg_sampler* sampler, const hlg_step* step, double* probabilities);

/**
 * The shaped logits, shaped[vocab]: softmax(shaped) is the distribution. -inf where masked, banned or truncated away.
 * `shaped` may be step->logits itself.
 */
HLG_API hlg_status hlg_shape(hlg_sampler* sampler, const hlg_step* step, float* shaped);

/** What a shaped distribution q looks like beside the model's own p = softmax(logits). */
typedef struct hlg_statistics {
    double entropy;       /* of q, nats */
    double model_entropy; /* of p, nats */
    double top1;          /* the largest probability in q */
    double collision;     /* sum of q^2: the chance that two draws agree */
    double mass_below;    /* what q gives to tokens with ln p below the threshold */
    double kl;            /* KL(q || plain temperature with the same T, edits and mask), nats */
    double pivot;         /* the pivot's logit; NaN where no curve acts */
} hlg_statistics;

/** Statistics of the distribution that hlg_draw draws from; `log_prob` is mass_below's threshold, nats. */
HLG_API hlg_status hlg_statistics_of(hlg_sampler* sampler, const hlg_step* step, double log_prob, hlg_statistics* out);

#ifdef __cplusplus
}
#endif

#endif /* HLG_HLG_H */
