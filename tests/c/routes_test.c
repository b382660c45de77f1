/* routes_test.c: the second route, and what its comparison with the batched one says when a result is tampered with.
 * Next to read: ../../src/row_route.c, ../../src/compare_routes.c. */
#include <math.h>

#include "fixtures.h"
#include "suites.h"

static const double tight = 1e-6;

/* The layer computes, and its routes agree, for both settings of the mask. */
static void expect_agreement(attn_layer *layer) {
  for (int causal = 0; causal < 2; causal++) {
    EXPECT(choose(layer, "causal", causal ? "on" : "off", 0) == ATTN_OK);
    EXPECT(attn_forward(layer) == ATTN_OK);
    EXPECT(attn_compare_routes(layer, tight) == ATTN_OK);
    EXPECT_TEXT(attn_routes_verdict(layer), "agree");
    const int32_t width = attn_tensor_dim(layer, tensor("context_vecs"), 2);
    const int32_t n_tokens = attn_tensor_dim(layer, tensor("context_vecs"), 1);
    for (int32_t row = 0; row < attn_tensor_dim(layer, tensor("context_vecs"), 0) * n_tokens; row++) {
      EXPECT(attn_routes_position(layer, row / n_tokens, row % n_tokens) == -1);
      EXPECT(attn_context_one_token(layer, row / n_tokens, row % n_tokens) == ATTN_OK);
      for (int32_t e = 0; e < width; e++) {
        const double want = (double)numbers(layer, "context_vecs")[row * width + e];
        EXPECT_CLOSE(1, attn_one_token_context(layer) + e, &want, 1e-6, 1e-6);
      }
    }
  }
}

static void trained_agree(void) {
  for (int32_t heads = 1; heads <= D_OUT; heads *= 2) {
    attn_layer *layer = odd_layer(heads);
    expect_agreement(layer);
    attn_layer_dispose(layer);
  }
}

static void inputs_agree(void) {
  for (int32_t heads = 1; heads <= D_IN; heads += 2) {
    attn_layer *layer = attn_layer_create(B, T, D_IN, D_OUT, heads, 0, 1, 1, 1, 0, 1, 1);
    EXPECT(layer && choose(layer, "score_source", "inputs", 0) == ATTN_OK);
    fill_distinct(count(layer, "inputs"), numbers(layer, "inputs"), 4);
    expect_agreement(layer);
    attn_layer_dispose(layer);
  }
}

static void given_agree(void) {
  attn_layer *layer = attn_layer_create(B, T, D_IN, D_OUT, 3, 0, 0, 0, 0, 0, 1, 1);
  EXPECT(layer && choose(layer, "score_source", "given", 0) == ATTN_OK);
  fill_distinct(count(layer, "inputs"), numbers(layer, "inputs"), 4);
  fill_distinct(count(layer, "given_weights"), numbers(layer, "given_weights"), 5);
  expect_agreement(layer);
  const float sums_to_zero[T] = {1, -1, 0, 0, 0};
  for (size_t j = 0; j < T; j++) numbers(layer, "given_weights")[T + j] = sums_to_zero[j];
  attn_tensors_changed(layer);
  expect_agreement(layer);
  attn_layer_dispose(layer);
}

/* Parts of the layer's block that overlapped would spoil one another here. */
static void lopsided_agree(void) {
  attn_layer *layer = plain_layer(T, 1, 33, 1);
  EXPECT(attn_init(layer, 0, 1, 0) == ATTN_OK);
  fill_distinct(count(layer, "inputs"), numbers(layer, "inputs"), 4);
  expect_agreement(layer);
  attn_layer_dispose(layer);
  layer = plain_layer(T, 33, 1, 1);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  fill_distinct(count(layer, "inputs"), numbers(layer, "inputs"), 4);
  expect_agreement(layer);
  attn_layer_dispose(layer);
}

static void huge_agree(void) {
  attn_layer *layer = odd_layer(H);
  for (size_t k = 0; k < count(layer, "w_query"); k++) numbers(layer, "w_query")[k] *= 1e15f;
  for (size_t k = 0; k < count(layer, "w_key"); k++) numbers(layer, "w_key")[k] *= 1e15f;
  expect_agreement(layer);
  attn_layer_dispose(layer);
}

/* A layer that has computed, with the mask on. */
static attn_layer *computed(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  return layer;
}

static void spoil_context(attn_layer *layer, int32_t batch, int32_t token) {
  numbers(layer, "context_vecs")[(batch * T + token) * D_OUT + 2] += 0.5f;
}

static void expect_verdict(attn_layer *layer, const char *verdict) {
  EXPECT(attn_compare_routes(layer, tight) == ATTN_OK);
  EXPECT_TEXT(attn_routes_verdict(layer), verdict);
}

