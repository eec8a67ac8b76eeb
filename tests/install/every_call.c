/* Every function of hlg.h, called from C99, in its good case and in its bad ones. Prints the library's version when all is well.
 */
#include <hlg/hlg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                   \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

enum { VOCAB = 1000 };

static float logits[VOCAB];
static double probabilities[VOCAB];
static float shaped[VOCAB];
static const hlg_position start = {0, 0, 0};

static hlg_step step_of(size_t vocab) {
    hlg_step step;
    memset(&step, 0, sizeof step);
    step.logits = logits;
    step.vocab = vocab;
    return step;
}

static hlg_sampler* sampler_of(const hlg_params* params) {
    hlg_sampler* sampler = NULL;
    char message[100] = "stale";
    EXPECT(hlg_sampler_new(params, &sampler, message, sizeof message) == HLG_OK);
    EXPECT(sampler != NULL && message[0] == '\0');
    return sampler;
}

static void settings(void) {
    hlg_params params;
    EXPECT(hlg_params_init(NULL, sizeof params) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_params_init(&params, sizeof params - 1) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_params_init(&params, sizeof params) == HLG_OK);
    EXPECT(params.size == sizeof params && params.temperature == 1 && params.hlg == 0 && isnan(params.pivot_offset));
    EXPECT(hlg_params_preset(&params, "no such preset") == HLG_ERROR_PARAMETER);
    EXPECT(params.hlg == 0);
    EXPECT(hlg_params_preset(&params, NULL) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_params_preset(NULL, "note") == HLG_ERROR_ARGUMENT);
    EXPECT(strcmp(hlg_preset_name(0), "note") == 0);
    size_t count = 0;
    for (; hlg_preset_name(count) != NULL; count++) EXPECT(hlg_params_preset(&params, hlg_preset_name(count)) == HLG_OK);
    EXPECT(count >= 4 && params.hlg == 1);
    EXPECT(hlg_preset_name((size_t)-1) == NULL);
}

static void a_bad_setting(void) {
    hlg_params params;
    hlg_sampler* sampler = (hlg_sampler*)&params; /* must become null */
    char message[100];
    EXPECT(hlg_params_init(&params, sizeof params) == HLG_OK);
    params.temperature = -1;
    EXPECT(hlg_sampler_new(&params, &sampler, message, sizeof message) == HLG_ERROR_PARAMETER);
    EXPECT(sampler == NULL);
    EXPECT(strcmp(message, "[temperature] must be between 0 and 100, got -1") == 0);
    EXPECT(hlg_sampler_new(&params, &sampler, NULL, 0) == HLG_ERROR_PARAMETER);
    EXPECT(hlg_sampler_new(NULL, &sampler, message, 9) == HLG_ERROR_ARGUMENT);
    EXPECT(strcmp(message, "params i") == 0); /* cut to fit */
    EXPECT(hlg_sampler_new(&params, NULL, message, sizeof message) == HLG_ERROR_ARGUMENT);
    hlg_sampler_free(NULL);
}

static void draws(hlg_sampler* sampler) {
    const hlg_step step = step_of(VOCAB);
    int32_t one = -1;
    int32_t many[50];
    EXPECT(hlg_draw_many(sampler, &step, start, 50, many) == HLG_OK);
    for (int i = 0; i < 50; i++) {
        const hlg_position position = {(uint64_t)i, 0, 0};
        EXPECT(hlg_draw(sampler, &step, position, &one) == HLG_OK);
        EXPECT(one == many[i] && one >= 0 && one < VOCAB);
    }
    EXPECT(hlg_draw(NULL, &step, start, &one) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_draw(sampler, NULL, start, &one) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_draw(sampler, &step, start, NULL) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_draw_many(sampler, &step, start, 3, NULL) == HLG_ERROR_ARGUMENT);
}

