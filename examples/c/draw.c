/* libhlg from C: sample the next token of a model that knows eight words.
 *
 *     gcc -std=c99 draw.c $(pkg-config --cflags --libs hlg) -o draw && ./draw
 */
#include <hlg/hlg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const words[] = {"the", "a", "cat", "dog", "sat", "ran", "slowly", "xq#7"};
enum { VOCAB = sizeof words / sizeof *words };

/* Every call answers a status; this program gives up on the first that is not HLG_OK. */
static void check(hlg_status status, const char* what) {
    if (status == HLG_OK) return;
    fprintf(stderr, "%s: %s\n", what, hlg_status_text(status));
    exit(1);
}

static hlg_sampler* make_sampler(void) {
    hlg_params params;
    check(hlg_params_init(&params, sizeof params), "params");
    check(hlg_params_preset(&params, "balanced"), "preset"); /* the HLG curve; without it plain temperature */
    params.temperature = 0.9;
    params.seed = 7;

    hlg_sampler* sampler = NULL;
    char message[200];
    if (hlg_sampler_new(&params, &sampler, message, sizeof message) != HLG_OK) {
        fprintf(stderr, "%s\n", message); /* names the setting and its range */
        exit(1);
    }
    return sampler;
}

int main(void) {
    /* What the model gives for each word of its vocabulary, in nats; a real one has a hundred thousand of them. */
    const float logits[VOCAB] = {4.1F, 3.9F, 3.0F, 2.9F, 1.0F, 0.8F, -1.0F, -6.0F};
    /* "the" was just used and loses half a nat; "ran" must not come at all. Edits act after the curve. */
    const hlg_edit edits[] = {{0, -0.5F}, {5, -INFINITY}};
    const hlg_step step = {.logits = logits, .vocab = VOCAB, .edits = edits, .edit_count = 2};

    hlg_sampler* sampler = make_sampler();
    double probabilities[VOCAB];
    check(hlg_probabilities(sampler, &step, probabilities), "probabilities");
    for (int i = 0; i < VOCAB; i++) printf("%-8s %.6f\n", words[i], probabilities[i]);

    /* The same seed and index give the same token, whatever else was drawn before and on whatever machine. */
    for (uint64_t index = 0; index < 10; index++) {
        const hlg_position position = {index, 0, 0};
        int32_t token = -1;
        check(hlg_draw(sampler, &step, position, &token), "draw");
        printf("%s%c", words[token], index < 9 ? ' ' : '\n');
    }
    hlg_sampler_free(sampler);
    return 0;
}