static void one_row(void) {
  attn_layer *layer = computed();
  spoil_context(layer, 1, 3);
  expect_verdict(layer, "one row");
  for (int32_t row = 0; row < B * T; row++) {
    EXPECT(attn_routes_position(layer, row / T, row % T) == (row == T + 3 ? 2 : -1));
  }
  EXPECT(attn_routes_term(layer, 1, 3) == -1); /* all products are equal: the sum itself is at fault */
  const double difference = (double)attn_routes_batched(layer, 1, 3) - (double)attn_routes_one_token(layer, 1, 3);
  EXPECT(fabs(difference - 0.5) < 1e-6);
  attn_layer_dispose(layer);
}

static void several_rows(void) {
  attn_layer *layer = computed();
  spoil_context(layer, 1, 3);
  spoil_context(layer, 2, 0);
  expect_verdict(layer, "some rows");
  attn_layer_dispose(layer);
}

static void every_row(void) {
  attn_layer *layer = computed();
  for (int32_t row = 0; row < B * T; row++) {
    if (row % T > 0) spoil_context(layer, row / T, row % T);
  }
  expect_verdict(layer, "every row");
  spoil_context(layer, 0, 0);
  expect_verdict(layer, "every row");
  EXPECT(attn_forward(layer) == ATTN_OK && choose(layer, "causal", "off", 0) == ATTN_OK);
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (int32_t row = 0; row < B * T; row++) {
    if (row % T > 0) spoil_context(layer, row / T, row % T);
  }
  expect_verdict(layer, "some rows"); /* without the mask the first rows could differ too */
  attn_layer_dispose(layer);
}

static void lone_token(void) {
  attn_layer *layer = plain_layer(1, 2, 2, 1);
  EXPECT(attn_forward(layer) == ATTN_OK);
  expect_verdict(layer, "agree");
  numbers(layer, "context_vecs")[1] = 9;
  expect_verdict(layer, "one row");
  attn_layer_dispose(layer);
}

/* A wrong weight in head 1 of one row: found at the head's first column, in the very term. */
static void weight_altered(void) {
  attn_layer *layer = computed();
  numbers(layer, "attn_weights")[((1 * H + 1) * T + 4) * T + 2] += 0.25f;
  const attn_pass pass = attn_layer_pass(layer);
  attn_stages[ATTN_STAGE_BLEND](&pass);
  expect_verdict(layer, "one row");
  EXPECT(attn_routes_position(layer, 1, 4) == D_OUT / H && attn_routes_term(layer, 1, 4) == 2);
  attn_layer_dispose(layer);
}

/* A wrong number of value row 2: exactly the rows that draw on token 2 differ, at that position, in that term. */
static void value_altered(void) {
  attn_layer *layer = computed();
  numbers(layer, "values")[2 * D_OUT + 1] += 3;
  const attn_pass pass = attn_layer_pass(layer);
  attn_stages[ATTN_STAGE_BLEND](&pass);
  expect_verdict(layer, "some rows");
  for (int32_t i = 0; i < T; i++) {
    EXPECT(attn_routes_position(layer, 0, i) == (i >= 2 ? 1 : -1));
    if (i >= 2) EXPECT(attn_routes_term(layer, 0, i) == 2);
  }
  EXPECT(attn_routes_draws_on(layer) == 2);
  attn_layer_dispose(layer);
}

/* Every product is within tolerance and yet their sum is not: the term that differs most is named. */
static void largest_term(void) {
  attn_layer *layer = plain_layer(3, 1, 1, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1, 1, 1});
  set(layer, "given_weights", (double[]){0.1, 0.1, 0.1, 0, 0, 0, 0, 0, 0});
  EXPECT(attn_forward(layer) == ATTN_OK);
  numbers(layer, "attn_weights")[0] += 0.05f;
  numbers(layer, "attn_weights")[1] += 0.09f;
  numbers(layer, "attn_weights")[2] += 0.08f;
  const attn_pass pass = attn_layer_pass(layer);
  attn_stages[ATTN_STAGE_BLEND](&pass);
  EXPECT(attn_compare_routes(layer, 0.1) == ATTN_OK);
  EXPECT(attn_routes_position(layer, 0, 0) == 0 && attn_routes_term(layer, 0, 0) == 1);
  attn_layer_dispose(layer);
}

/* 0.5 off in a product of 10^6 is rounding there; 1 off in a product of 1 is not. */
static void term_by_magnitude(void) {
  attn_layer *layer = plain_layer(2, 1, 1, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1000, 1});
  set(layer, "given_weights", (double[]){1000, 1, 0, 0});
  EXPECT(attn_forward(layer) == ATTN_OK);
  numbers(layer, "attn_weights")[0] += 0.0005f;
  numbers(layer, "attn_weights")[1] += 1;
  const attn_pass pass = attn_layer_pass(layer);
  attn_stages[ATTN_STAGE_BLEND](&pass);
  expect_verdict(layer, "one row");
  EXPECT(attn_routes_term(layer, 0, 0) == 1);
  attn_layer_dispose(layer);
}

