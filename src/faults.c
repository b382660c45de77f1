/* faults.c: bugs planted on purpose. Each puts its own stages in the place of right ones in the layer's stage table;
 * nothing else knows of it, and the second route never does. Where a fault cannot show (no scores, no mask), its stage
 * does what the right one does. Next to read: forward.c (the right stages), attention.h (attn_fault_missing). */
#include <math.h>

#include "internal.h"

/* ---- One number altered ---------------------------------------------------------------------------------------- */

/* The first key that row i may draw on and whose value row, in head 0, is not all zero: what changes there, shows. */
static size_t key_that_shows(const attn_pass *pass, size_t i) {
  for (size_t j = 0; j < pass->n_keys; j++) {
    for (size_t e = 0; e < pass->value_dim && attn_allowed(pass, i, j); e++) {
      if (pass->values[j * pass->value_stride + e] != 0) return j;
    }
  }
  return 0;
}

/* One weight of row `place` of the first head is 0.25 too large. */
static void weights_altered(const attn_pass *pass) {
  attn_stages[ATTN_STAGE_WEIGHTS](pass);
  pass->attn_weights[attn_weight_row(pass, 0, 0, pass->place) + key_that_shows(pass, pass->place)] += 0.25f;
}

/* context_vecs[i][e] = the sum of the terms of that fault */
static void blend_terms(const attn_pass *pass, attn_term *term) {
  for (size_t row = 0; row < pass->n_batch * pass->n_queries; row++) {
    for (size_t e = 0; e < pass->context_stride; e++) {
      double sum = 0;
      for (size_t j = 0; j < pass->n_keys; j++) {
        sum += term(pass, row / pass->n_queries, row % pass->n_queries, e, j);
      }
      pass->context_vecs[row * pass->context_stride + e] = (float)sum;
    }
  }
}

/* How far context_vecs[i][1] moves if its term j reads the neighbouring column of the value. */
static double slip(const attn_pass *pass, size_t i, size_t j) {
  return fabs(attn_blend_term(pass, 0, i, 1, j) - attn_blend_term(pass, 0, i, 0, j));
}

static size_t key_that_slips_most(const attn_pass *pass, size_t i) {
  size_t most = 0;
  for (size_t j = 1; j < pass->n_keys; j++) {
    if (slip(pass, i, j) > slip(pass, i, most)) most = j;
  }
  return most;
}

/* In row `place`, one term of the second number reads the first column of its value: the first number is right. */
static double wrong_term(const attn_pass *pass, size_t batch, size_t i, size_t column, size_t j) {
  const bool here = batch == 0 && i == pass->place && column == 1 && pass->value_dim > 1;
  return attn_blend_term(pass, batch, i, here && j == key_that_slips_most(pass, i) ? 0 : column, j);
}

static void blend_wrong_term(const attn_pass *pass) {
  attn_stages[ATTN_STAGE_BLEND](pass);
  if (pass->value_dim < 2) return;
  double sum = 0;
  for (size_t j = 0; j < pass->n_keys; j++) sum += wrong_term(pass, 0, pass->place, 1, j);
  pass->context_vecs[pass->place * pass->context_stride + 1] = (float)sum;
}

/* The blend reads value row `place` of the first sequence as v + (1 + |v|): no number of it is right. */
static double altered_term(const attn_pass *pass, size_t batch, size_t i, size_t column, size_t j) {
  if (batch != 0 || j != pass->place) return attn_blend_term(pass, batch, i, column, j);
  const float weight = pass->attn_weights[attn_weight_row(pass, batch, column / pass->value_dim, i) + j];
  const double value = (double)pass->values[j * pass->value_stride + column];
  return (double)weight * (value + (1 + fabs(value)));
}

static void blend_altered(const attn_pass *pass) {
  blend_terms(pass, altered_term);
}

/* ---- Softmax and mask ------------------------------------------------------------------------------------------ */

