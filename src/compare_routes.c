/* compare_routes.c: the batched route against the second one: which rows differ, at which position, in which term, and
 * what that says about where to look. It computes no attention of its own: it reads what the batched route stored, and
 * asks row_route.c for the other side. Next to read: attention.h (attn_compare_routes), row_route.c. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* Fill route.batched_terms and route.one_token_terms for one position. Reads route.weights, which must be those of the
 * position's head. */
static void fill_terms(const attn_layer *layer, const attn_pass *pass, size_t batch, size_t token, size_t column) {
  const attn_route *route = &layer->route;
  for (size_t j = 0; j < pass->n_keys; j++) {
    route->batched_terms[j] = layer->blend_term(pass, batch, token, column, j);
    route->one_token_terms[j] = (double)route->weights[j] * (double)attn_route_value(pass, batch, j, column);
  }
}

/* Is the difference beyond what is allowed?  NaN always is. */
static bool differs(double a, double b, double allowed) {
  return !(fabs(a - b) <= allowed);
}

/* The first position where the row's context vectors differ by more than tolerance * (1 + the size of the sum's terms);
 * -1 if none does. The terms are asked for only where it depends on them: they cost far more than the numbers. */
static int32_t find_position(const attn_layer *layer, const attn_pass *pass, size_t batch, size_t token,
                             double tolerance) {
  const float *batched = pass->context_vecs + (batch * pass->n_queries + token) * pass->context_stride;
  for (size_t e = 0; e < pass->context_stride; e++) {
    const double a = (double)batched[e], b = (double)layer->route.context[e];
    if (!differs(a, b, tolerance)) continue;
    double magnitude = 1;
    for (size_t j = 0; j < pass->n_keys; j++) magnitude += fabs(layer->blend_term(pass, batch, token, e, j));
    if (differs(a, b, tolerance * magnitude)) return (int32_t)e;
  }
  return -1;
}

/* The first term whose products differ; else the one that differs most; -1 if all differences of terms together are too
 * small to be the reason why the sums differ. */
static int32_t find_term(const attn_route *route, size_t n_terms, double difference, double tolerance) {
  int32_t most = -1;
  double largest = 0, all = 0;
  for (size_t j = 0; j < n_terms; j++) {
    const double batched = route->batched_terms[j], own = route->one_token_terms[j];
    if (differs(batched, own, tolerance * (1 + fabs(batched)))) return (int32_t)j;
    all += fabs(batched - own);
    if (fabs(batched - own) > largest) {
      largest = fabs(batched - own);
      most = (int32_t)j;
    }
  }
  return all >= difference / 2 ? most : -1;
}

/* Do the weights of the head agree, and of the terms all but one?  Then that one's value is at fault. */
static bool one_value_differs(const attn_route *route, const float *weights, size_t n_terms, double tolerance) {
  size_t n_differ = 0;
  for (size_t j = 0; j < n_terms; j++) {
    const double weight = (double)weights[j], term = route->batched_terms[j];
    if (differs(weight, (double)route->weights[j], tolerance * (1 + fabs(weight)))) return false;
    n_differ += differs(term, route->one_token_terms[j], tolerance * (1 + fabs(term)));
  }
  return n_differ == 1;
}

/* The tolerance of a row: as much more as its kernels' own rounding may make of it. An error d of a score is a relative
 * error d of its weight, and of all weights of the row. To be equal is to be equal. */
static double tolerance_of(const attn_layer *layer, double tolerance) {
  return tolerance > 0 ? tolerance + layer->kernels->error * (1 + 2 * layer->route.score_size) : 0;
}

static attn_status compare_row(attn_layer *layer, const attn_pass *pass, size_t batch, size_t token,
                               double tolerance) {
  attn_route_row *row = &layer->route.rows[batch * pass->n_queries + token];
  attn_status status = attn_route_token(layer, pass, batch, token);
  if (status != ATTN_OK) return status;
  tolerance = tolerance_of(layer, tolerance);
  *row = (attn_route_row){.position = find_position(layer, pass, batch, token, tolerance), .term = -1};
  if (row->position < 0) return ATTN_OK;
  const size_t column = (size_t)row->position;
  row->batched = pass->context_vecs[(batch * pass->n_queries + token) * pass->context_stride + column];
  row->one_token = layer->route.context[column];
  const size_t head = column / pass->value_dim;
  status = attn_route_weigh(layer, pass, batch, head, token);
  if (status != ATTN_OK) return status;
  fill_terms(layer, pass, batch, token, column);
  const double difference = fabs((double)row->batched - (double)row->one_token);
  row->term = find_term(&layer->route, pass->n_keys, difference, tolerance);
  const float *weights = pass->attn_weights + attn_weight_row(pass, batch, head, token);
  row->value_at_fault = one_value_differs(&layer->route, weights, pass->n_keys, tolerance);
  return ATTN_OK;
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

/* Strike out the keys j that this row speaks against: it differs and does not draw on j, or it draws on j and agrees.
 * A row draws on j if its weight, in any head, is beyond the tolerance: a smaller one can make no difference. */
static attn_status strike_out(attn_layer *layer, const attn_pass *pass, size_t batch, size_t token,
                              double tolerance) {
  const attn_route *route = &layer->route;
  for (size_t j = 0; j < pass->n_keys; j++) route->draws[j] = false;
  for (size_t h = 0; h < pass->n_heads; h++) {
    const attn_status status = attn_route_weigh(layer, pass, batch, h, token);
    if (status != ATTN_OK) return status;
    for (size_t j = 0; j < pass->n_keys; j++) route->draws[j] |= fabs((double)route->weights[j]) > tolerance;
  }
  const bool does_differ = route->rows[batch * pass->n_queries + token].position >= 0;
  for (size_t j = 0; j < pass->n_keys; j++) route->fits[j] &= route->draws[j] == does_differ;
  return ATTN_OK;
}

static bool any_differs(const attn_route_row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (rows[i].position >= 0) return true;
  }
  return false;
}

