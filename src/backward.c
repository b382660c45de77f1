/* backward.c: the gradients of every tensor and parameter, by the chain rule: forward.c's stages from the last to the
 * first, each under the line of forward.c that it differentiates. d_x is the derivative of sum(results * incoming
 * gradient) by x. It differentiates attn_stages, whatever a layer runs in their place, and like them knows of no layer.
 * Next to read: forward.c beside it, kernels_ref.c, train.c. */
#include <string.h>

#include "internal.h"

static void clear(size_t n, float *gradient) {
  if (gradient && n > 0) memset(gradient, 0, n * sizeof(float));
}

/* rows = inputs @ w + b:  d_w = inputsᵀ @ d_rows,  d_b[e] = sum over rows of d_rows[e],  d_inputs = d_rows @ wᵀ, or
 * added to what another path brought. Without a w the rows are the inputs, and so are their gradients. */
static void unproject(const attn_pass *pass, size_t n_rows, size_t n_in, size_t n_out, const float *inputs,
                      const float *w, const float *d_rows, float *d_w, float *d_b, float *d_inputs, bool adds) {
  const attn_kernels *kernels = pass->kernels;
  if (!w) {
    for (size_t k = 0; d_inputs && k < n_rows * n_out; k++) d_inputs[k] = adds ? d_inputs[k] + d_rows[k] : d_rows[k];
    return;
  }
  kernels->matmul_at(n_in, n_out, n_rows, n_in, 1, inputs, n_in, d_rows, n_out, d_w, n_out);
  for (size_t e = 0; d_b && e < n_out; e++) {
    double sum = 0;
    for (size_t i = 0; i < n_rows; i++) sum += (double)d_rows[i * n_out + e];
    d_b[e] = (float)sum;
  }
  if (!d_inputs) return;
  if (adds) kernels->add_matmul_bt(n_rows, n_in, n_out, 1, d_rows, n_out, w, n_out, d_inputs, n_in);
  else kernels->matmul_bt(n_rows, n_in, n_out, n_in, 1, d_rows, n_out, w, n_out, d_inputs, n_in);
}

/* outputs = context_vecs @ w_out + b_out */
static void outputs_backward(const attn_pass *pass, const attn_gradients *to) {
  if (!pass->w_out) return;
  const size_t n_rows = pass->n_batch * pass->n_queries, width = pass->context_stride;
  unproject(pass, n_rows, width, pass->out_width, pass->context_vecs, pass->w_out, to->d_outputs, to->d_w_out,
            to->d_b_out, to->d_context_vecs, false);
}

/* context_vecs[i] = sum_j attn_weights[i][j] values[j]:
 *   d_attn_weights[i][j] = sum_e d_context_vecs[i][e] values[j][e],  0 where masked: such a weight cannot move
 *   d_values[j][e] = sum_i attn_weights[i][j] d_context_vecs[i][e] */
static void blend_backward(const attn_pass *pass, const attn_gradients *to) {
  const size_t n_queries = pass->n_queries, n_keys = pass->n_keys, n_e = pass->value_dim, reach = attn_reach(pass);
  for (size_t b = 0; b < pass->n_batch; b++) {
    for (size_t h = 0; h < pass->n_heads; h++) {
      const float *d_context = to->d_context_vecs + b * n_queries * pass->context_stride + h * n_e;
      const size_t block = attn_weight_row(pass, b, h, 0), value = b * n_keys * pass->value_stride + h * n_e;
      pass->kernels->matmul_bt(n_queries, n_keys, n_e, reach, 1, d_context, pass->context_stride, pass->values + value,
                               pass->value_stride, to->d_attn_weights + block, n_keys);
      for (size_t i = 0; i < n_queries; i++) {
        const size_t n = attn_reached(n_keys, reach, i);
        clear(n_keys - n, to->d_attn_weights + block + i * n_keys + n);
      }
      pass->kernels->matmul_at(n_keys, n_e, n_queries, reach, 1, pass->attn_weights + block, n_keys, d_context,
                               pass->context_stride, to->d_values + value, pass->value_stride);
    }
  }
}

/* Given weights under the causal mask:  weights[j] = given[j] / sum over the allowed k of given[k]:
 *   d_given[k] = (d_weights[k] - sum_j d_weights[j] weights[j]) / sum,  in place of d_weights
 * A masked entry has no influence, and a row whose sum is zero is zeros whatever its entries: no gradient. */
