/* kernels_simd.c: the fast kernels, four numbers at a time by the compiler's vector extension, so that the same file
 * runs in WebAssembly and natively. What they compute is said by kernels_ref.c, which judges them; here sums are kept
 * in float and rounded at every term, but no longer than TERMS of them run on before they are added to the total.
 * No result depends on where a tile or a vector begins: a number is the same bits in every shape that holds it, and
 * what the causal mask leaves out is not computed. Next to read: simd.h, kernels_ref.c, internal.h (attn_kernels). */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "simd.h"

static inline size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* ---- Products -------------------------------------------------------------------------------------------------- */

/* c[i][e] = start[i][e] + scale sum_j a[i][j] b[j][e]. A matrix is a pointer and the distances between its rows and
 * between its columns: so a turned matrix is one too. Without a start, at NULL, it is the sum alone. */
typedef struct matrix {
  const float *at;
  size_t row, column;
} matrix;

typedef struct product {
  size_t m, n, k;
  float scale;
  matrix a, b, start;
  float *c;
  size_t ldc;
  size_t columns, terms, rows; /* what is not zero and is asked for: e < columns + i, j < terms + i, i < rows + j */
} product;

/* A tile of c, ROWS x COLUMNS, is summed in 8 vectors, half of the 16 that a processor has: a row of b, a number of a
 * and a product must fit beside. A panel of b, TERMS x COLUMNS, is copied together: it stays in the nearest cache while
 * the rows of a pass by. */
enum { ROWS = 2, COLUMNS = 16, NARROW = 8, TERMS = 128 };

/* Where a tile of c goes, and what its sums are added to. */
typedef struct tile {
  const float *start;
  size_t start_row;
  float scale, *c;
  size_t ldc;
} tile;

static inline void finish(vec scale, const float *start, float *c, vec first, vec second) {
  first *= scale, second *= scale;
  if (start) first += load(start), second += load(start + LANES);
  store(c, first), store(c + LANES, second);
}

static inline const float *further(const float *start, size_t n) {
  return start ? start + n : NULL;
}

/* c[i] = start[i] + scale sum_j a[i][j] panel[j], over k terms, for n tiles, one below the other; the second row of each
 * is as far as next says. The inner loop must not be unrolled: interleaved steps need more vectors than there are. */
__attribute__((noinline)) static void multiply_tiles(size_t n, size_t k, const float *a, size_t next, size_t step,
                                                     const float *panel, size_t width, const tile *first) {
  const vec scale = splat(first->scale);
  const float *start = first->start;
  float *c = first->c;
  for (; n > 0; n--, a += ROWS * next) {
    vec a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    const float *x = a, *y = a + next, *terms = panel;
    for (size_t j = 0; j < k; j++) {
      const vec p0 = load(terms), p1 = load(terms + LANES), p2 = load(terms + 2 * LANES), p3 = load(terms + 3 * LANES);
      vec number = splat(*x);
      a0 += number * p0, a1 += number * p1, a2 += number * p2, a3 += number * p3;
      number = splat(*y);
      b0 += number * p0, b1 += number * p1, b2 += number * p2, b3 += number * p3;
      x += step, y += step, terms += width;
    }
    const float *below = further(start, first->start_row);
    finish(scale, start, c, a0, a1), finish(scale, further(start, 2 * LANES), c + 2 * LANES, a2, a3);
    c += first->ldc;
    finish(scale, below, c, b0, b1), finish(scale, further(below, 2 * LANES), c + 2 * LANES, b2, b3);
    c += first->ldc;
    start = further(below, first->start_row);
  }
}

/* The same where only the first NARROW columns are asked for. */
static void multiply_narrow_tile(size_t k, const float *a, const float *b, size_t step, const float *panel,
                                 const tile *t) {
  vec a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
  for (size_t j = 0; j < k; j++) {
    const vec p0 = load(panel), p1 = load(panel + LANES);
    a0 += splat(*a) * p0, a1 += splat(*a) * p1;
    b0 += splat(*b) * p0, b1 += splat(*b) * p1;
    a += step, b += step, panel += COLUMNS;
  }
  const vec scale = splat(t->scale);
  finish(scale, t->start, t->c, a0, a1);
  finish(scale, further(t->start, t->start_row), t->c + t->ldc, b0, b1);
}

