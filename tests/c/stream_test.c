/* stream_test.c: attention that keeps no weights: the softmax of keys that come in parts, by every set of kernels, and
 * context vectors made so, held against those of a pass that keeps them. Next to read: forward.c (stream), simd_test.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

static const attn_kernels *const sets[] = {&attn_kernels_ref, &attn_kernels_simd};
enum { N_SETS = sizeof sets / sizeof sets[0] };

/* ---- The kernel ------------------------------------------------------------------------------------------------ */

/* Two rows whose keys come in parts of so many; sums[r] gathers what the weights are worth at the end: of one number per
 * key, and of 1 per key. */
enum { KEYS = 33 };

static void soften(const attn_kernels *kernels, size_t part, const float scores[2][KEYS], const float *values,
                   float sums[2][2]) {
  float weights[2 * KEYS], max[2] = {-INFINITY, -INFINITY};
  double total[2] = {0, 0};
  for (size_t from = 0; from < KEYS; from += part) {
    const size_t n = from + part < KEYS ? part : KEYS - from;
    for (size_t r = 0; r < 2; r++) memcpy(weights + r * n, scores[r] + from, n * sizeof(float));
    kernels->softmax_part(2, n, n, weights, n, max, total, 2, sums[0], 2);
    for (size_t r = 0; r < 2; r++) {
      for (size_t j = 0; j < n; j++) {
        sums[r][0] += weights[r * n + j] * values[from + j];
        sums[r][1] += weights[r * n + j];
      }
    }
  }
}

/* However the keys are cut, the largest score first, last or in between. */
static void parts_make_a_whole(void) {
  float scores[2][KEYS], values[KEYS];
  fill_distinct(KEYS, values, 1);
  for (size_t set = 0; set < N_SETS; set++) {
    for (size_t part = 1; part <= KEYS; part++) {
      for (size_t top = 0; top < KEYS; top += 8) {
        float sums[2][2] = {{0}};
        fill_distinct(2 * KEYS, scores[0], 2);
        scores[0][top] = 6;
        scores[1][0] = scores[1][top] = -INFINITY;
        soften(sets[set], part, (const float(*)[KEYS])scores, values, sums);
        for (size_t r = 0; r < 2; r++) {
          double total = 0, want = 0;
          for (size_t j = 0; j < KEYS; j++) total += exp((double)scores[r][j]);
          for (size_t j = 0; j < KEYS; j++) want += exp((double)scores[r][j]) * (double)values[j] / total;
          EXPECT_CLOSE(2, sums[r], ((double[]){want, 1}), 3e-6, 0);
        }
      }
    }
  }
}

static void extreme_scores(void) {
  float scores[2][KEYS], values[KEYS];
  for (size_t j = 0; j < KEYS; j++) {
    values[j] = 1;
    scores[0][j] = j == 20 ? 3e38f : -3e38f;
    scores[1][j] = -INFINITY;
  }
  for (size_t set = 0; set < N_SETS; set++) {
    for (size_t part = 1; part <= KEYS; part += 8) {
      float sums[2][2] = {{0}};
      soften(sets[set], part, (const float(*)[KEYS])scores, values, sums);
      EXPECT_CLOSE(4, sums[0], ((double[]){1, 1, 0, 0}), 0, 0); /* what is masked everywhere has no weight at all */
      scores[1][9] = NAN;
      soften(sets[set], part, (const float(*)[KEYS])scores, values, sums);
      EXPECT(isnan(sums[1][0]));
      scores[1][9] = -INFINITY;
    }
  }
}

static void hidden_keys(void) {
  enum { Q = 4, REACH = 2 };
  for (size_t set = 0; set < N_SETS; set++) {
    float weights[Q * KEYS], max[Q], sums[Q];
    double total[Q] = {0};
    for (size_t i = 0; i < Q; i++) {
      max[i] = -INFINITY;
      sums[i] = 0;
      for (size_t j = 0; j < KEYS; j++) weights[i * KEYS + j] = j < REACH + i ? 1 : NAN;
    }
    sets[set]->softmax_part(Q, KEYS, REACH, weights, KEYS, max, total, 1, sums, 1);
    for (size_t k = 0; k < Q * KEYS; k++) {
      const size_t n = REACH + k / KEYS;
      EXPECT_CLOSE(1, &weights[k], (double[]){k % KEYS < n ? 1 / (double)n : 0}, 1e-7, 0);
    }
  }
}

