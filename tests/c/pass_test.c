/* pass_test.c: the stages on an attn_pass, without a layer: numbers of queries and keys that differ, values of their
 * own width, heads as blocks of columns, cases that were published as bare queries, keys and values.
 * Next to read: layer_test.c. */
#include <math.h>
#include <string.h>

#include "c_vectors.h"
#include "internal.h"
#include "suites.h"

enum { ROOM = 64 };

/* A pass over queries, keys and values that are given, with room for its results. */
typedef struct bench {
  attn_pass pass;
  double column_totals[ROOM];
  float queries[ROOM], keys[ROOM], values[ROOM], scores[ROOM], weights[ROOM], sums[ROOM], column_sums[ROOM],
      context[ROOM];
} bench;

static bench b, all, one;

static void make_bench(bench *at, size_t n_batch, size_t n_queries, size_t n_keys, size_t n_heads, size_t key_dim,
                       size_t value_dim, double scale, bool causal) {
  at->pass = (attn_pass){.kernels = &attn_kernels_ref, .n_batch = n_batch, .n_queries = n_queries, .n_keys = n_keys,
                        .n_heads = n_heads, .key_dim = key_dim, .value_dim = value_dim,
                        .query_stride = n_heads * key_dim, .key_stride = n_heads * key_dim,
                        .value_stride = n_heads * value_dim, .context_stride = n_heads * value_dim,
                        .scale = scale, .causal = causal, .queries = at->queries, .keys = at->keys,
                        .values = at->values, .attn_scores = at->scores, .attn_weights = at->weights,
                        .attn_row_sums = at->sums, .attn_column_sums = at->column_sums,
                        .column_totals = at->column_totals, .block_rows = n_queries,
                        .context_vecs = at->context};
}

static void load(size_t n, float *numbers, const double *from) {
  for (size_t k = 0; k < n; k++) numbers[k] = (float)from[k];
}

static void sdpa_5_by_4(void) {
  make_bench(&b, 1, 5, 5, 1, 4, 4, 1 / sqrt(4.0), false);
  load(20, b.queries, eecs_sdpa_single_Q);
  load(20, b.keys, eecs_sdpa_single_K);
  load(20, b.values, eecs_sdpa_single_V);
  attn_run_stages(attn_stages, &b.pass);
  EXPECT_CLOSE(20, b.context, eecs_sdpa_single_Y, 0.5e-5 + 1e-7, 0);
}

static void sdpa_causal(void) {
  make_bench(&b, 4, 3, 3, 1, 3, 3, 1 / sqrt(3.0), true);
  load(36, b.queries, eecs_sdpa_causal_batch_Q);
  load(36, b.keys, eecs_sdpa_causal_batch_K);
  load(36, b.values, eecs_sdpa_causal_batch_V);
  attn_run_stages(attn_stages, &b.pass);
  EXPECT_CLOSE(36, b.context, eecs_sdpa_causal_batch_Y, 0.5e-5 + 1e-7, 0);
}

static void keras_dot(void) {
  make_bench(&b, 1, 2, 2, 1, 2, 2, 1, false);
  load(4, b.queries, keras_attention_dot_Q);
  load(4, b.keys, keras_attention_dot_K);
  load(4, b.values, keras_attention_dot_V);
  attn_run_stages(attn_stages, &b.pass);
  EXPECT_CLOSE(4, b.weights, keras_attention_dot_weights, 0.5e-3, 0);
  EXPECT_CLOSE(4, b.context, keras_attention_dot_Y, 0.5e-3, 0);
}

static void three_queries_four_keys(void) {
  make_bench(&b, 1, 3, 4, 1, 4, 2, 1 / sqrt(4.0), false);
  load(12, b.queries, dlai_sdpa_Q);
  load(16, b.keys, dlai_sdpa_K);
  load(8, b.values, dlai_sdpa_V);
  attn_run_stages(attn_stages, &b.pass);
  EXPECT_CLOSE(12, b.weights, dlai_sdpa_weights, 1e-7, 0);
  EXPECT_CLOSE(6, b.context, dlai_sdpa_Y, 1e-7, 0);
}

/* Scores that are all alike, so that the mask alone shapes the weights. */
static void tril(void) {
  make_bench(&b, 1, 6, 6, 1, 1, 1, 1, true);
  memset(b.queries, 0, sizeof b.queries);
  fill_distinct(6, b.keys, 1);
  fill_distinct(6, b.values, 2);
  attn_run_stages(attn_stages, &b.pass);
  for (size_t k = 0; k < 36; k++) {
    const double allowed = tril_6_expected[k], n_allowed = (double)(k / 6 + 1);
    EXPECT(attn_allowed(&b.pass, k / 6, k % 6) == (allowed > 0));
    EXPECT_CLOSE(1, &b.scores[k], (double[]){allowed > 0 ? 0 : -INFINITY}, 0, 0);
    EXPECT_CLOSE(1, &b.weights[k], (double[]){allowed / n_allowed}, 0, 6e-8);
  }
}

