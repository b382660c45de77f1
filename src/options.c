/* options.c: the directory of options and their choices, and setting one. It touches no tensor: whatever is derived
 * merely becomes stale. Next to read: tensors.c, which tells how tensors follow the options. */
#include <math.h>

#include "internal.h"

enum { SCORE_SOURCE, SCALE, CAUSAL, KERNELS, N_OPTIONS };
enum { MAX_CHOICES = 3 };

typedef struct option_entry {
  const char *name;
  const char *choices[MAX_CHOICES];
} option_entry;

static const option_entry options[N_OPTIONS] = {
    [SCORE_SOURCE] = {"score_source",
                      {[ATTN_SOURCE_GIVEN] = "given",
                       [ATTN_SOURCE_INPUTS] = "inputs",
                       [ATTN_SOURCE_TRAINED] = "trained"}},
    [SCALE] = {"scale",
               {[ATTN_SCALE_NONE] = "none",
                [ATTN_SCALE_SQRT_HEAD_DIM] = "sqrt_head_dim",
                [ATTN_SCALE_NUMBER] = "number"}},
    [CAUSAL] = {"causal", {"off", "on"}},
    [KERNELS] = {"kernels", {"plain"}},
};

static const attn_kernels *const kernel_sets[] = {&attn_kernels_ref}; /* in the order of the choices */

const char *attn_option_name(int32_t option) {
  return option >= 0 && option < N_OPTIONS ? options[option].name : NULL;
}

const char *attn_choice_name(int32_t option, int32_t choice) {
  if (!attn_option_name(option) || choice < 0 || choice >= MAX_CHOICES) return NULL;
  return options[option].choices[choice];
}

/* The source decides the width W, which the heads must divide and which an output projection was made for. */
static attn_status check_source(const attn_layer *layer, int32_t source) {
  const attn_shape *shape = &layer->shape;
  if (!attn_heads_divide(shape, source)) return ATTN_HEADS_DO_NOT_DIVIDE;
  const bool keeps_width = attn_width(shape, source) == attn_width(shape, layer->score_source);
  if (shape->out_width > 0 && !keeps_width) return ATTN_WIDTH_IS_FIXED;
  return ATTN_OK;
}

attn_status attn_configure(attn_layer *layer, int32_t option, int32_t choice, double number) {
  if (!attn_choice_name(option, choice)) return ATTN_UNKNOWN_CHOICE;
  if (option == SCORE_SOURCE) {
    const attn_status status = check_source(layer, choice);
    if (status != ATTN_OK) return status;
    layer->score_source = choice;
  } else if (option == SCALE) {
    if (choice == ATTN_SCALE_NUMBER && !isfinite(number)) return ATTN_NUMBER_NOT_FINITE;
    layer->scale = choice;
    layer->scale_number = choice == ATTN_SCALE_NUMBER ? number : 1;
  } else if (option == CAUSAL) {
    layer->causal = choice == 1;
  } else {
    layer->kernels = kernel_sets[choice];
  }
  attn_tensors_changed(layer);
  return ATTN_OK;
}