/* ---- A pass ---------------------------------------------------------------------------------------------------- */

enum { MOST = 600, HEADS = 2, HEAD = 5, WIDTH = HEADS * HEAD };

typedef struct bench {
  float queries[MOST * WIDTH], keys[MOST * WIDTH], values[MOST * WIDTH], gathered[2][MOST * HEAD];
  float part[ATTN_PART_QUERIES * ATTN_PART_KEYS + 1]; /* and a guard */
  float scores[HEADS * MOST * MOST], weights[HEADS * MOST * MOST], sums[2][HEADS * MOST];
  double totals[MOST];
  float kept[MOST * WIDTH], streamed[MOST * WIDTH];
} bench;

static bench *make_bench(void) {
  bench *b = malloc(sizeof *b);
  if (!b) abort();
  fill_distinct(MOST * WIDTH, b->queries, 1);
  fill_distinct(MOST * WIDTH, b->keys, 2);
  fill_distinct(MOST * WIDTH, b->values, 3);
  b->part[ATTN_PART_QUERIES * ATTN_PART_KEYS] = 7;
  return b;
}

/* n queries, the first of which is token first, on as many keys as there are tokens up to the last one. */
static attn_pass streaming(bench *b, const attn_kernels *kernels, size_t n, size_t first, bool causal) {
  return (attn_pass){.kernels = kernels, .n_batch = 1, .n_queries = n, .n_keys = first + n, .n_heads = HEADS,
                     .key_dim = HEAD, .value_dim = HEAD, .query_stride = WIDTH, .key_stride = WIDTH,
                     .value_stride = WIDTH, .context_stride = WIDTH, .scale = 0.9, .causal = causal,
                     .first_query = first, .queries = b->queries + first * WIDTH, .keys = b->keys, .values = b->values,
                     .head_keys = b->gathered[0], .head_values = b->gathered[1], .block_weights = b->part,
                     .attn_row_sums = b->sums[0], .attn_column_sums = b->sums[1], .column_totals = b->totals,
                     .context_vecs = b->streamed};
}

/* The same pass, which keeps its weights; its context vectors are in kept. */
static void run_kept(bench *b, attn_pass pass) {
  pass.attn_scores = b->scores;
  pass.attn_weights = b->weights;
  pass.block_rows = 16;
  pass.context_vecs = b->kept;
  attn_run_stages(attn_stages, &pass);
}

static void streams_agree(void) {
  static const size_t lengths[][2] = {{1, 0}, {63, 0}, {64, 0}, {65, 0}, {256, 0}, {257, 0}, {600, 0}, {90, 200},
                                      {300, 300}};
  bench *b = make_bench();
  for (size_t k = 0; k < sizeof lengths / sizeof lengths[0] * N_SETS * 2; k++) {
    const size_t *length = lengths[k / N_SETS / 2], n = length[0] * WIDTH;
    const attn_pass pass = streaming(b, sets[k % N_SETS], length[0], length[1], k / N_SETS % 2);
    run_kept(b, pass);
    attn_run_stages(attn_stages, &pass);
    if (pass.n_keys <= ATTN_PART_KEYS) EXPECT_SAME(n, b->streamed, b->kept);
    double largest = 0;
    for (size_t e = 0; e < MOST * WIDTH; e++) largest = fmax(largest, fabs((double)b->values[e]));
    for (size_t e = 0; e < n; e++) {
      if (!EXPECT_CLOSE(1, &b->streamed[e], (double[]){(double)b->kept[e]}, 1e-6 * largest, 0)) break;
    }
    EXPECT_CLOSE(1, &b->part[ATTN_PART_QUERIES * ATTN_PART_KEYS], (double[]){7}, 0, 0);
  }
  free(b);
}

/* Under the mask a row is the same bits, whatever follows it and wherever the queries begin. */
static void streamed_rows_do_not_know(void) {
  bench *b = make_bench();
  for (size_t set = 0; set < N_SETS; set++) {
    const attn_pass longest = streaming(b, sets[set], MOST, 0, true);
    attn_run_stages(attn_stages, &longest);
    memcpy(b->kept, b->streamed, sizeof b->kept);
    for (size_t first = 0; first <= 300; first += 50) {
      const attn_pass pass = streaming(b, sets[set], 290, first, true);
      attn_run_stages(attn_stages, &pass);
      EXPECT_SAME(290 * WIDTH, b->streamed, b->kept + first * WIDTH);
    }
  }
  free(b);
}