/* 1e16 - 1e16 + 1 is 1 from the first term, and 0 from the last: 1 is lost beside 1e16. */
static void order_of_adding(void) {
  attn_layer *layer = plain_layer(3, 1, 1, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1e16, -1e16, 1});
  set(layer, "given_weights", (double[]){1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT(attn_forward(layer) == ATTN_OK);
  expect_verdict(layer, "agree");
  EXPECT(attn_compare_routes(layer, 0) == ATTN_OK);
  EXPECT_TEXT(attn_routes_verdict(layer), "every row");
  for (int32_t i = 0; i < 3; i++) {
    EXPECT(attn_routes_term(layer, 0, i) == -1);
    const double batched = 1, one_token = 0;
    EXPECT(fabs((double)attn_routes_batched(layer, 0, i) - batched) <= 0);
    EXPECT(fabs((double)attn_routes_one_token(layer, 0, i) - one_token) <= 0);
  }
  attn_layer_dispose(layer);
}

/* A value row altered that all rows draw on is named all the same; wrong weights are not taken for it. */
static void value_of_all_altered(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(attn_forward(layer) == ATTN_OK);
  const attn_pass pass = attn_layer_pass(layer);
  for (int32_t b = 0; b < B; b++) numbers(layer, "values")[(b * T + 1) * D_OUT] += 3;
  attn_stages[ATTN_STAGE_BLEND](&pass);
  expect_verdict(layer, "some rows");
  EXPECT(attn_routes_draws_on(layer) == 1);
  for (int32_t row = 0; row < B * H * T; row++) numbers(layer, "attn_weights")[row * T + 1] += 0.25f;
  attn_stages[ATTN_STAGE_BLEND](&pass);
  expect_verdict(layer, "every row");
  EXPECT(attn_routes_draws_on(layer) == -1);
  attn_layer_dispose(layer);
}

static void nan_differs(void) {
  attn_layer *layer = computed();
  numbers(layer, "context_vecs")[0] = NAN;
  expect_verdict(layer, "one row");
  EXPECT(attn_routes_position(layer, 0, 0) == 0 && isnan(attn_routes_batched(layer, 0, 0)));
  attn_layer_dispose(layer);
}

static void refused(void) {
  attn_layer *layer = computed();
  EXPECT(attn_compare_routes(layer, -1e-9) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_compare_routes(layer, NAN) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_compare_routes(layer, INFINITY) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_context_one_token(layer, B, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_context_one_token(layer, 0, -1) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_context_one_token(layer, 0, T) == ATTN_INDEX_OUT_OF_RANGE);
  numbers(layer, "b_value")[3] = INFINITY;
  EXPECT(attn_context_one_token(layer, 0, 0) == ATTN_TENSOR_NOT_FINITE);
  EXPECT(attn_error_tensor(layer) == tensor("b_value") && attn_error_element(layer) == 3);
  attn_layer_dispose(layer);
}

static void overflow_is_told(void) {
  attn_layer *layer = plain_layer(2, 1, 1, 1);
  set(layer, "inputs", (double[]){1, 2});
  set(layer, "w_query", (double[]){1e20});
  set(layer, "w_key", (double[]){-1e20});
  EXPECT(attn_context_one_token(layer, 0, 1) == ATTN_TENSOR_NOT_FINITE);
  EXPECT(attn_error_tensor(layer) == tensor("attn_scores") && attn_error_element(layer) == 2);
  set(layer, "w_key", (double[]){0});
  set(layer, "w_value", (double[]){3e38});
  EXPECT(attn_context_one_token(layer, 0, 1) == ATTN_TENSOR_NOT_FINITE);
  EXPECT(attn_error_tensor(layer) == tensor("context_vecs") && attn_error_element(layer) == 1);
  attn_layer_dispose(layer);
}

void route_tests(void) {
  test("One token at a time equals the batch for 1, 2 and 4 heads, biases, W_out, mask off and on.", trained_agree);
  test("One token at a time equals the batch for inputs · inputsᵀ with 1 and 3 heads.", inputs_agree);
  test("One token at a time equals the batch for given weights, a row that sums to zero too.", given_agree);
  test("One token at a time equals the batch for widths of 1 → 33, and of 33 with a d_out of 1 unused.",
       lopsided_agree);
  test("The routes agree for scores as huge as 1e30.", huge_agree);
  test("One corrupted context row is \"one row\", with its position, both numbers, and no term to blame.", one_row);
  test("Two corrupted rows are \"some rows\".", several_rows);
  test("All rows that could differ are \"every row\": under the mask the first need not.", every_row);
  test("A lone token's row is \"one row\".", lone_token);
  test("An altered weight is found in its row, at its head's first column, in its term.", weight_altered);
  test("An altered value row is found in exactly the rows that draw on it, in its term.", value_altered);
  test("Where no product alone exceeds the tolerance, the term that differs most is named.", largest_term);
  test("A term is judged by the size of its own product.", term_by_magnitude);
  test("The order of adding shows where the tolerance is 0, as rows of which no term differs.", order_of_adding);
  test("An altered value row that every row draws on is named; wrong weights name none.", value_of_all_altered);
  test("NaN in the batched result differs from every number.", nan_differs);
  test("A tolerance or an index that makes no sense is refused, and a bad parameter named.", refused);
  test("A second route that overflows says where.", overflow_is_told);
}
