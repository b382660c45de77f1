/* simd_test.c: what the fast kernels owe beyond the sizes of kernels_test.c: the error of their exponential, sums
 * longer than a panel, and that what a mask hides is left out without a trace. Next to read: pass_test.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

static const attn_kernels *const sets[] = {&attn_kernels_ref, &attn_kernels_simd};
static const size_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/* ---- exp ------------------------------------------------------------------------------------------------------- */

/* How far 2^64 exp(x) as it was computed is off, in units of its last place. */
static double ulps_off(float x, float y) {
  const double want = ldexp(exp((double)x), 64);
  int exponent;
  frexp(want, &exponent);
  return fabs((double)y - want) / ldexp(1, exponent - 24);
}

/* Steps through all floats from -0 to -104 by their bits, a prime at a time, and the edges between powers of 2. */
static void exp_is_exact_to_one_ulp(void) {
  double worst = 0;
  for (uint32_t bits = 0x80000000u; bits < 0xc2cf0000u; bits += 4 * 2003) {
    float x[4], y[4];
    for (uint32_t l = 0; l < 4; l++) {
      const uint32_t own = bits + l * 2003;
      memcpy(&x[l], &own, sizeof own);
    }
    attn_exp_row(4, x, 0, y);
    for (size_t l = 0; l < 4; l++) worst = fmax(worst, ulps_off(x[l], y[l]));
  }
  for (int half = 0; half < 300; half++) {
    float x = (float)(-0.34657359027997264 * half), y;
    for (int step = 0; step < 4; step++, x = nextafterf(x, -1e30f)) {
      attn_exp_row(1, &x, 0, &y);
      worst = fmax(worst, ulps_off(x, y));
    }
  }
  EXPECT(worst > 0.4 && worst < 1);
}

static void exp_of_extremes(void) {
  const float x[] = {0, -0.0f, -103, -103.9f, -104.1f, -150, -1e30f, -INFINITY, NAN};
  float y[9];
  attn_exp_row(9, x, 0, y);
  const double unit = ldexp(1, 64), back = 1 / unit;
  EXPECT_CLOSE(2, y, (double[]){unit, unit}, 0, 0);
  for (size_t k = 2; k < 4; k++) {
    EXPECT((float)((double)y[k] * back) > 0); /* a denormal is kept */
    EXPECT_CLOSE(1, &y[k], (double[]){unit * exp((double)x[k])}, 0, 1.2e-7);
  }
  for (size_t k = 4; k < 8; k++) EXPECT(y[k] >= 0 && (float)((double)y[k] * back) == 0);
  EXPECT(isnan(y[8]));
}

static void small_weights_are_kept(void) {
  const float scores[] = {0, -80, -90, -100, -103.2f, -110};
  float weights[6];
  attn_kernels_simd.softmax_rows(1, 6, 6, scores, 6, weights, 6);
  for (size_t j = 0; j < 6; j++) EXPECT_CLOSE(1, &weights[j], (double[]){exp((double)scores[j])}, 1e-45, 2.5e-7);
  EXPECT(weights[4] > 0);
}

/* ---- Long sums ------------------------------------------------------------------------------------------------- */

enum { M = 5, N = 9, LONGEST = 321 };

/* All products of k terms give what the plain kernels give; a, b and c are dense, each turned as its kernel wants. */
static void expect_long_sum(size_t k) {
  static float a[M * LONGEST], b[LONGEST * N], turned_a[LONGEST * M], turned_b[N * LONGEST], c[2][4 * M * N];
  fill_distinct(M * k, a, 1);
  fill_distinct(k * N, b, 2);
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; i < M; i++) turned_a[j * M + i] = a[i * k + j];
    for (size_t e = 0; e < N; e++) turned_b[e * k + j] = b[j * N + e];
  }
  for (size_t set = 0; set < 2; set++) {
    fill_distinct(4 * M * N, c[set], 3);
    sets[set]->matmul(M, N, k, k, a, k, b, N, turned_b, c[set], N);
    sets[set]->matmul_bt(M, N, k, N, 0.5, a, k, turned_b, k, c[set] + M * N, N);
    sets[set]->matmul_scaled(M, N, k, k, 0.5, a, k, b, N, c[set] + 2 * M * N, N);
    sets[set]->matmul_at(M, N, k, M, 0.5, turned_a, M, b, N, c[set] + 3 * M * N, N);
  }
  for (size_t e = 0; e < 4 * M * N; e++) {
    EXPECT_CLOSE(1, &c[1][e], (double[]){(double)c[0][e]}, 4e-7 * sqrt((double)k), 1e-6);
  }
}

