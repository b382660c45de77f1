/* kernels_test.c: every kernel of every set at every size from 1 to 17, 31 to 33 and 63 to 65, on memory that is aligned to
 * a float only, between guard words, against a reference in long double. Next to read: simd_test.c. */
#include <math.h>
#include <stdlib.h>

#include "c_vectors.h"
#include "internal.h"
#include "suites.h"

static const attn_kernels *const sets[] = {&attn_kernels_ref, &attn_kernels_simd};
enum { N_SETS = sizeof sets / sizeof sets[0] };

static const size_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65};
enum { N_SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 65 };

enum { GAP = 3, LD = LARGEST + GAP, OFF = 1, ROOM = OFF + LARGEST * LD + GAP };
static const float guard = 12345.5f;

typedef struct buffers {
  float a[ROOM], b[ROOM], bias[ROOM], c[ROOM];
} buffers;

static buffers *make_buffers(void) {
  buffers *m = malloc(sizeof *m);
  if (!m) abort();
  fill_distinct(ROOM, m->a, 1);
  fill_distinct(ROOM, m->b, 2);
  fill_distinct(ROOM, m->bias, 3);
  for (size_t k = 0; k < ROOM; k++) m->c[k] = guard;
  return m;
}

/* Was nothing written but rows × columns at OFF with the row distance LD?  Puts the guards back. */
static bool guards_stand(float *c, size_t rows, size_t columns) {
  bool stand = true;
  for (size_t k = 0; k < ROOM; k++) {
    const size_t row = (k - OFF) / LD, column = (k - OFF) % LD;
    const bool inside = k >= OFF && row < rows && column < columns;
    stand = stand && (inside || (c[k] >= guard && c[k] <= guard));
    c[k] = guard;
  }
  return stand;
}

/* fabsl by hand: clang 19 crashes on the call when it compiles for WebAssembly. */
static long double absolute(long double x) {
  return x < 0 ? -x : x;
}

/* Has a kernel written what it should?  The plain ones are one rounding to float off, for they add in double; the others
 * as far as n roundings of numbers no larger than the magnitude are likely to lead. */
static bool is_rounded(const attn_kernels *kernels, size_t n, float got, long double want, long double magnitude) {
  const long double each = kernels == &attn_kernels_ref ? 1e-14L : 6e-8L * (2 + (long double)sqrt((double)n));
  return absolute((long double)got - want) <= absolute(want) * 6e-8L + magnitude * each;
}

static bool matmul_is_right(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, size_t k, bool biased) {
  const float *a = m->a + OFF, *b = m->b + OFF, *bias = biased ? m->bias + OFF : NULL;
  float *c = m->c + OFF;
  bool right = true;
  kernels->matmul(rows, n, k, k, a, LD, b, LD, bias, c, LD);
  for (size_t i = 0; i < rows; i++) {
    for (size_t e = 0; e < n; e++) {
      long double sum = bias ? (long double)bias[e] : 0, magnitude = absolute(sum);
      for (size_t j = 0; j < k; j++) {
        const long double term = (long double)a[i * LD + j] * (long double)b[j * LD + e];
        sum += term;
        magnitude += absolute(term);
      }
      right = right && is_rounded(kernels, k, c[i * LD + e], sum, magnitude);
    }
  }
  return guards_stand(m->c, rows, n) && right;
}

static bool matmul_bt_is_right(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, size_t k) {
  const float *a = m->a + OFF, *b = m->b + OFF;
  const double scale = 0.7;
  float *c = m->c + OFF;
  bool right = true;
  kernels->matmul_bt(rows, n, k, n, scale, a, LD, b, LD, c, LD);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < n; j++) {
      long double sum = 0, magnitude = 0;
      for (size_t e = 0; e < k; e++) {
        const long double term = (long double)scale * (long double)a[i * LD + e] * (long double)b[j * LD + e];
        sum += term;
        magnitude += absolute(term);
      }
      right = right && is_rounded(kernels, k, c[i * LD + j], sum, magnitude);
    }
  }
  return guards_stand(m->c, rows, n) && right;
}

/* What stands in c before: small numbers of its own in c, the guard everywhere else. */
static float start(size_t k) {
  return (float)(k % 7) * 0.25f - 0.5f;
}

typedef void back_kernel(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                        const float *b, size_t ldb, float *c, size_t ldc);

