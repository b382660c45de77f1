/* forward.c: attention from inputs to outputs, as a table of stages that each compute one tensor (Vaswani et al.
 * 2017, "Attention is all you need", section 3.2). Arithmetic is done by the kernels of the pass, never by name;
 * nothing here knows of a layer, of a planted bug or of the other route. Next to read: kernels_ref.c, layer.c. */
#include <math.h>

#include "internal.h"

/* rows = inputs @ w + b, for all rows of all sequences; without a w the rows are given as they are. */
static void project(const attn_pass *pass, size_t n_rows, size_t width, const float *inputs, const float *w,
                    const float *b, float *rows) {
  if (!w) return;
  pass->kernels->matmul(pass->n_batch * n_rows, width, pass->d_in, inputs, pass->d_in, w, width, b, rows, width);
}

/* queries [B][n_queries][query_stride] = inputs @ w_query + b_query */
static void stage_queries(const attn_pass *pass) {
  project(pass, pass->n_queries, pass->query_stride, pass->query_inputs, pass->w_query, pass->b_query, pass->queries);
}

/* keys [B][n_keys][key_stride] = inputs @ w_key + b_key */
static void stage_keys(const attn_pass *pass) {
  project(pass, pass->n_keys, pass->key_stride, pass->key_inputs, pass->w_key, pass->b_key, pass->keys);
}

/* values [B][n_keys][value_stride] = inputs @ w_value + b_value */
static void stage_values(const attn_pass *pass) {
  project(pass, pass->n_keys, pass->value_stride, pass->key_inputs, pass->w_value, pass->b_value, pass->values);
}

/* attn_scores[i][j] = scale sum_e queries[i][e] keys[j][e], in each head's own columns */
static void stage_scores(const attn_pass *pass) {
  if (!pass->attn_scores) return;
  for (size_t b = 0; b < pass->n_batch; b++) {
    for (size_t h = 0; h < pass->n_heads; h++) {
      const float *queries = pass->queries + b * pass->n_queries * pass->query_stride + h * pass->key_dim;
      const float *keys = pass->keys + b * pass->n_keys * pass->key_stride + h * pass->key_dim;
      float *scores = pass->attn_scores + (b * pass->n_heads + h) * pass->n_queries * pass->n_keys;
      pass->kernels->matmul_bt(pass->n_queries, pass->n_keys, pass->key_dim, pass->scale, queries,
                               pass->query_stride, keys, pass->key_stride, scores, pass->n_keys);
    }
  }
}

/* attn_scores[i][j] = -INFINITY where i may not draw on j. It selects: whatever stood there has no influence. */
static void stage_mask(const attn_pass *pass) {
  if (!pass->attn_scores || !pass->causal) return;
  for (size_t row = 0; row < pass->n_batch * pass->n_heads * pass->n_queries; row++) {
    float *scores = pass->attn_scores + row * pass->n_keys;
    for (size_t j = 0; j < pass->n_keys; j++) {
      if (!attn_allowed(pass, row % pass->n_queries, j)) scores[j] = -INFINITY;
    }
  }
}

/* Given weights under the causal mask: later entries 0, the rest divided by their sum; a zero sum gives zeros.
 * Without the mask they are taken as they are, whatever their sum. */
static void mask_given_row(const attn_pass *pass, size_t i, const float *given, float *weights) {
  for (size_t j = 0; j < pass->n_keys; j++) weights[j] = attn_allowed(pass, i, j) ? given[j] : 0;
  if (!pass->causal) return;
  const double sum = attn_row_sum(pass->n_keys, weights);
  for (size_t j = 0; j < pass->n_keys; j++) weights[j] = sum == 0 ? 0 : (float)((double)weights[j] / sum);
}

/* attn_weights[i] = softmax of attn_scores[i], or the given weights */
static void stage_weights(const attn_pass *pass) {
  const size_t n_rows = pass->n_batch * pass->n_heads * pass->n_queries, n = pass->n_keys;
  if (pass->attn_scores) {
    pass->kernels->softmax_rows(n_rows, n, pass->attn_scores, n, pass->attn_weights, n);
    return;
  }
  for (size_t row = 0; row < n_rows; row++) {
    mask_given_row(pass, row % pass->n_queries, pass->given_weights + row * n, pass->attn_weights + row * n);
  }
}

/* attn_row_sums[i] = sum_j attn_weights[i][j];  attn_column_sums[j] = sum_i attn_weights[i][j] */
static void stage_sums(const attn_pass *pass) {
  const size_t n = pass->n_keys;
  for (size_t row = 0; row < pass->n_batch * pass->n_heads * pass->n_queries; row++) {
    pass->attn_row_sums[row] = (float)attn_row_sum(n, pass->attn_weights + row * n);
  }
  for (size_t column = 0; column < pass->n_batch * pass->n_heads * n; column++) {
    const float *weights = pass->attn_weights + column / n * pass->n_queries * n + column % n;
    double sum = 0;
    for (size_t i = 0; i < pass->n_queries; i++) sum += (double)weights[i * n];
    pass->attn_column_sums[column] = (float)sum;
  }
}

/* context_vecs[i] = sum_j attn_weights[i][j] values[j], each head into its own columns: side by side */
static void stage_blend(const attn_pass *pass) {
  for (size_t b = 0; b < pass->n_batch; b++) {
    for (size_t h = 0; h < pass->n_heads; h++) {
      const float *weights = pass->attn_weights + (b * pass->n_heads + h) * pass->n_queries * pass->n_keys;
      const float *values = pass->values + b * pass->n_keys * pass->value_stride + h * pass->value_dim;
      float *context = pass->context_vecs + b * pass->n_queries * pass->context_stride + h * pass->value_dim;
      pass->kernels->matmul(pass->n_queries, pass->value_dim, pass->n_keys, weights, pass->n_keys, values,
                            pass->value_stride, NULL, context, pass->context_stride);
    }
  }
}

double attn_blend_term(const attn_pass *pass, size_t batch, size_t i, size_t column, size_t j) {
  const float weight = pass->attn_weights[attn_weight_row(pass, batch, column / pass->value_dim, i) + j];
  return (double)weight * (double)pass->values[(batch * pass->n_keys + j) * pass->value_stride + column];
}

/* outputs = context_vecs @ w_out + b_out */
static void stage_outputs(const attn_pass *pass) {
  if (!pass->w_out) return;
  pass->kernels->matmul(pass->n_batch * pass->n_queries, pass->out_width, pass->context_stride, pass->context_vecs,
                        pass->context_stride, pass->w_out, pass->out_width, pass->b_out, pass->outputs,
                        pass->out_width);
}

attn_stage *const attn_stages[ATTN_N_STAGES] = {
    [ATTN_STAGE_QUERIES] = stage_queries, [ATTN_STAGE_KEYS] = stage_keys,
    [ATTN_STAGE_VALUES] = stage_values,   [ATTN_STAGE_SCORES] = stage_scores,
    [ATTN_STAGE_MASK] = stage_mask,       [ATTN_STAGE_WEIGHTS] = stage_weights,
    [ATTN_STAGE_SUMS] = stage_sums,       [ATTN_STAGE_BLEND] = stage_blend,
    [ATTN_STAGE_OUTPUTS] = stage_outputs,
};

void attn_run_stages(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass) {
  for (size_t s = 0; s < ATTN_N_STAGES; s++) stages[s](pass);
}
