/* status.c: what each attn_status is called: a stable name for programs and a sentence for people. Sentences hold no
 * numbers: the caller knows its own and adds them. Next to read: attention.h. */
#include <stddef.h>

#include "attention.h"

typedef struct status_words {
  const char *name, *text;
} status_words;

static const status_words words[ATTN_N_STATUS] = {
    [ATTN_OK] = {"ok", "Done."},
    [ATTN_SIZE_NOT_POSITIVE] = {"size_not_positive", "Every size must be at least 1."},
    [ATTN_TOO_LARGE] = {"too_large", "The tensors of this shape would need more memory than a layer may take."},
    [ATTN_OUT_OF_MEMORY] = {"out_of_memory", "There is not enough memory for the tensors of this shape."},
    [ATTN_HEADS_DO_NOT_DIVIDE] = {"heads_do_not_divide",
                                  "The number of heads must divide the width, so that each head has a whole number "
                                  "of columns."},
    [ATTN_BIAS_WITHOUT_OUT] = {"bias_without_out", "A bias of the output projection needs an output projection."},
    [ATTN_GRADIENTS_WITHOUT_WEIGHTS] = {"gradients_without_weights",
                                        "Gradients can be kept only where attention weights are."},
    [ATTN_NOT_KEPT] = {"not_kept",
                       "The layer was created without room for this: attention weights or gradients are not kept."},
    [ATTN_UNKNOWN_CHOICE] = {"unknown_choice", "There is no such option, or no such choice of it."},
    [ATTN_WIDTH_IS_FIXED] = {"width_is_fixed",
                             "The output projection is made for one width; this source of scores gives another."},
    [ATTN_NUMBER_NOT_FINITE] = {"number_not_finite", "The number is not finite, or lies outside its range."},
    [ATTN_TENSOR_NOT_FINITE] = {"tensor_not_finite", "A tensor holds a number that is not finite."},
    [ATTN_INDEX_OUT_OF_RANGE] = {"index_out_of_range", "There is no such row: an index lies outside the shape."},
    [ATTN_STALE] = {"stale", "Something changed since the last forward pass: results are stale until the next."},
    [ATTN_ROW_SUM_IS_ZERO] = {"row_sum_is_zero", "A row whose weights sum to zero cannot be normalised."},
    [ATTN_FAULT_PLANTED] = {"fault_planted",
                            "Gradients are those of the right computation: take the planted bug out first."},
    [ATTN_NO_TARGETS] = {"no_targets", "No row is a target, so there is no loss."},
    [ATTN_NO_PARAMETERS] = {"no_parameters",
                            "There is nothing to train: this configuration has no weight matrices."},
    [ATTN_DIVERGED] = {"diverged",
                       "The step would have led to numbers that are not finite; nothing was changed. A smaller "
                       "learning rate keeps them finite."},
};

static const status_words unknown = {"unknown_status", "There is no such status."};

static const status_words *words_of(int32_t status) {
  return status >= 0 && status < ATTN_N_STATUS ? &words[status] : &unknown;
}

const char *attn_status_name(int32_t status) {
  return words_of(status)->name;
}

const char *attn_status_text(int32_t status) {
  return words_of(status)->text;
}