/* c = scale a b, where a and b may each be stored the other way round; no kernel: add_matmul_bt, which adds to c. */
static bool back_is_right(const attn_kernels *kernels, back_kernel *kernel, bool a_turned, bool b_turned, buffers *m,
                          size_t rows, size_t n, size_t k) {
  const float *a = m->a + OFF, *b = m->b + OFF;
  const double scale = -0.7;
  float *c = m->c + OFF;
  bool right = true;
  for (size_t i = 0; i < rows; i++) {
    for (size_t e = 0; e < n; e++) c[i * LD + e] = start(i * n + e);
  }
  if (kernel) kernel(rows, n, k, a_turned ? rows : k, scale, a, LD, b, LD, c, LD);
  else kernels->add_matmul_bt(rows, n, k, scale, a, LD, b, LD, c, LD);
  for (size_t i = 0; i < rows; i++) {
    for (size_t e = 0; e < n; e++) {
      long double sum = kernel ? 0 : (long double)start(i * n + e), magnitude = absolute(sum);
      for (size_t j = 0; j < k; j++) {
        const float left = a_turned ? a[j * LD + i] : a[i * LD + j], other = b_turned ? b[e * LD + j] : b[j * LD + e];
        const long double term = (long double)scale * (long double)left * (long double)other;
        sum += term;
        magnitude += absolute(term);
      }
      right = right && is_rounded(kernels, k, c[i * LD + e], sum, magnitude);
    }
  }
  return guards_stand(m->c, rows, n) && right;
}

static bool matmuls_back_are_right(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, size_t k) {
  return back_is_right(kernels, kernels->matmul_scaled, false, false, m, rows, n, k) &&
         back_is_right(kernels, kernels->matmul_at, true, false, m, rows, n, k) &&
         back_is_right(kernels, NULL, false, true, m, rows, n, k);
}

static bool add_matmul_is_right(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, size_t k) {
  const float *a = m->a + OFF, *b = m->b + OFF;
  float *c = m->c + OFF;
  bool right = true;
  for (size_t i = 0; i < rows; i++) {
    for (size_t e = 0; e < n; e++) c[i * LD + e] = start(i * n + e);
  }
  kernels->add_matmul(rows, n, k, k, a, LD, b, LD, c, LD);
  for (size_t i = 0; i < rows; i++) {
    for (size_t e = 0; e < n; e++) {
      long double sum = (long double)start(i * n + e), magnitude = absolute(sum);
      for (size_t j = 0; j < k; j++) {
        const long double term = (long double)a[i * LD + j] * (long double)b[j * LD + e];
        sum += term;
        magnitude += absolute(term);
      }
      right = right && is_rounded(kernels, k, c[i * LD + e], sum, magnitude);
    }
  }
  return guards_stand(m->c, rows, n) && right;
}

/* Every size along each of the three axes, with uneven sizes along the others. */
static void for_every_size(bool (*check)(const attn_kernels *, buffers *, size_t, size_t, size_t)) {
  buffers *m = make_buffers();
  for (size_t set = 0; set < N_SETS; set++) {
    for (size_t s = 0; s < N_SIZES; s++) {
      for (size_t other = 0; other < N_SIZES; other++) {
        EXPECT(check(sets[set], m, sizes[s], sizes[other], 5));
        EXPECT(check(sets[set], m, 3, sizes[s], sizes[other]));
        EXPECT(check(sets[set], m, sizes[other], 7, sizes[s]));
      }
    }
  }
  free(m);
}

static bool matmul_both(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, size_t k) {
  return matmul_is_right(kernels, m, rows, n, k, false) && matmul_is_right(kernels, m, rows, n, k, true);
}

static void matmul_everywhere(void) {
  for_every_size(matmul_both);
}

static void add_matmul_everywhere(void) {
  for_every_size(add_matmul_is_right);
}

static void matmul_bt_everywhere(void) {
  for_every_size(matmul_bt_is_right);
}

static void matmuls_back_everywhere(void) {
  for_every_size(matmuls_back_are_right);
}

static bool softmax_is_right(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, bool in_place) {
  const float *scores = m->a + OFF;
  float *weights = m->c + OFF;
  bool right = true;
  if (in_place) {
    for (size_t i = 0; i < rows; i++) {
      for (size_t j = 0; j < n; j++) weights[i * LD + j] = scores[i * LD + j];
    }
  }
  kernels->softmax_rows(rows, n, n, in_place ? weights : scores, LD, weights, LD);
  for (size_t i = 0; i < rows; i++) {
    long double sum = 0;
    for (size_t j = 0; j < n; j++) sum += expl((long double)scores[i * LD + j]);
    for (size_t j = 0; j < n; j++) {
      right = right && is_rounded(kernels, 1, weights[i * LD + j], expl((long double)scores[i * LD + j]) / sum, 1);
    }
  }
  return guards_stand(m->c, rows, n) && right;
}

