/* row_route.c: the second route to a context vector, one token at a time.
 * It must share no kernel and no stage with forward.c: else their agreement proves nothing. It is other code for the
 * same mathematics: it projects one key at a time, keeps a running softmax, and adds up scaled value rows, always from
 * the last feature or key to the first, so that what the order of a sum does can be seen. Numbers are rounded to float
 * exactly where the batched route stores a float, so that both agree to rounding even where scores are huge. Next to read: compare_routes.c, forward.c for what it is compared with. */
#include <math.h>

#include "internal.h"

/* One number of a projected row: sum_d x[d] w[d][column] + b[column]; without a w, the row's own number. */
static float project_number(size_t d_in, const float *x, const float *w, const float *b, size_t width, size_t column) {
  if (!w) return x[column];
  double sum = 0;
  for (size_t d = d_in; d-- > 0;) sum += (double)x[d] * (double)w[d * width + column];
  return (float)(b ? sum + (double)b[column] : sum);
}

static const float *input_row(const attn_pass *pass, size_t batch, size_t token) {
  return pass->key_inputs + (batch * pass->n_keys + token) * pass->d_in;
}

float attn_route_value(const attn_pass *pass, size_t batch, size_t token, size_t column) {
  return project_number(pass->d_in, input_row(pass, batch, token), pass->w_value, pass->b_value, pass->value_stride,
                        column);
}

/* One token's weights in one head, from the caller's own. */
static void take_given_weights(const attn_pass *pass, size_t batch, size_t head, size_t token, float *weights) {
  const float *given = pass->given_weights + attn_weight_row(pass, batch, head, token);
  const size_t n_allowed = pass->causal ? token + 1 : pass->n_keys;
  double sum = 0;
  for (size_t j = n_allowed; j-- > 0;) sum += (double)given[j];
  for (size_t j = 0; j < pass->n_keys; j++) {
    if (j >= n_allowed || (pass->causal && sum == 0)) weights[j] = 0;
    else weights[j] = pass->causal ? (float)((double)given[j] / sum) : given[j];
  }
}

/* One token's weights in one head, by a running softmax: total = sum of exp(s_j - max) over the keys seen so far,
 * rescaled whenever a larger score comes. */
static attn_status score_weights(attn_layer *layer, const attn_pass *pass, size_t batch, size_t head, size_t token) {
  float *query = layer->route.query, *key = layer->route.row, *weights = layer->route.weights;
  const size_t first = head * pass->key_dim, n_allowed = pass->causal ? token + 1 : pass->n_keys;
  double max = -INFINITY, total = 0;
  for (size_t e = 0; e < pass->key_dim; e++) {
    query[e] = project_number(pass->d_in, input_row(pass, batch, token), pass->w_query, pass->b_query,
                              pass->query_stride, first + e);
  }
  for (size_t j = 0; j < n_allowed; j++) {
    double sum = 0, size = 0;
    for (size_t e = pass->key_dim; e-- > 0;) {
      key[e] = project_number(pass->d_in, input_row(pass, batch, j), pass->w_key, pass->b_key, pass->key_stride,
                              first + e);
      sum += (double)query[e] * (double)key[e];
      size += fabs((double)query[e] * (double)key[e]);
    }
    layer->route.score_size = fmax(layer->route.score_size, fabs(pass->scale) * size);
    const float score = (float)(pass->scale * sum);
    if (!isfinite(score)) {
      return attn_not_finite(layer, ATTN_SCORES, attn_weight_index(pass, batch, head, token, j), score);
    }
    weights[j] = score;
  }
  for (size_t j = n_allowed; j-- > 0;) {
    const double score = (double)weights[j], larger = fmax(max, score);
    total = total * exp(max - larger) + exp(score - larger);
    max = larger;
  }
  for (size_t j = 0; j < pass->n_keys; j++) {
    weights[j] = j < n_allowed ? (float)(exp((double)weights[j] - max) / total) : 0;
  }
  return ATTN_OK;
}

attn_status attn_route_weigh(attn_layer *layer, const attn_pass *pass, size_t batch, size_t head, size_t token) {
  if (!pass->given_weights) return score_weights(layer, pass, batch, head, token);
  take_given_weights(pass, batch, head, token, layer->route.weights);
  return ATTN_OK;
}

/* blend = sum_j weights[j] * value row j, head by head, rounded into context */
attn_status attn_route_token(attn_layer *layer, const attn_pass *pass, size_t batch, size_t token) {
  attn_route *route = &layer->route;
  route->score_size = 0;
  for (size_t h = 0; h < pass->n_heads; h++) {
    const attn_status status = attn_route_weigh(layer, pass, batch, h, token);
    if (status != ATTN_OK) return status;
    const size_t first = h * pass->value_dim;
    for (size_t e = 0; e < pass->value_dim; e++) route->blend[e] = 0;
    for (size_t j = pass->n_keys; j-- > 0;) {
      for (size_t e = 0; e < pass->value_dim; e++) {
        route->blend[e] += (double)route->weights[j] * (double)attn_route_value(pass, batch, j, first + e);
      }
    }
    for (size_t e = 0; e < pass->value_dim; e++) {
      const float number = (float)route->blend[e];
      route->context[first + e] = number;
      if (!isfinite(number)) {
        const size_t row = batch * pass->n_queries + token;
        return attn_not_finite(layer, ATTN_CONTEXT_VECS, row * pass->context_stride + first + e, number);
      }
    }
  }
  return ATTN_OK;
}

attn_status attn_context_one_token(attn_layer *layer, int32_t batch, int32_t token) {
  attn_clear_error(layer);
  if (batch < 0 || batch >= layer->shape.n_batch || token < 0 || token >= layer->shape.n_tokens) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  const attn_status status = attn_check_ready(layer);
  if (status != ATTN_OK) return status;
  const attn_pass pass = attn_layer_pass(layer);
  return attn_route_token(layer, &pass, (size_t)batch, (size_t)token);
}

const float *attn_one_token_context(const attn_layer *layer) {
  return layer->route.context;
}