/* to[r][e] = from[e][r] for four rows and columns */
static void turn(const float *from, size_t ld, float *to) {
  const vec r0 = load(from), r1 = load(from + ld), r2 = load(from + 2 * ld), r3 = load(from + 3 * ld);
  const vec low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5), high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
  const vec low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5), high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
  store(to, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
  store(to + COLUMNS, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
  store(to + 2 * COLUMNS, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
  store(to + 3 * COLUMNS, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
}

/* panel[j][e] = b[j][e] for k rows and so many columns; what else there is room for in its COLUMNS may hold anything:
 * what is computed from it is not stored. */
static void pack(size_t k, size_t columns, matrix b, float *panel) {
  size_t j = 0;
  if (columns == COLUMNS && b.column == 1) {
    for (; j < k; j++, b.at += b.row, panel += COLUMNS) {
      store(panel, load(b.at));
      store(panel + LANES, load(b.at + LANES));
      store(panel + 2 * LANES, load(b.at + 2 * LANES));
      store(panel + 3 * LANES, load(b.at + 3 * LANES));
    }
  } else if (columns == COLUMNS && b.row == 1) {
    for (; j + LANES <= k; j += LANES, b.at += LANES, panel += LANES * COLUMNS) {
      for (size_t e = 0; e < COLUMNS; e += LANES) turn(b.at + e * b.column, b.column, panel + e);
    }
  }
  for (; j < k; j++, b.at += b.row, panel += COLUMNS) {
    for (size_t e = 0; e < columns; e++) panel[e] = b.at[e * b.column];
  }
}

/* One vector of a row of c, or n numbers if it has more. */
static inline void finish_some(size_t n, const float *start, float *c, vec sum) {
  if (n >= LANES) store(c, start ? load(start) + sum : sum);
  else store_last(n, c, start ? load_last(n, start, 0) + sum : sum);
}

/* A tile at the edge of c: it is computed whole, its last row twice, and the part that is inside is added. */
static void multiply_edge(size_t rows, size_t columns, size_t k, const float *a, const float *b, size_t step,
                          const float *panel, size_t width, const tile *t) {
  float sums[ROWS * COLUMNS];
  const tile whole = {NULL, 0, t->scale, sums, COLUMNS};
  if (columns > NARROW) multiply_tiles(1, k, a, (size_t)(b - a), step, panel, width, &whole);
  else multiply_narrow_tile(k, a, b, step, panel, &whole);
  for (size_t r = 0; r < rows; r++) {
    const float *start = further(t->start, r * t->start_row), *row = sums + r * COLUMNS;
    float *c = t->c + r * t->ldc;
    for (size_t e = 0; e < columns; e += LANES) finish_some(columns - e, further(start, e), c + e, load(row + e));
  }
}

/* One panel's part of the product: rows i0 to i1, columns e0 to e0 + columns, terms j0 to j1. */
static void multiply_panel(const product *p, size_t i0, size_t i1, size_t e0, size_t columns, size_t j0, size_t j1,
                           const float *panel, size_t width) {
  const matrix start = j0 == 0 ? p->start : (matrix){p->c, p->ldc, 1};
  const size_t step = p->a.column, row = p->a.row, first = e0 < p->columns ? 0 : e0 + 1 - p->columns;
  size_t i = i0 > first ? i0 : first;
  const float *a = p->a.at + i * row;
  tile t = {further(start.at, i * start.row + e0), start.row, p->scale, p->c + i * p->ldc + e0, p->ldc};
  if (columns == COLUMNS && p->rows >= i1 && p->terms >= j1) {
    const size_t n = i < i1 ? (i1 - i) / ROWS : 0;
    multiply_tiles(n, j1 - j0, a + j0 * step, row, step, panel, width, &t);
    i += n * ROWS, a += n * ROWS * row, t.start = further(t.start, n * ROWS * t.start_row), t.c += n * ROWS * t.ldc;
  }
  for (; i < i1; i += ROWS, a += ROWS * row, t.start = further(t.start, ROWS * t.start_row), t.c += ROWS * t.ldc) {
    const size_t rows = smaller(ROWS, i1 - i), below = i < p->rows ? 0 : i + 1 - p->rows;
    const size_t from = below > j0 ? below : j0, to = smaller(j1, p->terms + i + rows - 1);
    if (from >= to && j0 > 0) continue;
    const size_t k = from < to ? to - from : 0;
    const float *own = a + from * step, *terms = panel + (from - j0) * width;
    if (rows == ROWS && columns == COLUMNS) multiply_tiles(1, k, own, row, step, terms, width, &t);
    else multiply_edge(rows, columns, k, own, rows > 1 ? own + row : own, step, terms, width, &t);
  }
}

/* The same product, so small that packing and tiles would cost more than its sums: four columns and two rows at a time.
 * Each sum is made as in a tile, so its bits are the same. */
static void multiply_small(const product *p, size_t e0) {
  const size_t n = p->n - e0, m = p->m, k = p->k, terms = p->terms, reach = p->rows;
  const size_t row = p->a.row, step = p->a.column, next = p->b.column, start_row = p->start.row, ldc = p->ldc;
  const vec scale = splat(p->scale);
  const float *b = p->b.at + e0 * next;
  vec panel[TERMS];
  for (size_t j = 0; j < k; j++, b += p->b.row) {
    panel[j] = (vec){b[0], n > 1 ? b[next] : 0, n > 2 ? b[2 * next] : 0, n > 3 ? b[3 * next] : 0};
  }
  size_t i = e0 < p->columns ? 0 : e0 + 1 - p->columns;
  const float *a = p->a.at + i * row, *start = further(p->start.at, i * start_row + e0);
  float *c = p->c + i * ldc + e0;
  for (; i < m; i += ROWS, a += ROWS * row, start = further(start, ROWS * start_row), c += ROWS * ldc) {
    const bool two = i + 1 < m;
    const size_t from = i < reach ? 0 : i + 1 - reach, to = smaller(k, terms + i + two);
    const float *x = a + from * step, *y = two ? x + row : x;
    vec first = {0}, second = {0};
    for (size_t j = from; j < to; j++, x += step, y += step) {
      first += splat(*x) * panel[j];
      second += splat(*y) * panel[j];
    }
    finish_some(n, start, c, scale * first);
    if (two) finish_some(n, further(start, start_row), c + ldc, scale * second);
  }
}

/* So many rows at a time that their part of a and c stays in the second cache while all panels go by. Not to be copied
 * into each kernel: it is most of their code. */
__attribute__((noinline)) static void multiply(const product *p) {
  enum { AT_ONCE = 512, FEW = 64 };
  if ((double)p->m * (double)p->n * (double)p->k <= (double)TERMS) { /* as integers they may be beyond 32 bits */
    for (size_t e = 0; e < p->n; e += LANES) multiply_small(p, e);
    return;
  }
  float panel[TERMS * COLUMNS];
  for (size_t i = 0; i < p->m; i += AT_ONCE) {
    for (size_t j0 = 0; j0 == 0 || j0 < p->k; j0 += TERMS) {
      const size_t j1 = smaller(p->k, j0 + TERMS);
      for (size_t e0 = 0; e0 < p->n; e0 += COLUMNS) {
        const size_t columns = smaller(COLUMNS, p->n - e0);
        const matrix b = {p->b.at + j0 * p->b.row + e0 * p->b.column, p->b.row, p->b.column};
        const bool as_it_is = p->m <= FEW && b.row <= FEW && columns == COLUMNS && b.column == 1;
        if (!as_it_is) pack(j1 - j0, columns, b, panel);
        multiply_panel(p, i, smaller(p->m, i + AT_ONCE), e0, columns, j0, j1, as_it_is ? b.at : panel,
                       as_it_is ? b.row : COLUMNS);
      }
    }
  }
}

static void matmul(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                   const float *bias, float *c, size_t ldc) {
  const product p = {m, n, k, 1, {a, lda, 1}, {b, ldb, 1}, {bias, 0, 1}, c, ldc, n, reach, m};
  multiply(&p);
}

static void add_matmul(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                       float *c, size_t ldc) {
  const product p = {m, n, k, 1, {a, lda, 1}, {b, ldb, 1}, {c, ldc, 1}, c, ldc, n, reach, m};
  multiply(&p);
}

static void matmul_bt(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                      const float *b, size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, lda, 1}, {b, 1, ldb}, {NULL, 0, 1}, c, ldc, reach, k, m};
  multiply(&p);
}

static void matmul_scaled(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                          const float *b, size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, lda, 1}, {b, ldb, 1}, {NULL, 0, 1}, c, ldc, n, reach, m};
  multiply(&p);
}