static void softmax_everywhere(void) {
  buffers *m = make_buffers();
  for (size_t set = 0; set < N_SETS; set++) {
    for (size_t s = 0; s < N_SIZES; s++) {
      EXPECT(softmax_is_right(sets[set], m, 3, sizes[s], false));
      EXPECT(softmax_is_right(sets[set], m, sizes[s], 5, true));
    }
  }
  free(m);
}

/* By the whole Jacobian: ds_k = sum_j dw_j w_j ([j = k] - w_k), quadratic in n. */
static bool softmax_backward_is_right(const attn_kernels *kernels, buffers *m, size_t rows, size_t n, bool in_place) {
  const float *weights = m->a + OFF, *d_weights = m->b + OFF;
  float *d_scores = m->c + OFF;
  bool right = true;
  for (size_t i = 0; in_place && i < rows; i++) {
    for (size_t j = 0; j < n; j++) d_scores[i * LD + j] = d_weights[i * LD + j];
  }
  kernels->softmax_rows_backward(rows, n, n, weights, LD, in_place ? d_scores : d_weights, LD, d_scores, LD);
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < n; k++) {
      long double sum = 0, magnitude = 0;
      for (size_t j = 0; j < n; j++) {
        const long double part = (j == k ? 1 : 0) - (long double)weights[i * LD + k];
        const long double term = (long double)d_weights[i * LD + j] * (long double)weights[i * LD + j] * part;
        sum += term;
        magnitude += absolute(term) + absolute((long double)d_weights[i * LD + j]);
      }
      right = right && is_rounded(kernels, n, d_scores[i * LD + k], sum, magnitude);
    }
  }
  return guards_stand(m->c, rows, n) && right;
}

static void softmax_backward_everywhere(void) {
  buffers *m = make_buffers();
  for (size_t set = 0; set < N_SETS; set++) {
    for (size_t s = 0; s < N_SIZES; s++) {
      EXPECT(softmax_backward_is_right(sets[set], m, 3, sizes[s], false));
      EXPECT(softmax_backward_is_right(sets[set], m, sizes[s], 5, true));
    }
  }
  free(m);
}

static void masked_softmax_backward(void) {
  const float weights[] = {0, 0.25f, 0.75f, 0, 0, 0}, d_weights[] = {9, 1, -1, 1e30f, 5, -7};
  float d_scores[6];
  for (size_t set = 0; set < N_SETS; set++) {
    sets[set]->softmax_rows_backward(2, 3, 3, weights, 3, d_weights, 3, d_scores, 3);
    EXPECT_CLOSE(6, d_scores, (double[]){0, 0.375, -0.375, 0, 0, 0}, 0, 0);
  }
}

/* Softmax of one row, by every set. */
static void expect_softmax(size_t n, const float *scores, const double *want, double atol) {
  float weights[16];
  for (size_t set = 0; set < N_SETS; set++) {
    sets[set]->softmax_rows(1, n, n, scores, n, weights, n);
    EXPECT_CLOSE(n, weights, want, atol, 0);
  }
}

static void published_softmax(void) {
  float scores[6];
  for (size_t j = 0; j < 6; j++) scores[j] = (float)softmax_row2_scores[j];
  expect_softmax(6, scores, softmax_row2_expected, 0.5e-4);
  expect_softmax(6, scores, softmax_row2_expected_torch_f32, 1e-7);
}

static void shifted_softmax(void) {
  expect_softmax(2, (float[]){89, 88}, (double[]){0.7310585786300049, 0.2689414213699951}, 1e-7);
  const double scale = 1 / sqrt(2.0);
  expect_softmax(3, (float[]){(float)(3 * scale), (float)(2 * scale), (float)(6 * scale)},
                 (double[]){0.1017, 0.0501, 0.8482}, 0.5e-4);
  expect_softmax(3, (float[]){1.5f, 1, 3}, (double[]){0.164, 0.100, 0.736}, 0.5e-3);
}

static void huge_softmax(void) {
  expect_softmax(3, (float[]){1e30f, -1e30f, 1e30f}, (double[]){0.5, 0, 0.5}, 0);
  expect_softmax(2, (float[]){-1e30f, -1e30f}, (double[]){0.5, 0.5}, 0);
  expect_softmax(2, (float[]){3e38f, -3e38f}, (double[]){1, 0}, 0);
}