/* Values near the largest float: no sum on the way is larger than what comes out. */
static void large_values(void) {
  bench *b = make_bench();
  for (size_t k = 0; k < MOST * WIDTH; k++) b->values[k] = 3.4e38f;
  for (size_t set = 0; set < N_SETS; set++) {
    const attn_pass pass = streaming(b, sets[set], MOST, 0, false);
    memset(b->streamed, 0xFF, sizeof b->streamed); /* NaN: what stood there counts for nothing */
    attn_run_stages(attn_stages, &pass);
    for (size_t e = 0; e < MOST * WIDTH; e++) {
      if (!EXPECT_CLOSE(1, &b->streamed[e], (double[]){3.4e38}, 0, 2e-6)) break;
    }
  }
  free(b);
}

/* ---- A layer, part by part ------------------------------------------------------------------------------------- */

static attn_layer *long_layer(int32_t keep_weights) {
  attn_layer *layer = attn_layer_create(2, 700, 6, 8, 2, 3, 1, 1, 1, 1, keep_weights, 0);
  if (!layer) abort();
  for (int32_t t = tensor("inputs"); t <= tensor("b_out"); t++) {
    fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), (unsigned)t);
  }
  return layer;
}

static void parts_are_the_same(void) {
  for (int32_t keep = 0; keep < 2; keep++) {
    attn_layer *whole = long_layer(keep), *parts = long_layer(keep);
    const int32_t n = attn_forward_parts(parts);
    EXPECT(attn_forward(whole) == ATTN_OK && n > 4 && n % 4 == 0);
    for (int32_t part = 0; part < n; part++) {
      EXPECT(attn_tensor_is_stale(parts, tensor("outputs")));
      EXPECT(attn_forward_part(parts, part) == ATTN_OK);
    }
    EXPECT(!attn_tensor_is_stale(parts, tensor("outputs")));
    for (int32_t t = tensor("queries"); t <= tensor("outputs"); t++) {
      EXPECT_SAME(attn_tensor_size(whole, t), attn_tensor_data(parts, t), attn_tensor_data(whole, t));
    }
    EXPECT(attn_forward_part(parts, 0) == ATTN_OK); /* and once more */
    attn_layer_dispose(whole);
    attn_layer_dispose(parts);
  }
}