static void matmul_at(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                      const float *b, size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, 1, lda}, {b, ldb, 1}, {NULL, 0, 1}, c, ldc, n, k, reach};
  multiply(&p);
}

static void add_matmul_bt(size_t m, size_t n, size_t k, double scale, const float *a, size_t lda, const float *b,
                          size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, lda, 1}, {b, 1, ldb}, {c, ldc, 1}, c, ldc, n, k, m};
  multiply(&p);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static inline void clear_from(size_t j, size_t n, float *row) {
  if (j < n) memset(row + j, 0, (n - j) * sizeof(float));
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
  vec q = splat(0x1.6a23cep-10f) * r + splat(0x1.123a2p-7f);
  q = q * r + splat(0x1.5558f2p-5f);
  q = q * r + splat(0x1.555492p-3f);
  q = q * r + splat(0x1.fffffcp-2f);
  return (r * r * q + r + splat(1)) * (vec)((uvec)sum << 23);
}

/* The sum of a row of which TERMS at most run on in float. */
static double sum_row(size_t n, const float *x) {
  double total = 0;
  for (size_t j = 0; j < n;) {
    const size_t end = smaller(n, j + TERMS);
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
  for (; j + 2 * LANES <= n; j += 2 * LANES) even = larger_of(even, load(x + j)), odd = larger_of(odd, load(x + j + LANES));
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
static void softmax_rows(size_t n_rows, size_t n_keys, size_t reach, const float *scores, size_t ld_scores,
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
static void softmax_part(size_t n_rows, size_t n_keys, size_t reach, float *scores, size_t ld_scores, float *max,
                         double *total, size_t width, float *sums, size_t ld_sums) {
  for (size_t i = 0; i < n_rows; i++, scores += ld_scores, sums += ld_sums) {
    const size_t n = attn_reached(n_keys, reach, i);
    const float most = largest(n, scores), larger = most > max[i] ? most : max[i], shift = larger > -INFINITY ? larger : 0;
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
static void sum_weights(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
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
static void softmax_rows_backward(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                                  const float *d_weights, size_t ld_d_weights, float *d_scores, size_t ld_d_scores) {
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

const attn_kernels attn_kernels_simd = {
    "simd",     8 * 0x1p-24, matmul,        matmul_bt, softmax_rows,  sum_weights,
    add_matmul, softmax_part, matmul_scaled, matmul_at, add_matmul_bt, softmax_rows_backward,
};