static void masked_softmax(void) {
  expect_softmax(3, (float[]){-INFINITY, 7, -INFINITY}, (double[]){0, 1, 0}, 0);
  expect_softmax(3, (float[]){-INFINITY, -INFINITY, -INFINITY}, (double[]){0, 0, 0}, 0);
  expect_softmax(2, (float[]){-1e30f, -INFINITY}, (double[]){1, 0}, 0);
}

static void keras_masked_softmax(void) {
  float scores[12], weights[12];
  for (size_t k = 0; k < 12; k++) {
    scores[k] = keras_softmax_fully_masked_keep_mask[k] > 0 ? (float)keras_softmax_fully_masked_scores[k] : -INFINITY;
  }
  for (size_t set = 0; set < N_SETS; set++) {
    sets[set]->softmax_rows(3, 4, 4, scores, 4, weights, 4);
    EXPECT_CLOSE(12, weights, keras_softmax_fully_masked_weights, 1e-6, 0);
  }
}

static void nan_softmax(void) {
  const float scores[2][3] = {{1, NAN, 2}, {-INFINITY, NAN, -INFINITY}};
  float weights[2][3];
  for (size_t set = 0; set < N_SETS; set++) {
    sets[set]->softmax_rows(2, 3, 3, scores[0], 3, weights[0], 3);
    for (size_t k = 0; k < 6; k++) EXPECT(isnan(weights[k / 3][k % 3]));
  }
}

/* Value widths of their own, more keys than queries, a batch: what no layer has. */
static void rectangular_blend(void) {
  float weights[3 * 5 * 7], values[3 * 7 * 4], context[3 * 5 * 4];
  for (size_t k = 0; k < 105; k++) weights[k] = (float)context_batched_A[k];
  for (size_t k = 0; k < 84; k++) values[k] = (float)context_batched_X[k];
  for (size_t set = 0; set < N_SETS; set++) {
    for (size_t b = 0; b < 3; b++) {
      sets[set]->matmul(5, 4, 7, 7, weights + b * 35, 7, values + b * 28, 4, NULL, context + b * 20, 4);
    }
    EXPECT_CLOSE(60, context, context_batched_Y, 1e-6, 1e-6);
  }
}

static void magnitudes(void) {
  for (size_t n = 1; n <= 5; n++) {
    for (size_t k = 0; k < n; k++) {
      float x[5] = {1, -1, 1, -1, 1};
      x[k] = -2;
      EXPECT_CLOSE(1, (float[]){attn_magnitude(n, x)}, (double[]){2}, 0, 0);
      x[k] = -INFINITY;
      EXPECT(isinf(attn_magnitude(n, x)));
      x[k] = NAN;
      EXPECT(isnan(attn_magnitude(n, x)));
    }
  }
}

void kernel_tests(void) {
  test("The largest of numbers without their sign is found wherever it stands, and so is one that is not finite.",
       magnitudes);
  test("matmul is right at every size, with and without a bias, and writes nothing beside its output.",
       matmul_everywhere);
  test("add_matmul adds to what is there, at every size, and nowhere else.", add_matmul_everywhere);
  test("matmul_bt is right at every size and writes nothing beside its output.", matmul_bt_everywhere);
  test("softmax_rows is right at every size, in place too, and writes nothing beside its output.", softmax_everywhere);
  test("The kernels for the way back write a·b and aᵀ·b, and add a·bᵀ to what is there, at every size, nowhere else.",
       matmuls_back_everywhere);
  test("The linear-time gradient of softmax is that of its whole Jacobian, at every size, in place too.",
       softmax_backward_everywhere);
  test("A masked key has no gradient, whatever comes in, and a row masked everywhere has none.",
       masked_softmax_backward);
  test("The published softmax of six scores comes out to its printed digits, and to float precision.",
       published_softmax);
  test("Softmax subtracts the row's maximum: [89, 88] gives .7311 .2689, and [3, 2, 6]/√2 gives .1017 .0501 .8482.",
       shifted_softmax);
  test("Softmax of scores as large as ±1e30 has neither NaN nor infinity.", huge_softmax);
  test("A score of -INFINITY gives a weight of exactly 0, and a row masked everywhere gives zeros.", masked_softmax);
  test("A published masked softmax with a fully masked row comes out as published.", keras_masked_softmax);
  test("NaN in a row of scores stays visible, in a masked row too.", nan_softmax);
  test("5×7 weights times 7×4 values, in a batch of 3, give PyTorch's context vectors.", rectangular_blend);
}