static void long_sums(void) {
  const size_t lengths[] = {127, 128, 129, 255, 256, 257, 320, LONGEST};
  for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) expect_long_sum(lengths[l]);
}

static void equal_terms_do_not_drift(void) {
  enum { K = 1 << 15 };
  float *a = malloc(K * sizeof *a), one[1] = {0.1f}, sum[1];
  if (!a) abort();
  for (size_t j = 0; j < K; j++) a[j] = 0.1f;
  attn_kernels_simd.matmul(1, 1, K, K, a, K, one, 0, NULL, sum, 1);
  EXPECT_CLOSE(1, sum, (double[]){(double)0.1f * (double)0.1f * (double)K}, 0, 1e-5);
  free(a);
}

/* ---- What a mask hides ----------------------------------------------------------------------------------------- */

/* One head's computation, in its own memory, of which the results are compared. */
enum { LARGEST = 65, HEADS = 2, WIDTH = 10 };

typedef struct results {
  float scores[HEADS * LARGEST * LARGEST], weights[HEADS * LARGEST * LARGEST];
  float sums[HEADS * LARGEST], column_sums[HEADS * LARGEST], context[LARGEST * WIDTH];
} results;

static float rows[3][LARGEST * WIDTH];
static double totals[LARGEST];
static float gathered[2][LARGEST * WIDTH / HEADS];

static attn_pass causal_pass(const attn_kernels *kernels, size_t n, results *to) {
  return (attn_pass){.kernels = kernels, .n_batch = 1, .n_queries = n, .n_keys = n, .n_heads = HEADS,
                     .key_dim = WIDTH / HEADS, .value_dim = WIDTH / HEADS, .query_stride = WIDTH,
                     .key_stride = WIDTH, .value_stride = WIDTH, .context_stride = WIDTH, .scale = 0.7,
                     .causal = true, .block_rows = 7, .queries = rows[0], .keys = rows[1], .values = rows[2],
                     .head_keys = gathered[0], .head_values = gathered[1],
                     .attn_scores = to->scores, .attn_weights = to->weights, .attn_row_sums = to->sums,
                     .attn_column_sums = to->column_sums, .column_totals = totals, .context_vecs = to->context};
}

static results skipped, whole;

/* In blocks, and skipping what is masked, against every stage on everything. */
static void skipping_changes_nothing(void) {
  for (size_t r = 0; r < 3; r++) fill_distinct(LARGEST * WIDTH, rows[r], (unsigned)r + 1);
  for (size_t set = 0; set < 2; set++) {
    for (size_t s = 0; s < N_SIZES; s++) {
      const size_t n = sizes[s];
      const attn_pass in_blocks = causal_pass(sets[set], n, &skipped), at_once = causal_pass(sets[set], n, &whole);
      attn_run_stages(attn_stages, &in_blocks);
      for (size_t stage = 0; stage < ATTN_N_STAGES; stage++) attn_stages[stage](&at_once);
      EXPECT_SAME(HEADS * n * n, skipped.scores, whole.scores);
      EXPECT_SAME(HEADS * n * n, skipped.weights, whole.weights);
      EXPECT_SAME(HEADS * n, skipped.sums, whole.sums);
      EXPECT_SAME(HEADS * n, skipped.column_sums, whole.column_sums);
      EXPECT_SAME(n * WIDTH, skipped.context, whole.context);
    }
  }
}

/* The first rows of the longest sequence are those of every shorter one. */
static void rows_do_not_know_what_follows(void) {
  for (size_t r = 0; r < 3; r++) fill_distinct(LARGEST * WIDTH, rows[r], (unsigned)r + 1);
  for (size_t set = 0; set < 2; set++) {
    const attn_pass longest = causal_pass(sets[set], LARGEST, &whole);
    attn_run_stages(attn_stages, &longest);
    for (size_t s = 0; s < N_SIZES; s++) {
      const attn_pass pass = causal_pass(sets[set], sizes[s], &skipped);
      attn_run_stages(attn_stages, &pass);
      EXPECT_SAME(sizes[s] * WIDTH, skipped.context, whole.context);
    }
  }
}

static void what_is_hidden_is_not_read(void) {
  enum { Q = 6, K = 11, REACH = 3 };
  float scores[Q * K], weights[Q * K], d_weights[Q * K], d_scores[Q * K];
  for (size_t set = 0; set < 2; set++) {
    fill_distinct(Q * K, scores, 4);
    fill_distinct(Q * K, d_weights, 5);
    for (size_t i = 0; i < Q; i++) {
      for (size_t j = REACH + i; j < K; j++) scores[i * K + j] = d_weights[i * K + j] = NAN;
    }
    sets[set]->softmax_rows(Q, K, REACH, scores, K, weights, K);
    sets[set]->softmax_rows_backward(Q, K, REACH, weights, K, d_weights, K, d_scores, K);
    for (size_t k = 0; k < Q * K; k++) {
      const bool hidden = k % K >= REACH + k / K;
      EXPECT(hidden ? weights[k] == 0 && d_scores[k] == 0 : weights[k] > 0 && isfinite(d_scores[k]));
    }
  }
}

