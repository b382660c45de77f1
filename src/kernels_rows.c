/* kernels_rows.c: the fast kernels that go along rows: softmax with its own exponential, sums of weights, and the way
 * back; the products are in kernels_simd.c, whose rules hold here too. It must not look at what a mask hides.
 * Next to read: simd.h, kernels_ref.c. */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "simd.h"

/* Zero from j to n. A short rest by a loop of which the compiler does not know that it writes zeros: else it makes a call
 * of it, out of the module, which takes as long as a hundred numbers. */
static void clear_from(size_t j, size_t n, float *row) {
  float zero = 0;
  __asm__("" : "+r"(zero));
  enum { SHORT = 256 };
  if (j + SHORT < n) {
    memset(row + j, 0, (n - j) * sizeof(float));
    return;
  }
  const vec nothing = splat(zero);
  for (; j + LANES <= n; j += LANES) store(row + j, nothing);
  for (; j < n; j++) row[j] = nothing[0];
}

static double sum_lanes(vec v) {
  return ((double)v[0] + (double)v[1]) + ((double)v[2] + (double)v[3]);
}

/* 2^64 exp(x) for x <= 0, within 1 ulp: 2^n exp(r), where n = round(x / ln 2), so that |r| <= ln 2 / 2, and exp(r) is
 * the polynomial of degree 6 with the least relative error, 3e-9. NaN gives NaN, and what is less than -104 the same as
 * -104, which is less than half of the least float and so 0 once it is divided by a sum that is not.
 * n is read from the low bits of a sum so large that they count whole numbers; they hold n + 191, which, shifted into
 * the exponent's place, is 2^(n + 64): normal for every n, so that denormals are rounded but once, by whoever divides.
 * ln 2 is taken away in two parts; the first has so few bits that n times it is exact (Cody and Waite 1980). Of all
 * floats from -104 to 0 the worst is 0.99 ulp off. */
static inline vec exp_not_above_0(vec number) {
  const float lowest = -104, whole = 12582912 + 191;
  const float per_ln2 = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  const vec x = larger_of(number, splat(lowest));
  const vec sum = x * splat(per_ln2) + splat(whole), n = sum - splat(whole);
  const vec r = (x - n * splat(ln2_high)) - n * splat(ln2_low);
  const vec r2 = r * r, low = splat(0x1.555492p-3f) * r + splat(0x1.fffffcp-2f);
  const vec high = splat(0x1.6a23cep-10f) * r2 + (splat(0x1.123a2p-7f) * r + splat(0x1.5558f2p-5f));
  return (r2 * (high * r2 + low) + r + splat(1)) * (vec)((uvec)sum << 23);
}

/* The sum of a row of which TERMS at most run on in float. */
static double sum_row(size_t n, const float *x) {
  double total = 0;
  for (size_t j = 0; j < n;) {
    const size_t end = n - j > TERMS ? j + TERMS : n;
    vec sum = {0};
    for (; j + 2 * LANES <= end; j += 2 * LANES) sum += load(x + j) + load(x + j + LANES);
    if (j + LANES < end) sum += load(x + j) + load_last(end - j - LANES, x + j + LANES, 0);
    else if (j + LANES == end) sum += load(x + j);
    else if (j < end) sum += load_last(end - j, x + j, 0);
    j = end;
    total += sum_lanes(sum);
  }
  return total;
}

__attribute__((noinline)) void attn_exp_row(size_t n, const float *x, float shift, float *y) {
  size_t j = 0;
  for (; j + LANES <= n; j += LANES) store(y + j, exp_not_above_0(load(x + j) - splat(shift)));
  if (j < n) store_last(n - j, y + j, exp_not_above_0(load_last(n - j, x + j, shift) - splat(shift)));
}

static float largest(size_t n, const float *x) {
  vec even = splat(-INFINITY), odd = even; /* two, because each step waits for the one before */
  size_t j = 0;
  for (; j + 2 * LANES <= n; j += 2 * LANES) {
    even = larger_of(even, load(x + j));
    odd = larger_of(odd, load(x + j + LANES));
  }
  if (j + LANES <= n) even = larger_of(even, load(x + j)), j += LANES;
  if (j < n) odd = larger_of(odd, load_last(n - j, x + j, -INFINITY));
  even = larger_of(even, odd);
  even = larger_of(even, __builtin_shufflevector(even, even, 2, 3, 0, 1));
  return larger_of(even, __builtin_shufflevector(even, even, 1, 0, 3, 2))[0];
}

static void scale_row(size_t n, double by, float *x) {
  const vec factor = splat((float)by);
  size_t j = 0;
  for (; j + LANES <= n; j += LANES) store(x + j, load(x + j) * factor);
  if (j < n) store_last(n - j, x + j, load_last(n - j, x + j, 0) * factor);
}

static void subtract(size_t n, const float *x, float shift, float *y) {
  size_t j = 0;
  for (; j + LANES <= n; j += LANES) store(y + j, load(x + j) - splat(shift));
  for (; j < n; j++) y[j] = x[j] - shift;
}

