/* options.c: the directory of options and their choices, and setting one. It touches no tensor: whatever is derived
 * merely becomes stale. Next to read: tensors.c, which tells how tensors follow the options. */
#include <math.h>
#include <string.h>

#include "internal.h"

enum { SCORE_SOURCE, SCALE, CAUSAL, KERNELS, FAULT, N_OPTIONS };
enum { MAX_CHOICES = ATTN_N_FAULTS };

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
    [KERNELS] = {"kernels", {"simd", "plain"}},
    [FAULT] = {"fault",
               {[ATTN_FAULT_NONE] = "none",
                [ATTN_FAULT_WEIGHT_ALTERED] = "weight_altered",
                [ATTN_FAULT_TERM_WRONG] = "term_wrong",
                [ATTN_FAULT_INPUT_ALTERED] = "input_altered",
                [ATTN_FAULT_SOFTMAX_COLUMNS] = "softmax_columns",
                [ATTN_FAULT_MASK_OFF_BY_ONE] = "mask_off_by_one",
                [ATTN_FAULT_MASK_AFTER_SOFTMAX] = "mask_after_softmax",
                [ATTN_FAULT_MASK_FILL_ZERO] = "mask_fill_zero",
                [ATTN_FAULT_MASK_FILL_LARGE] = "mask_fill_large",
                [ATTN_FAULT_SCALE_MISSING] = "scale_missing",
                [ATTN_FAULT_SCALE_SQRT_D_OUT] = "scale_sqrt_d_out",
                [ATTN_FAULT_QUERY_KEY_SWAPPED] = "query_key_swapped",
                [ATTN_FAULT_HEADS_RESHAPED] = "heads_reshaped"}},
};

/* In the order of the choices. */
static const attn_kernels *const kernel_sets[] = {&attn_kernels_simd, &attn_kernels_ref};

const char *attn_option_name(int32_t option) {
  return option >= 0 && option < N_OPTIONS ? options[option].name : NULL;
}

const char *attn_choice_name(int32_t option, int32_t choice) {
  if (!attn_option_name(option) || choice < 0 || choice >= MAX_CHOICES) return NULL;
  return options[option].choices[choice];
}

/* The source decides the width W, which the heads must divide and which an output projection was made for. */
static attn_status check_source(const attn_shape *shape, int32_t present, int32_t source) {
  if (source == ATTN_SOURCE_GIVEN && !shape->keep_weights) return ATTN_NOT_KEPT;
  if (!attn_heads_divide(shape, source)) return ATTN_HEADS_DO_NOT_DIVIDE;
  const bool keeps_width = attn_width(shape, source) == attn_width(shape, present);
  if (shape->out_width > 0 && !keeps_width) return ATTN_WIDTH_IS_FIXED;
  return ATTN_OK;
}

attn_status attn_source_check(int32_t d_in, int32_t d_out, int32_t n_heads, int32_t out_width, int32_t keep_weights,
                              int32_t source) {
  const attn_shape shape = {.d_in = d_in, .d_out = d_out, .n_heads = n_heads, .out_width = out_width,
                            .keep_weights = keep_weights != 0};
  return check_source(&shape, ATTN_SOURCE_TRAINED, source);
}

/* Given weights lie where scores lie: never are both there. What stands there when they come is nothing the caller gave. */
static void configure_source(attn_layer *layer, int32_t source) {
  const bool was_given = layer->score_source == ATTN_SOURCE_GIVEN;
  layer->score_source = source;
  attn_measure_tensors(layer);
  if (source != ATTN_SOURCE_GIVEN || was_given) return;
  memset(layer->data[ATTN_GIVEN_WEIGHTS], 0, attn_tensor_size(layer, ATTN_GIVEN_WEIGHTS) * sizeof(float));
}

/* A fault that has a place takes a token's index; the others read no number. */
static attn_status configure_fault(attn_layer *layer, int32_t fault, double place) {
  if (fault != ATTN_FAULT_NONE && !layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (!attn_fault_has_place(fault)) {
    attn_plant(layer, fault, 0);
    return ATTN_OK;
  }
  if (!isfinite(place)) return ATTN_NUMBER_NOT_FINITE;
  if (place != floor(place) || place < 0 || place >= layer->shape.n_tokens) return ATTN_INDEX_OUT_OF_RANGE;
  attn_plant(layer, fault, (size_t)place);
  return ATTN_OK;
}

attn_status attn_configure(attn_layer *layer, int32_t option, int32_t choice, double number) {
  if (!attn_choice_name(option, choice)) return ATTN_UNKNOWN_CHOICE;
  if (option == SCORE_SOURCE) {
    const attn_status status = check_source(&layer->shape, layer->score_source, choice);
    if (status != ATTN_OK) return status;
    configure_source(layer, choice);
  } else if (option == SCALE) {
    if (choice == ATTN_SCALE_NUMBER && !isfinite(number)) return ATTN_NUMBER_NOT_FINITE;
    layer->scale = choice;
    layer->scale_number = choice == ATTN_SCALE_NUMBER ? number : 1;
  } else if (option == CAUSAL) {
    layer->causal = choice == 1;
  } else if (option == FAULT) {
    const attn_status status = configure_fault(layer, choice, number);
    if (status != ATTN_OK) return status;
  } else {
    layer->kernels = kernel_sets[choice];
  }
  attn_tensors_changed(layer);
  return ATTN_OK;
}