static void sums_of_weights(void) {
  enum { Q = 3, K = 33, REACH = 30 };
  float weights[Q * K], row_sums[Q];
  for (size_t set = 0; set < 2; set++) {
    double column_totals[K];
    fill_distinct(Q * K, weights, 6);
    for (size_t i = 0; i < Q; i++) memset(weights + i * K + REACH + i, 0, (K - REACH - i) * sizeof(float));
    for (size_t j = 0; j < K; j++) column_totals[j] = 100;
    sets[set]->sum_weights(Q, K, REACH, weights, K, row_sums, column_totals);
    for (size_t i = 0; i < Q; i++) {
      double sum = 0;
      for (size_t j = 0; j < K; j++) sum += (double)weights[i * K + j];
      EXPECT_CLOSE(1, &row_sums[i], &sum, 1e-12, 6e-8);
    }
    for (size_t j = 0; j < K; j++) {
      const double sum = (double)weights[j] + (double)weights[K + j] + (double)weights[2 * K + j];
      EXPECT(fabs(column_totals[j] - 100 - sum) < 1e-12);
    }
  }
}

/* ---- A whole layer by both sets -------------------------------------------------------------------------------- */

static attn_layer *sized_layer(size_t s, bool causal, const char *kernels) {
  attn_layer *layer = attn_layer_create(2, (int32_t)sizes[s], (int32_t)sizes[(s + 5) % N_SIZES],
                                        2 * (int32_t)sizes[(s + 11) % N_SIZES], 2, (int32_t)sizes[(s + 17) % N_SIZES],
                                        1, 1, 1, 1, 1, 1);
  if (!layer) abort();
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    if (attn_tensor_target(layer, t) == t) {
      fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), (unsigned)t);
      for (size_t k = 0; k < attn_tensor_size(layer, t); k++) attn_tensor_data(layer, t)[k] *= 0.2f;
    }
  }
  EXPECT(choose(layer, "kernels", kernels, 0) == ATTN_OK);
  EXPECT(choose(layer, "causal", causal ? "on" : "off", 0) == ATTN_OK);
  EXPECT(attn_forward(layer) == ATTN_OK);
  fill_distinct(count(layer, "d_outputs"), numbers(layer, "d_outputs"), 99);
  EXPECT(attn_backward(layer) == ATTN_OK);
  return layer;
}

static void layers_agree(void) {
  for (size_t s = 0; s < 2 * N_SIZES; s++) {
    attn_layer *plain = sized_layer(s / 2, s % 2, "plain"), *simd = sized_layer(s / 2, s % 2, "simd");
    for (int32_t t = 0; t < attn_tensor_count(); t++) {
      const float *want = attn_tensor_data(plain, t);
      double largest = 1;
      for (size_t k = 0; k < attn_tensor_size(plain, t); k++) {
        if (isfinite(want[k])) largest = fmax(largest, fabs((double)want[k]));
      }
      for (size_t k = 0; k < attn_tensor_size(plain, t); k++) {
        if (!EXPECT_CLOSE(1, &attn_tensor_data(simd, t)[k], (double[]){(double)want[k]}, 2e-6 * largest, 0)) break;
      }
    }
    attn_layer_dispose(plain);
    attn_layer_dispose(simd);
  }
}

void simd_tests(void) {
  test("The exponential is within 1 ulp from 0 down to where it vanishes.", exp_is_exact_to_one_ulp);
  test("The exponential of 0 is 1, of -INFINITY nothing that a float holds, of NaN NaN, and denormals are kept.", exp_of_extremes);
  test("Weights too small for a normal float are kept.", small_weights_are_kept);
  test("Sums longer than a panel agree with those in double.", long_sums);
  test("A sum of 32,768 equal terms does not drift away.", equal_terms_do_not_drift);
  test("Leaving out what the mask hides, block by block, changes no bit, at every size.", skipping_changes_nothing);
  test("Under the mask a row is the same bits however many rows follow.", rows_do_not_know_what_follows);
  test("Softmax and its gradient do not look at what is masked, and make it 0.", what_is_hidden_is_not_read);
  test("Sums of weights are those of the stored numbers, and column sums go on from what was there.", sums_of_weights);
  test("Every tensor and gradient of a layer is the same by both sets of kernels, at every size.", layers_agree);
}