/* One column of scores to weights that sum to 1 down the column; masked entries are left out. */
static void softmax_column(size_t n_queries, size_t n_keys, const float *scores, float *weights) {
  double max = -INFINITY, sum = 0;
  for (size_t i = 0; i < n_queries; i++) max = fmax(max, (double)scores[i * n_keys]);
  for (size_t i = 0; i < n_queries; i++) sum += exp((double)scores[i * n_keys] - max);
  for (size_t i = 0; i < n_queries; i++) weights[i * n_keys] = (float)(exp((double)scores[i * n_keys] - max) / sum);
}

static void weights_by_columns(const attn_pass *pass) {
  if (!pass->attn_scores) {
    attn_stages[ATTN_STAGE_WEIGHTS](pass);
    return;
  }
  for (size_t column = 0; column < pass->n_batch * pass->n_heads * pass->n_keys; column++) {
    const size_t start = column / pass->n_keys * pass->n_queries * pass->n_keys + column % pass->n_keys;
    softmax_column(pass->n_queries, pass->n_keys, pass->attn_scores + start, pass->attn_weights + start);
  }
}

/* Write a number into every masked score but those of the `spared` keys next after the last allowed one. */
static void fill_masked(const attn_pass *pass, float number, size_t spared) {
  if (!pass->attn_scores) return;
  for (size_t row = 0; row < pass->n_batch * pass->n_heads * pass->n_queries; row++) {
    for (size_t j = spared; j < pass->n_keys; j++) {
      if (!attn_allowed(pass, row % pass->n_queries, j - spared)) pass->attn_scores[row * pass->n_keys + j] = number;
    }
  }
}

/* Query i draws on the keys j <= i + 1. */
static void mask_off_by_one(const attn_pass *pass) {
  fill_masked(pass, -INFINITY, 1);
}

static void mask_with_zero(const attn_pass *pass) {
  fill_masked(pass, 0, 0);
}

static void mask_with_large(const attn_pass *pass) {
  fill_masked(pass, -1e9f, 0);
}

static void mask_nothing(const attn_pass *pass) {
  (void)pass;
}

/* Given weights under a mask that spares so many keys too many, divided by their sum or not. */
static void mask_given(const attn_pass *pass, size_t spared, bool renormalise) {
  for (size_t row = 0; row < pass->n_batch * pass->n_heads * pass->n_queries; row++) {
    const float *given = pass->given_weights + row * pass->n_keys;
    float *weights = pass->attn_weights + row * pass->n_keys;
    for (size_t j = 0; j < pass->n_keys; j++) {
      const bool kept = j < spared || attn_allowed(pass, row % pass->n_queries, j - spared);
      weights[j] = kept ? given[j] : 0;
    }
    const double sum = attn_row_sum(pass->n_keys, weights);
    for (size_t j = 0; j < pass->n_keys && pass->causal && renormalise; j++) {
      weights[j] = sum == 0 ? 0 : (float)((double)weights[j] / sum);
    }
  }
}

static void weights_off_by_one(const attn_pass *pass) {
  if (pass->attn_scores) attn_stages[ATTN_STAGE_WEIGHTS](pass);
  else mask_given(pass, 1, true);
}

/* Later entries become 0 only now, and what is left is not divided by its sum. */
static void weights_then_mask(const attn_pass *pass) {
  if (!pass->attn_scores) {
    mask_given(pass, 0, false);
    return;
  }
  attn_stages[ATTN_STAGE_WEIGHTS](pass);
  for (size_t k = 0; k < pass->n_batch * pass->n_heads * pass->n_queries * pass->n_keys; k++) {
    if (!attn_allowed(pass, k / pass->n_keys % pass->n_queries, k % pass->n_keys)) pass->attn_weights[k] = 0;
  }
}

/* ---- Scores and heads ------------------------------------------------------------------------------------------ */

static void scores_without_scale(const attn_pass *pass) {
  attn_pass wrong = *pass;
  wrong.scale = 1;
  attn_stages[ATTN_STAGE_SCORES](&wrong);
}