static void steps_that_cannot_be(hlg_sampler* sampler) {
    hlg_step step = step_of(0);
    int32_t token = 77;
    EXPECT(hlg_draw(sampler, &step, start, &token) == HLG_ERROR_EMPTY);
    step = step_of((size_t)INT32_MAX + 1);
    EXPECT(hlg_draw(sampler, &step, start, &token) == HLG_ERROR_TOO_LARGE);
    step = step_of(VOCAB);
    const hlg_edit outside = {VOCAB, 1.0F};
    step.edits = &outside;
    step.edit_count = 1;
    EXPECT(hlg_draw(sampler, &step, start, &token) == HLG_ERROR_EDIT);
    static const uint32_t none[(VOCAB + 31) / 32];
    step = step_of(VOCAB);
    step.allowed = none;
    EXPECT(hlg_draw(sampler, &step, start, &token) == HLG_ERROR_NO_TOKEN);
    step = step_of(VOCAB);
    const float kept = logits[3];
    logits[3] = NAN;
    EXPECT(hlg_draw(sampler, &step, start, &token) == HLG_ERROR_NAN);
    logits[3] = INFINITY;
    EXPECT(hlg_draw(sampler, &step, start, &token) == HLG_ERROR_INFINITE);
    logits[3] = kept;
    EXPECT(token == 77); /* errors leave it alone */
}

static void distributions(hlg_sampler* sampler) {
    const hlg_step step = step_of(VOCAB);
    hlg_statistics statistics;
    double sum = 0, top = 0, collision = 0;
    EXPECT(hlg_probabilities(sampler, &step, probabilities) == HLG_OK);
    for (int i = 0; i < VOCAB; i++) {
        sum += probabilities[i];
        collision += probabilities[i] * probabilities[i];
        if (probabilities[i] > top) top = probabilities[i];
    }
    EXPECT(fabs(sum - 1) < 1e-9);
    EXPECT(hlg_statistics_of(sampler, &step, -9.2, &statistics) == HLG_OK);
    EXPECT(fabs(statistics.top1 - top) < 1e-9 && fabs(statistics.collision - collision) < 1e-9);
    EXPECT(statistics.entropy > 0 && statistics.kl >= 0 && statistics.mass_below >= 0);
    EXPECT(hlg_shape(sampler, &step, shaped) == HLG_OK);
    for (int i = 1; i < VOCAB; i++) EXPECT(shaped[i] == shaped[0] || (shaped[i] > shaped[0]) == (logits[i] > logits[0]));
    EXPECT(hlg_probabilities(sampler, &step, NULL) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_probabilities(NULL, &step, probabilities) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_shape(sampler, NULL, shaped) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_statistics_of(sampler, &step, -9.2, NULL) == HLG_ERROR_ARGUMENT);
    EXPECT(hlg_statistics_of(sampler, &step, NAN, &statistics) == HLG_ERROR_ARGUMENT);
}

static void texts(void) {
    for (int i = HLG_OK; i <= HLG_ERROR_INTERNAL; i++) EXPECT(strcmp(hlg_status_text((hlg_status)i), "unknown status") != 0);
    EXPECT(strcmp(hlg_status_text((hlg_status)99), "unknown status") == 0);
    EXPECT(strcmp(hlg_status_text((hlg_status)-1), "unknown status") == 0);
}

int main(void) {
    for (int i = 0; i < VOCAB; i++) logits[i] = (float)((i * 7919) % VOCAB) * 0.01F;
    settings();
    a_bad_setting();
    texts();
    hlg_params params;
    EXPECT(hlg_params_init(&params, sizeof params) == HLG_OK);
    for (size_t i = 0; i == 0 || hlg_preset_name(i - 1) != NULL; i++) {
        if (i > 0) EXPECT(hlg_params_preset(&params, hlg_preset_name(i - 1)) == HLG_OK);
        hlg_sampler* sampler = sampler_of(&params);
        draws(sampler);
        steps_that_cannot_be(sampler);
        distributions(sampler);
        hlg_sampler_free(sampler);
    }
    puts(hlg_version());
    return 0;
}