static void parts_in_order(void) {
  attn_layer *layer = long_layer(1);
  const int32_t last = attn_forward_parts(layer) - 1;
  EXPECT(attn_forward_part(layer, 1) == ATTN_STALE);
  EXPECT(attn_forward_part(layer, -1) == ATTN_STALE);
  EXPECT(attn_forward_part(layer, 0) == ATTN_OK && attn_forward_part(layer, 2) == ATTN_STALE);
  EXPECT(attn_forward_part(layer, 1) == ATTN_OK && attn_forward_part(layer, 0) == ATTN_OK);
  EXPECT(attn_forward_part(layer, 2) == ATTN_STALE && attn_forward_part(layer, 1) == ATTN_OK);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward_part(layer, 1) == ATTN_STALE);
  EXPECT(attn_forward_part(layer, 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT(attn_forward_part(layer, 1) == ATTN_STALE && !attn_tensor_is_stale(layer, tensor("outputs")));
  /* The first says what is wrong with inputs, the last what is wrong with results. */
  numbers(layer, "inputs")[5] = NAN;
  attn_tensors_changed(layer);
  attn_status status = ATTN_OK;
  for (int32_t part = 0; part <= last && status == ATTN_OK; part++) status = attn_forward_part(layer, part);
  EXPECT(status == ATTN_TENSOR_NOT_FINITE && attn_error_tensor(layer) == tensor("inputs"));
  numbers(layer, "inputs")[5] = 1;
  numbers(layer, "b_out")[0] = numbers(layer, "w_out")[0] = 3e38f;
  attn_tensors_changed(layer);
  for (int32_t part = 0; part <= last; part++) status = attn_forward_part(layer, part);
  EXPECT(status == ATTN_TENSOR_NOT_FINITE && attn_error_tensor(layer) == tensor("outputs"));
  EXPECT(choose(layer, "fault", "softmax_columns", 0) == ATTN_OK && attn_forward_parts(layer) == 1); /* needs all rows */
  attn_layer_dispose(layer);
}

/* ---- Scores that nobody keeps ---------------------------------------------------------------------------------- */

/* Two sequences, two heads; row query has one huge query, row key one huge key, in the head and the sequence that come last. */
enum { LONG = 300, D = 4 };

static attn_layer *overflowing(int32_t keep_weights, const char *kernels, const char *causal, size_t query, size_t key,
                               float size) {
  attn_layer *layer = attn_layer_create(2, LONG, D, D, 2, 0, 0, 0, 0, 0, keep_weights, 0);
  if (!layer) abort();
  fill_distinct(attn_tensor_size(layer, tensor("inputs")), numbers(layer, "inputs"), 1);
  for (size_t e = 0; e < D; e++) numbers(layer, "w_value")[e * D + e] = 1;
  /* The first column alone makes queries, the second keys; both of the second head. */
  numbers(layer, "w_query")[0 * D + 2] = numbers(layer, "w_key")[1 * D + 2] = 1e10f;
  float *inputs = numbers(layer, "inputs") + LONG * D;
  inputs[query * D] = 1e15f;
  inputs[key * D + 1] = size;
  EXPECT(choose(layer, "kernels", kernels, 0) == ATTN_OK && choose(layer, "causal", causal, 0) == ATTN_OK);
  return layer;
}

static attn_status all_parts(attn_layer *layer) {
  attn_status status = ATTN_OK;
  for (int32_t part = 0; part < attn_forward_parts(layer) && status == ATTN_OK; part++) status = attn_forward_part(layer, part);
  return status;
}

static void forgotten_scores(void) {
  static const size_t places[][2] = {{0, 0}, {299, 0}, {130, 70}, {257, 256}, {70, 270}, {256, 257}};
  for (size_t k = 0; k < sizeof places / sizeof places[0] * 8; k++) {
    const size_t query = places[k / 8][0], key = places[k / 8][1];
    const char *kernels = k % 2 ? "plain" : "simd", *causal = k / 2 % 2 ? "on" : "off";
    const float size = k / 4 % 2 ? 1e15f : -1e15f;
    attn_layer *kept = overflowing(1, kernels, causal, query, key, size);
    attn_layer *lean = overflowing(0, kernels, causal, query, key, size);
    const bool hidden = k / 2 % 2 && key > query;
    const attn_status want = hidden ? ATTN_OK : ATTN_TENSOR_NOT_FINITE;
    EXPECT(attn_forward(kept) == want && attn_forward(lean) == want && all_parts(lean) == want);
    EXPECT(attn_error_tensor(lean) == (hidden ? -1 : tensor("attn_scores")) && attn_error_tensor(kept) == attn_error_tensor(lean));
    const double element = ((double)3 * (double)LONG + (double)query) * (double)LONG + (double)key;
    EXPECT(hidden || (attn_error_element(lean) == element && attn_error_element(kept) == element));
    EXPECT(hidden || attn_error_value(lean) == (size > 0 ? INFINITY : -INFINITY));
    EXPECT(attn_error_value(kept) == attn_error_value(lean));
    EXPECT(attn_tensor_is_stale(lean, tensor("context_vecs")) == !hidden);
    attn_layer_dispose(kept);
    attn_layer_dispose(lean);
  }
}

void stream_tests(void) {
  test("Softmax of keys that come in parts is that of all of them, however they are cut.", parts_make_a_whole);
  test("Scores of ±3e38 in parts are weighed without overflow, and NaN stays visible.", extreme_scores);
  test("Softmax of a part does not look at what is masked, and makes it 0.", hidden_keys);
  test("Context vectors without weights are within 1e-6 of the largest value of those with them, and the same bits where "
       "all keys are one part.", streams_agree);
  test("Without weights too a row is the same bits under the mask, whatever follows and wherever the queries begin.",
       streamed_rows_do_not_know);
  test("Forward in parts gives the same bits, stale until the last, with weights and without.", parts_are_the_same);
  test("Parts out of order are refused, the first begins anew, after a change it is next, and errors are those of forward.", parts_in_order);
  test("Values near the largest float do not overflow on the way.", large_values);
  test("A score that is not finite is named without weights as with them, whatever softmax makes of it; a masked one is not.",
       forgotten_scores);
}
