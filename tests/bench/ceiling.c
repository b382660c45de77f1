/* ceiling.c: how fast multiplications and additions can be at all in SIMD128: chains of x = x·a + b that depend on
 * nothing but themselves, enough of them to keep every unit busy, no memory touched. For the benchmark only.
 * Next to read: product.c, ceiling.js. */
#include <stddef.h>

typedef float v4 __attribute__((vector_size(16)));

enum { CHAINS = 12, STEPS = 1 << 20 };

double bench_chain_operations(void);
float bench_chains(float a, float b);

/* The operations of one call of bench_chains. */
double bench_chain_operations(void) { return 2.0 * 4 * CHAINS * STEPS; }

/* Run the chains. Returns a number that depends on all of them, or a compiler could leave them out. The chains are
 * named one by one: an array would live in memory, since loops are not unrolled. */
float bench_chains(float a, float b) {
  const v4 f = {a, a, a, a}, t = {b, b, b, b};
  v4 x0 = t, x1 = x0 + t, x2 = x1 + t, x3 = x2 + t, x4 = x3 + t, x5 = x4 + t;
  v4 x6 = x5 + t, x7 = x6 + t, x8 = x7 + t, x9 = x8 + t, x10 = x9 + t, x11 = x10 + t;
  for (int i = 0; i < STEPS; i++) {
    x0 = x0 * f + t, x1 = x1 * f + t, x2 = x2 * f + t, x3 = x3 * f + t, x4 = x4 * f + t, x5 = x5 * f + t;
    x6 = x6 * f + t, x7 = x7 * f + t, x8 = x8 * f + t, x9 = x9 * f + t, x10 = x10 * f + t, x11 = x11 * f + t;
  }
  const v4 sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;
  return sum[0] + sum[1] + sum[2] + sum[3];
}