static void given_row_backward(const attn_pass *pass, size_t i, const float *given, const float *weights,
                               float *gradient) {
  if (!pass->causal) return;
  double total = 0, sum = 0;
  for (size_t j = 0; j < pass->n_keys; j++) {
    if (attn_allowed(pass, i, j)) total += (double)given[j];
    sum += (double)gradient[j] * (double)weights[j];
  }
  for (size_t k = 0; k < pass->n_keys; k++) {
    const bool moves = attn_allowed(pass, i, k) && total != 0;
    gradient[k] = moves ? (float)(((double)gradient[k] - sum) / total) : 0;
  }
}

/* attn_weights[i] = softmax of attn_scores[i], or the given weights. The mask needs nothing of its own: a masked score
 * has weight 0, and with it no gradient. */
static void weights_backward(const attn_pass *pass, const attn_gradients *to) {
  const size_t n = pass->n_keys;
  for (size_t head = 0; head < pass->n_batch * pass->n_heads; head++) {
    const size_t start = head * pass->n_queries * n;
    const float *weights = pass->attn_weights + start;
    float *d_weights = to->d_attn_weights + start;
    if (pass->attn_scores) {
      pass->kernels->softmax_rows_backward(pass->n_queries, n, attn_reach(pass), weights, n, d_weights, n,
                                           to->d_attn_scores + start, n);
      continue;
    }
    for (size_t i = 0; i < pass->n_queries; i++) {
      given_row_backward(pass, i, pass->given_weights + start + i * n, weights + i * n, d_weights + i * n);
    }
  }
}

/* attn_scores[i][j] = scale sum_e queries[i][e] keys[j][e]:
 *   d_queries[i][e] = scale sum_j d_attn_scores[i][j] keys[j][e]
 *   d_keys[j][e] = scale sum_i d_attn_scores[i][j] queries[i][e] */
static void scores_backward(const attn_pass *pass, const attn_gradients *to) {
  if (!pass->attn_scores) return;
  const size_t n_queries = pass->n_queries, n_keys = pass->n_keys, n_e = pass->key_dim, reach = attn_reach(pass);
  for (size_t b = 0; b < pass->n_batch; b++) {
    for (size_t h = 0; h < pass->n_heads; h++) {
      const float *d_scores = to->d_attn_scores + attn_weight_row(pass, b, h, 0);
      const size_t query = b * n_queries * pass->query_stride + h * n_e;
      const size_t key = b * n_keys * pass->key_stride + h * n_e;
      pass->kernels->matmul_scaled(n_queries, n_e, n_keys, reach, pass->scale, d_scores, n_keys, pass->keys + key,
                                   pass->key_stride, to->d_queries + query, pass->query_stride);
      pass->kernels->matmul_at(n_keys, n_e, n_queries, reach, pass->scale, d_scores, n_keys, pass->queries + query,
                               pass->query_stride, to->d_keys + key, pass->key_stride);
    }
  }
}

/* values = inputs @ w_value + b_value,  keys and queries likewise: the three paths into d_inputs add up */
static void projections_backward(const attn_pass *pass, const attn_gradients *to) {
  const size_t n_query_rows = pass->n_batch * pass->n_queries, n_key_rows = pass->n_batch * pass->n_keys;
  const bool shared = to->d_query_inputs == to->d_key_inputs;
  if (!shared && !pass->attn_scores) clear(n_query_rows * pass->d_in, to->d_query_inputs);
  unproject(pass, n_key_rows, pass->d_in, pass->value_stride, pass->key_inputs, pass->w_value, to->d_values,
            to->d_w_value, to->d_b_value, to->d_key_inputs, false);
  if (!pass->attn_scores) return;
  unproject(pass, n_key_rows, pass->d_in, pass->key_stride, pass->key_inputs, pass->w_key, to->d_keys, to->d_w_key,
            to->d_b_key, to->d_key_inputs, true);
  unproject(pass, n_query_rows, pass->d_in, pass->query_stride, pass->query_inputs, pass->w_query, to->d_queries,
            to->d_w_query, to->d_b_query, to->d_query_inputs, shared);
}

void attn_run_backward(const attn_pass *pass, const attn_gradients *gradients) {
  outputs_backward(pass, gradients);
  blend_backward(pass, gradients);
  weights_backward(pass, gradients);
  scores_backward(pass, gradients);
  projections_backward(pass, gradients);
}