/* Divided by the root of the whole width, not of one head's. */
static void scores_by_width(const attn_pass *pass) {
  attn_pass wrong = *pass;
  wrong.scale = 1 / sqrt((double)pass->query_stride);
  attn_stages[ATTN_STAGE_SCORES](&wrong);
}

/* attn_scores[i][j] = scale sum_e queries[j][e] keys[i][e] */
static void scores_swapped(const attn_pass *pass) {
  attn_pass wrong = *pass;
  wrong.queries = pass->keys;
  wrong.keys = pass->queries;
  attn_stages[ATTN_STAGE_SCORES](&wrong);
}

/* Head h of a sequence taken as its h-th block of numbers in memory, not as a block of columns: tokens get mixed. Its
 * row i is the numbers (h·T + i)·head_dim and on. */
static void scores_reshaped(const attn_pass *pass) {
  if (!pass->attn_scores) return;
  for (size_t block = 0; block < pass->n_batch * pass->n_heads; block++) {
    attn_pass wrong = *pass;
    wrong.n_batch = wrong.n_heads = 1;
    wrong.queries = pass->queries + block * pass->n_queries * pass->key_dim;
    wrong.keys = pass->keys + block * pass->n_keys * pass->key_dim;
    wrong.query_stride = wrong.key_stride = pass->key_dim;
    wrong.attn_scores = pass->attn_scores + block * pass->n_queries * pass->n_keys;
    attn_stages[ATTN_STAGE_SCORES](&wrong);
  }
}

static double reshaped_term(const attn_pass *pass, size_t batch, size_t i, size_t column, size_t j) {
  const size_t head = column / pass->value_dim, e = column % pass->value_dim;
  const float weight = pass->attn_weights[attn_weight_row(pass, batch, head, i) + j];
  return (double)weight *
         (double)pass->values[((batch * pass->n_heads + head) * pass->n_keys + j) * pass->value_dim + e];
}