static bool every_term_is(const attn_route *route, size_t n_rows, size_t j) {
  for (size_t row = 0; row < n_rows; row++) {
    if (route->rows[row].position >= 0 && route->rows[row].term != (int32_t)j) return false;
  }
  return true;
}

/* Find the token whose followers are exactly the rows that differ. */
static attn_status find_draws_on(attn_layer *layer, const attn_pass *pass, double tolerance) {
  attn_route *route = &layer->route;
  for (size_t j = 0; j < pass->n_keys; j++) route->fits[j] = true;
  for (size_t b = 0; b < pass->n_batch; b++) {
    if (!any_differs(route->rows + b * pass->n_queries, pass->n_queries)) continue;
    for (size_t i = 0; i < pass->n_queries; i++) {
      const attn_status status = strike_out(layer, pass, b, i, tolerance);
      if (status != ATTN_OK) return status;
    }
  }
  for (size_t j = pass->n_keys; j-- > 0;) { /* backwards: the first that fits is the last to be taken */
    if (route->fits[j]) route->draws_on = (int32_t)j;
  }
  for (size_t j = pass->n_keys; j-- > 0;) {
    if (route->fits[j] && every_term_is(route, pass->n_batch * pass->n_queries, j)) route->draws_on = (int32_t)j;
  }
  return ATTN_OK;
}

/* The one token whose value is at fault in every row that differs; -1 if there is none, or no row has a second key. */
static int32_t value_token(const attn_layer *layer, const attn_pass *pass) {
  int32_t token = -1;
  for (size_t row = 0; row < pass->n_batch * pass->n_queries && pass->n_keys > 1; row++) {
    const attn_route_row *found = &layer->route.rows[row];
    if (found->position < 0) continue;
    if (!found->value_at_fault || (token >= 0 && found->term != token)) return -1;
    token = found->term;
  }
  return token;
}

/* Say which token explains the rows that differ. That its followers are all rows makes it no worse an explanation. */
static attn_status explain(attn_layer *layer, const attn_pass *pass, double tolerance) {
  attn_route *route = &layer->route;
  const bool every = strcmp(route->verdict, "every row") == 0;
  const int32_t token = every ? value_token(layer, pass) : -1;
  if (every ? token < 0 : strcmp(route->verdict, "some rows") != 0) return ATTN_OK;
  const attn_status status = find_draws_on(layer, pass, tolerance);
  if (every && route->draws_on == token) route->verdict = "some rows";
  else if (every) route->draws_on = -1;
  return status;
}

attn_status attn_compare_routes(attn_layer *layer, double tolerance) {
  attn_clear_error(layer);
  if (!layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (layer->stale) return ATTN_STALE;
  if (!(tolerance >= 0) || !isfinite(tolerance)) return ATTN_NUMBER_NOT_FINITE;
  attn_status status = attn_check_ready(layer);
  const attn_pass pass = attn_layer_pass(layer);
  for (size_t b = 0; b < pass.n_batch; b++) {
    for (size_t i = 0; i < pass.n_queries && status == ATTN_OK; i++) {
      status = compare_row(layer, &pass, b, i, tolerance);
    }
  }
  if (status != ATTN_OK) return status;
  layer->route.verdict = judge(layer, &pass);
  layer->route.draws_on = -1;
  return explain(layer, &pass, tolerance);
}

const char *attn_routes_verdict(const attn_layer *layer) {
  return layer->route.verdict;
}

int32_t attn_routes_draws_on(const attn_layer *layer) {
  return layer->route.draws_on;
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

/* ---- Terms of one position ------------------------------------------------------------------------------------- */

attn_status attn_route_terms(attn_layer *layer, int32_t batch, int32_t token, int32_t position) {
  attn_clear_error(layer);
  if (batch < 0 || batch >= layer->shape.n_batch || token < 0 || token >= layer->shape.n_tokens || position < 0 ||
      position >= attn_width(&layer->shape, layer->score_source)) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  if (!layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (layer->stale) return ATTN_STALE;
  const attn_pass pass = attn_layer_pass(layer);
  const size_t head = (size_t)position / pass.value_dim;
  const attn_status status = attn_route_weigh(layer, &pass, (size_t)batch, head, (size_t)token);
  if (status == ATTN_OK) fill_terms(layer, &pass, (size_t)batch, (size_t)token, (size_t)position);
  return status;
}

double attn_route_term_batched(const attn_layer *layer, int32_t term) {
  return layer->route.batched_terms[term];
}

double attn_route_term_one_token(const attn_layer *layer, int32_t term) {
  return layer->route.one_token_terms[term];
}
