/* row_route.c: the second route to a context vector, one token at a time, and its comparison with the batched one.
 * It must share no kernel and no stage with forward.c: else their agreement proves nothing. It is other code for the
 * same mathematics: it projects one key at a time, keeps a running softmax, and adds up scaled value rows. Numbers
 * are rounded to float exactly where the batched route stores a float, so that both agree to rounding even where
 * scores are huge. Next to read: attention.h (attn_compare_routes), forward.c for what it is compared with. */
#include <math.h>

#include "internal.h"

/* One number of a projected row: sum_d x[d] w[d][column] + b[column]; without a w, the row's own number. */
static float project_number(size_t d_in, const float *x, const float *w, const float *b, size_t width, size_t column) {
  if (!w) return x[column];
  double sum = 0;
  for (size_t d = 0; d < d_in; d++) sum += (double)x[d] * (double)w[d * width + column];
  return (float)(b ? sum + (double)b[column] : sum);
}

static const float *input_row(const attn_pass *pass, size_t batch, size_t token) {
  return pass->key_inputs + (batch * pass->n_keys + token) * pass->d_in;
}

static float value_number(const attn_pass *pass, size_t batch, size_t token, size_t column) {
  return project_number(pass->d_in, input_row(pass, batch, token), pass->w_value, pass->b_value, pass->value_stride,
                        column);
}

/* The flat index of [batch][head][token][0] in a tensor of weights or scores. */
static size_t weight_row(const attn_pass *pass, size_t batch, size_t head, size_t token) {
  return ((batch * pass->n_heads + head) * pass->n_queries + token) * pass->n_keys;
}

/* One token's weights in one head, from the caller's own. */
static void take_given_weights(const attn_pass *pass, size_t batch, size_t head, size_t token, float *weights) {
  const float *given = pass->given_weights + weight_row(pass, batch, head, token);
  const size_t n_allowed = pass->causal ? token + 1 : pass->n_keys;
  double sum = 0;
  for (size_t j = 0; j < n_allowed; j++) sum += (double)given[j];
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
    double sum = 0;
    for (size_t e = 0; e < pass->key_dim; e++) {
      key[e] = project_number(pass->d_in, input_row(pass, batch, j), pass->w_key, pass->b_key, pass->key_stride,
                              first + e);
      sum += (double)query[e] * (double)key[e];
    }
    const float score = (float)(pass->scale * sum);
    if (!isfinite(score)) return attn_not_finite(layer, ATTN_SCORES, weight_row(pass, batch, head, token) + j);
    const double larger = fmax(max, (double)score);
    total = total * exp(max - larger) + exp((double)score - larger);
    max = larger;
    weights[j] = score;
  }
  for (size_t j = 0; j < pass->n_keys; j++) {
    weights[j] = j < n_allowed ? (float)(exp((double)weights[j] - max) / total) : 0;
  }
  return ATTN_OK;
}

/* Fill route.weights for one head. */
static attn_status weigh(attn_layer *layer, const attn_pass *pass, size_t batch, size_t head, size_t token) {
  if (!pass->given_weights) return score_weights(layer, pass, batch, head, token);
  take_given_weights(pass, batch, head, token, layer->route.weights);
  return ATTN_OK;
}