static void mask_is_top_left(void) {
  make_bench(&b, 2, 2, 4, 1, 1, 1, 1, true);
  memset(b.queries, 0, sizeof b.queries);
  fill_distinct(8, b.keys, 1);
  fill_distinct(8, b.values, 2);
  attn_run_stages(attn_stages, &b.pass);
  EXPECT_CLOSE(16, b.weights, (double[]){1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0}, 0, 0);
}

static void mask_selects(void) {
  make_bench(&b, 1, 2, 2, 1, 1, 1, 1, true);
  load(2, b.queries, (double[]){1, 1});
  load(2, b.keys, (double[]){1, 1e30});
  load(2, b.values, (double[]){5, -1e30});
  attn_run_stages(attn_stages, &b.pass);
  EXPECT_CLOSE(2, b.weights, (double[]){1, 0}, 0, 0);
  EXPECT_CLOSE(1, b.context, (double[]){5}, 0, 0);
}

/* Two heads of 2 and values of 3 each, 3 queries on 5 keys in 2 sequences, against one bare head at a time. */
static void heads_are_column_blocks(void) {
  enum { B = 2, Q = 3, K = 5, H = 2, KD = 2, VD = 3 };
  make_bench(&all, B, Q, K, H, KD, VD, 0.8, false);
  fill_distinct(B * Q * H * KD, all.queries, 1);
  fill_distinct(B * K * H * KD, all.keys, 2);
  fill_distinct(B * K * H * VD, all.values, 3);
  attn_run_stages(attn_stages, &all.pass);
  for (size_t seq = 0; seq < B; seq++) {
    for (size_t h = 0; h < H; h++) {
      make_bench(&one, 1, Q, K, 1, KD, VD, 0.8, false);
      for (size_t k = 0; k < Q * KD; k++) one.queries[k] = all.queries[(seq * Q + k / KD) * H * KD + h * KD + k % KD];
      for (size_t k = 0; k < K * KD; k++) one.keys[k] = all.keys[(seq * K + k / KD) * H * KD + h * KD + k % KD];
      for (size_t k = 0; k < K * VD; k++) one.values[k] = all.values[(seq * K + k / VD) * H * VD + h * VD + k % VD];
      attn_run_stages(attn_stages, &one.pass);
      EXPECT_SAME(Q * K, all.weights + (seq * H + h) * Q * K, one.weights);
      EXPECT_SAME(Q, all.sums + (seq * H + h) * Q, one.sums);
      for (size_t i = 0; i < Q; i++) {
        EXPECT_SAME(VD, all.context + (seq * Q + i) * H * VD + h * VD, one.context + i * VD);
      }
    }
  }
}

static void zero_blend(const attn_pass *pass) {
  memset(pass->context_vecs, 0, pass->n_queries * pass->context_stride * sizeof(float));
}

static void one_stage_swapped(void) {
  attn_stage *stages[ATTN_N_STAGES];
  memcpy(stages, attn_stages, sizeof stages);
  stages[ATTN_STAGE_BLEND] = zero_blend;
  make_bench(&b, 1, 3, 4, 1, 4, 2, 0.5, false);
  load(12, b.queries, dlai_sdpa_Q);
  load(16, b.keys, dlai_sdpa_K);
  load(8, b.values, dlai_sdpa_V);
  attn_run_stages(stages, &b.pass);
  EXPECT_CLOSE(12, b.weights, dlai_sdpa_weights, 1e-7, 0);
  EXPECT_CLOSE(6, b.context, (double[6]){0}, 0, 0);
}

void pass_tests(void) {
  test("Published attention of five 4-number tokens comes out to its printed digits.", sdpa_5_by_4);
  test("Published causal attention in a batch of four comes out to its printed digits.", sdpa_causal);
  test("Published unscaled attention comes out to its printed digits, weights too.", keras_dot);
  test("Published attention of 3 queries on 4 keys with values of 2 comes out to its printed digits.",
       three_queries_four_keys);
  test("The causal mask is the published lower triangle, -INFINITY in the scores and 0 in the weights.", tril);
  test("With fewer queries than keys the causal mask is aligned top left, in every sequence.", mask_is_top_left);
  test("The mask selects: a later key or value of 1e30 has no influence at all.", mask_selects);
  test("Heads are blocks of columns: each gives the very bits that it gives alone, key and value widths apart.",
       heads_are_column_blocks);
  test("One stage can be swapped and the others stay as they are.", one_stage_swapped);
}