static void blend_reshaped(const attn_pass *pass) {
  blend_terms(pass, reshaped_term);
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

/* What a fault needs of the setting in order to show, in the order in which it is asked for. */
typedef enum need {
  SCORES,
  TRAINED,
  CAUSAL,
  SCALE,
  SQRT_HEAD_DIM,
  TWO_HEADS,
  TWO_VALUES,
  TWO_TOKENS,
  HUGE_SCORES,
  N_NEEDS
} need;

static const char *const need_names[N_NEEDS] = {
    [SCORES] = "scores", [TRAINED] = "trained", [CAUSAL] = "causal",
    [SCALE] = "scale", [SQRT_HEAD_DIM] = "sqrt_head_dim", [TWO_HEADS] = "two_heads",
    [TWO_VALUES] = "two_values", [TWO_TOKENS] = "two_tokens", [HUGE_SCORES] = "huge_scores",
};

typedef struct fault_entry {
  attn_stage *scores, *mask, *weights, *blend; /* NULL: the right one */
  attn_term *term;                             /* of its blend */
  bool has_place;
  unsigned needs; /* bits 1 << need */
} fault_entry;

enum { MASKED = 1u << CAUSAL | 1u << TWO_TOKENS, SCORED = 1u << SCORES | 1u << TWO_TOKENS };

static const fault_entry faults[ATTN_N_FAULTS] = {
    [ATTN_FAULT_WEIGHT_ALTERED] = {.weights = weights_altered, .has_place = true},
    [ATTN_FAULT_TERM_WRONG] = {.blend = blend_wrong_term, .term = wrong_term, .has_place = true,
                               .needs = 1u << TWO_VALUES},
    [ATTN_FAULT_INPUT_ALTERED] = {.blend = blend_altered, .term = altered_term, .has_place = true},
    [ATTN_FAULT_SOFTMAX_COLUMNS] = {.weights = weights_by_columns, .needs = SCORED},
    [ATTN_FAULT_MASK_OFF_BY_ONE] = {.mask = mask_off_by_one, .weights = weights_off_by_one, .needs = MASKED},
    [ATTN_FAULT_MASK_AFTER_SOFTMAX] = {.mask = mask_nothing, .weights = weights_then_mask, .needs = MASKED},
    [ATTN_FAULT_MASK_FILL_ZERO] = {.mask = mask_with_zero, .needs = SCORED | MASKED},
    [ATTN_FAULT_MASK_FILL_LARGE] = {.mask = mask_with_large, .needs = SCORED | MASKED | 1u << HUGE_SCORES},
    [ATTN_FAULT_SCALE_MISSING] = {.scores = scores_without_scale, .needs = SCORED | 1u << SCALE},
    [ATTN_FAULT_SCALE_SQRT_D_OUT] = {.scores = scores_by_width,
                                     .needs = SCORED | 1u << SQRT_HEAD_DIM | 1u << TWO_HEADS},
    [ATTN_FAULT_QUERY_KEY_SWAPPED] = {.scores = scores_swapped, .needs = SCORED | 1u << TRAINED},
    [ATTN_FAULT_HEADS_RESHAPED] = {.scores = scores_reshaped, .blend = blend_reshaped, .term = reshaped_term,
                                   .needs = 1u << TWO_HEADS | 1u << TWO_TOKENS},
};

void attn_plant(attn_layer *layer, int32_t fault, size_t place) {
  const fault_entry *entry = &faults[fault];
  for (int32_t s = 0; s < ATTN_N_STAGES; s++) layer->stages[s] = attn_stages[s];
  if (entry->scores) layer->stages[ATTN_STAGE_SCORES] = entry->scores;
  if (entry->mask) layer->stages[ATTN_STAGE_MASK] = entry->mask;
  if (entry->weights) layer->stages[ATTN_STAGE_WEIGHTS] = entry->weights;
  if (entry->blend) layer->stages[ATTN_STAGE_BLEND] = entry->blend;
  layer->blend_term = entry->term ? entry->term : attn_blend_term;
  layer->fault = fault;
  layer->fault_place = place;
}

int32_t attn_fault_has_place(int32_t fault) {
  return fault >= 0 && fault < ATTN_N_FAULTS && faults[fault].has_place;
}

/* Does a row with masked keys have no allowed score above the -1e9 that would stand in for -infinity?  Floats of that
 * size are 64 apart, so anything above is so far above that the fill has no weight. */
static bool has_huge_scores(const attn_pass *pass) {
  for (size_t row = 0; row < pass->n_batch * pass->n_heads * pass->n_queries; row++) {
    double max = -INFINITY;
    size_t n_allowed = 0;
    for (size_t j = 0; j < pass->n_keys && attn_allowed(pass, row % pass->n_queries, j); j++) {
      max = fmax(max, (double)pass->attn_scores[row * pass->n_keys + j]);
      n_allowed++;
    }
    if (n_allowed < pass->n_keys && max <= -1e9) return true;
  }
  return false;
}

static bool has(const attn_layer *layer, need what) {
  const attn_pass pass = attn_layer_pass(layer);
  switch (what) {
    case SCORES: return pass.attn_scores;
    case TRAINED: return pass.w_query;
    case CAUSAL: return pass.causal;
    case SCALE: return pass.scale < 1 || pass.scale > 1;
    case SQRT_HEAD_DIM: return layer->scale == ATTN_SCALE_SQRT_HEAD_DIM;
    case TWO_HEADS: return pass.n_heads > 1;
    case TWO_VALUES: return pass.value_dim > 1;
    case TWO_TOKENS: return pass.n_keys > 1;
    case HUGE_SCORES: return !layer->stale && has_huge_scores(&pass);
    case N_NEEDS: break;
  }
  return false;
}

const char *attn_fault_missing(const attn_layer *layer, int32_t fault) {
  if (!layer->shape.keep_weights && fault != ATTN_FAULT_NONE) return "kept_weights";
  for (int32_t n = 0; n < N_NEEDS; n++) {
    if ((faults[fault].needs >> n & 1u) && !has(layer, (need)n)) return need_names[n];
  }
  return NULL;
}