/* What was masked everywhere is all 0: no exponential of the largest score stands among the others. NaN stays NaN. */
__attribute__((noinline)) static void divide_by_sum(size_t n, size_t n_keys, float *weights) {
  const double sum = sum_row(n, weights);
  scale_row(n, sum < 1 ? 0 : 1 / sum, weights);
  clear_from(n, n_keys, weights);
}

/* w_j = exp(s_j - max s) / sum_j exp(s_j - max s), over the keys that the row may draw on; 0 for the others. All rows
 * together if they are short: the exponential takes a while to begin. */
void attn_simd_softmax_rows(size_t n_rows, size_t n_keys, size_t reach, const float *scores, size_t ld_scores,
                            float *weights, size_t ld_weights) {
  enum { SHORT = 32 };
  const bool together = n_keys < SHORT && ld_weights == n_keys;
  for (size_t i = 0; i < n_rows; i++) {
    const size_t n = attn_reached(n_keys, reach, i);
    const float *from = scores + i * ld_scores, max = largest(n, from), shift = max > -INFINITY ? max : 0;
    float *to = weights + i * ld_weights;
    if (together) {
      subtract(n, from, shift, to);
    } else {
      attn_exp_row(n, from, shift, to);
      divide_by_sum(n, n_keys, to);
    }
  }
  if (!together) return;
  attn_exp_row(n_rows * n_keys, weights, 0, weights);
  for (size_t i = 0; i < n_rows; i++) divide_by_sum(attn_reached(n_keys, reach, i), n_keys, weights + i * n_keys);
}

/* The same for a part of the keys: kernels_ref.c. Totals carry the factor of attn_exp_row. */
void attn_simd_softmax_part(size_t n_rows, size_t n_keys, size_t reach, float *scores, size_t ld_scores, float *max,
                            double *total, size_t width, float *sums, size_t ld_sums) {
  for (size_t i = 0; i < n_rows; i++, scores += ld_scores, sums += ld_sums) {
    const size_t n = attn_reached(n_keys, reach, i);
    const float most = largest(n, scores), larger = most > max[i] ? most : max[i];
    const float shift = larger > -INFINITY ? larger : 0;
    const double before = total[i] * exp((double)max[i] - (double)shift);
    attn_exp_row(n, scores, shift, scores);
    const double sum = sum_row(n, scores);
    const bool some = larger > -INFINITY; /* else each was masked by itself, and all are 0 */
    const double all = some ? before + sum : 0 * sum;
    scale_row(n, some ? 1 / all : all, scores);
    if (some) scale_row(width, before / all, sums);
    clear_from(n, n_keys, scores);
    max[i] = larger;
    total[i] = all;
  }
}

/* row_sums[i] = sum_j weights[i][j];  column_totals[j] += sum_i weights[i][j]. In double: what is said of a row's sum
 * is about the stored weights, not about how they were added. */
void attn_simd_sum_weights(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                           float *row_sums, double *column_totals) {
  for (size_t i = 0; i < n_rows; i++, weights += ld_weights) {
    const size_t n = attn_reached(n_keys, reach, i);
    dvec low_sum = {0}, high_sum = {0};
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
      const dvec low = load_two(weights + j), high = load_two(weights + j + 2);
      loose_dvec *totals = (loose_dvec *)(void *)(column_totals + j);
      low_sum += low;
      high_sum += high;
      totals[0] += low;
      totals[1] += high;
    }
    double sum = (low_sum[0] + low_sum[1]) + (high_sum[0] + high_sum[1]);
    for (; j < n; j++) {
      sum += (double)weights[j];
      column_totals[j] += (double)weights[j];
    }
    row_sums[i] = (float)sum;
  }
}

/* ds_k = w_k (dw_k - sum_j dw_j w_j), over the keys that the row may draw on; 0 for the others */
void attn_simd_softmax_rows_backward(size_t n_rows, size_t n_keys, size_t reach, const float *weights,
                                     size_t ld_weights, const float *d_weights, size_t ld_d_weights, float *d_scores,
                                     size_t ld_d_scores) {
  for (size_t i = 0; i < n_rows; i++, weights += ld_weights, d_weights += ld_d_weights, d_scores += ld_d_scores) {
    const size_t n = attn_reached(n_keys, reach, i);
    vec products = {0};
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) products += load(d_weights + j) * load(weights + j);
    if (j < n) products += load_last(n - j, d_weights + j, 0) * load_last(n - j, weights + j, 0);
    const float sum = (float)sum_lanes(products);
    for (j = 0; j + LANES <= n; j += LANES) {
      store(d_scores + j, load(weights + j) * (load(d_weights + j) - splat(sum)));
    }
    for (; j < n; j++) d_scores[j] = weights[j] * (d_weights[j] - sum);
    clear_from(n, n_keys, d_scores);
  }
}