/* Fill route.context: blend = sum_j weights[j] * value row j, head by head. */
static attn_status one_token(attn_layer *layer, const attn_pass *pass, size_t batch, size_t token) {
  const attn_route *route = &layer->route;
  for (size_t h = 0; h < pass->n_heads; h++) {
    const attn_status status = weigh(layer, pass, batch, h, token);
    if (status != ATTN_OK) return status;
    const size_t first = h * pass->value_dim;
    for (size_t e = 0; e < pass->value_dim; e++) route->blend[e] = 0;
    for (size_t j = 0; j < pass->n_keys; j++) {
      for (size_t e = 0; e < pass->value_dim; e++) {
        route->blend[e] += (double)route->weights[j] * (double)value_number(pass, batch, j, first + e);
      }
    }
    for (size_t e = 0; e < pass->value_dim; e++) {
      const float number = (float)route->blend[e];
      route->context[first + e] = number;
      if (!isfinite(number)) {
        const size_t row = batch * pass->n_queries + token;
        return attn_not_finite(layer, ATTN_CONTEXT_VECS, row * pass->context_stride + first + e);
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
  return one_token(layer, &pass, (size_t)batch, (size_t)token);
}

const float *attn_one_token_context(const attn_layer *layer) {
  return layer->route.context;
}

/* ---- Comparison ------------------------------------------------------------------------------------------------ */

/* Is the difference beyond what is allowed?  NaN always is. */
static bool differs(double a, double b, double allowed) {
  return !(fabs(a - b) <= allowed);
}

/* The batched route's product of term j: attn_weights[i][j] * values[j][e]. */
static double batched_product(const attn_pass *pass, size_t batch, size_t token, size_t column, size_t j) {
  const float weight = pass->attn_weights[weight_row(pass, batch, column / pass->value_dim, token) + j];
  return (double)weight * (double)pass->values[(batch * pass->n_keys + j) * pass->value_stride + column];
}

/* The first position where the row's context vectors differ; -1 if none does. */
static int32_t find_position(const attn_layer *layer, const attn_pass *pass, size_t batch, size_t token,
                             double tolerance) {
  const float *batched = pass->context_vecs + (batch * pass->n_queries + token) * pass->context_stride;
  for (size_t e = 0; e < pass->context_stride; e++) {
    double magnitude = 1;
    for (size_t j = 0; j < pass->n_keys; j++) magnitude += fabs(batched_product(pass, batch, token, e, j));
    if (differs((double)batched[e], (double)layer->route.context[e], tolerance * magnitude)) return (int32_t)e;
  }
  return -1;
}

/* The first term of the sum at that position whose products differ; else the one that differs most; else -1.
 * Reads route.weights, which must be those of the position's head. */
static int32_t find_term(const attn_layer *layer, const attn_pass *pass, size_t batch, size_t token, size_t column,
                         double tolerance) {
  int32_t most = -1;
  double largest = 0;
  for (size_t j = 0; j < pass->n_keys; j++) {
    const double batched = batched_product(pass, batch, token, column, j);
    const double own = (double)layer->route.weights[j] * (double)value_number(pass, batch, j, column);
    if (differs(batched, own, tolerance * (1 + fabs(batched)))) return (int32_t)j;
    if (fabs(batched - own) > largest) {
      largest = fabs(batched - own);
      most = (int32_t)j;
    }
  }
  return most;
}

static attn_status compare_row(attn_layer *layer, const attn_pass *pass, size_t batch, size_t token,
                               double tolerance) {
  attn_route_row *row = &layer->route.rows[batch * pass->n_queries + token];
  attn_status status = one_token(layer, pass, batch, token);
  if (status != ATTN_OK) return status;
  *row = (attn_route_row){.position = find_position(layer, pass, batch, token, tolerance), .term = -1};
  if (row->position < 0) return ATTN_OK;
  const size_t column = (size_t)row->position;
  row->batched = pass->context_vecs[(batch * pass->n_queries + token) * pass->context_stride + column];
  row->one_token = layer->route.context[column];
  status = weigh(layer, pass, batch, column / pass->value_dim, token);
  row->term = find_term(layer, pass, batch, token, column, tolerance);
  return status;
}

/* "every row" when all differ that could: under the mask the first token's only weight is 1 whatever its score. */
static const char *judge(const attn_layer *layer, const attn_pass *pass) {
  size_t n_differ = 0, n_could = 0, n_could_and_do = 0;
  for (size_t row = 0; row < pass->n_batch * pass->n_queries; row++) {
    const bool does = layer->route.rows[row].position >= 0;
    const bool could = pass->n_keys > 1 && attn_allowed(pass, row % pass->n_queries, 1);
    n_differ += does;
    n_could += could;
    n_could_and_do += could && does;
  }
  if (n_differ == 0) return "agree";
  if (n_differ == 1) return "one row";
  const bool every = n_could > 0 ? n_could_and_do == n_could : n_differ == pass->n_batch * pass->n_queries;
  return every ? "every row" : "some rows";
}

attn_status attn_compare_routes(attn_layer *layer, double tolerance) {
  attn_clear_error(layer);
  if (layer->stale) return ATTN_STALE;
  if (!(tolerance >= 0) || !isfinite(tolerance)) return ATTN_NUMBER_NOT_FINITE;
  attn_status status = attn_check_ready(layer);
  const attn_pass pass = attn_layer_pass(layer);
  for (size_t b = 0; b < pass.n_batch; b++) {
    for (size_t i = 0; i < pass.n_queries && status == ATTN_OK; i++) {
      status = compare_row(layer, &pass, b, i, tolerance);
    }
  }
  if (status == ATTN_OK) layer->route.verdict = judge(layer, &pass);
  return status;
}

const char *attn_routes_verdict(const attn_layer *layer) {
  return layer->route.verdict;
}

static const attn_route_row *route_row(const attn_layer *layer, int32_t batch, int32_t token) {
  return &layer->route.rows[(size_t)batch * (size_t)layer->shape.n_tokens + (size_t)token];
}

int32_t attn_routes_position(const attn_layer *layer, int32_t batch, int32_t token) {
  return route_row(layer, batch, token)->position;
}

int32_t attn_routes_term(const attn_layer *layer, int32_t batch, int32_t token) {
  return route_row(layer, batch, token)->term;
}

float attn_routes_batched(const attn_layer *layer, int32_t batch, int32_t token) {
  return route_row(layer, batch, token)->batched;
}

float attn_routes_one_token(const attn_layer *layer, int32_t batch, int32_t token) {
  return route_row(layer, batch, token)->one_token;
}
