/* random.c: random parameters, bit for bit those of PyTorch's CPU generator: mt19937 (Matsumoto and Nishimura 1998)
 * seeded by init_genrand, 24 bits of each word a float. The generator's state is the caller's: there is no global
 * one. Next to read: attention.h (attn_init), which fixes the order in which parameters are drawn. */
#include <math.h>

#include "internal.h"

enum { N = 624, M = 397 };

void attn_random_seed(attn_random *random, uint32_t seed) {
  random->words[0] = seed;
  for (uint32_t i = 1; i < N; i++) {
    const uint32_t previous = random->words[i - 1];
    random->words[i] = 1812433253u * (previous ^ (previous >> 30)) + i;
  }
  random->next = N;
}

/* Make the next 624 words out of the last. */
static void twist(uint32_t words[N]) {
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t y = (words[i] & 0x80000000u) | (words[(i + 1) % N] & 0x7fffffffu);
    words[i] = words[(i + M) % N] ^ (y >> 1) ^ ((y & 1) ? 0x9908b0dfu : 0);
  }
}

uint32_t attn_random_word(attn_random *random) {
  if (random->next == N) {
    twist(random->words);
    random->next = 0;
  }
  uint32_t y = random->words[random->next++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

/* One number uniform in [lo, hi), as torch draws it: hi - lo is rounded to float, the rest is in double. */
static float uniform(attn_random *random, float lo, float hi) {
  const float range = hi - lo;
  const double unit = (double)(attn_random_word(random) & 0xffffffu) / 16777216;
  return (float)(unit * (double)range + (double)lo);
}

/* Row by row. */
static void draw_rows(attn_random *random, size_t n, float lo, float hi, float *numbers) {
  for (size_t i = 0; i < n; i++) numbers[i] = uniform(random, lo, hi);
}

/* torch.nn.Linear draws its weight as [out][in] and this layer keeps it as [in][out]. */
static void draw_linear(attn_random *random, size_t n_in, size_t n_out, float bound, float *w) {
  for (size_t o = 0; o < n_out; o++) {
    for (size_t i = 0; i < n_in; i++) w[i * n_out + o] = uniform(random, -bound, bound);
  }
}

enum { TORCH_RAND, NN_LINEAR, UNIFORM, N_SCHEMES };

const char *attn_scheme_name(int32_t scheme) {
  static const char *const names[N_SCHEMES] = {"torch.rand", "nn.Linear", "uniform"};
  return scheme >= 0 && scheme < N_SCHEMES ? names[scheme] : NULL;
}

/* Draw one projection: its weight w, then its bias b, if the configuration has them. */
static void draw_projection(attn_layer *layer, attn_random *random, int32_t scheme, float bound, int32_t w, int32_t b) {
  const size_t n_weight = attn_tensor_size(layer, w), n_bias = attn_tensor_size(layer, b);
  float *weight = layer->data[w], *bias = layer->data[b];
  if (n_weight == 0) return;
  if (scheme == NN_LINEAR) {
    /* kaiming_uniform_ with a = √5: bound = √3 · gain / √fan_in, gain = √(2 / (1 + a²)); the bias in ±1/√fan_in */
    const double fan_in = attn_tensor_dim(layer, w, 0);
    const float weight_bound = (float)(sqrt(3) * (sqrt(2.0 / 6.0) / sqrt(fan_in)));
    const float bias_bound = (float)(1 / sqrt(fan_in));
    draw_linear(random, (size_t)fan_in, (size_t)attn_tensor_dim(layer, w, 1), weight_bound, weight);
    draw_rows(random, n_bias, -bias_bound, bias_bound, bias);
  } else {
    const float lo = scheme == UNIFORM ? -bound : 0, hi = scheme == UNIFORM ? bound : 1;
    draw_rows(random, n_weight, lo, hi, weight);
    draw_rows(random, n_bias, lo, hi, bias);
  }
}

attn_status attn_init(attn_layer *layer, int32_t scheme, uint32_t seed, double bound) {
  if (!attn_scheme_name(scheme)) return ATTN_UNKNOWN_CHOICE;
  /* A bound whose double, the range, is no float any more cannot be drawn from; !(>= 0) also catches NaN. */
  const float float_bound = (float)bound;
  if (scheme == UNIFORM && (!(bound >= 0) || !isfinite(2 * float_bound))) return ATTN_NUMBER_NOT_FINITE;
  attn_random random;
  attn_random_seed(&random, seed);
  draw_projection(layer, &random, scheme, float_bound, ATTN_W_QUERY, ATTN_B_QUERY);
  draw_projection(layer, &random, scheme, float_bound, ATTN_W_KEY, ATTN_B_KEY);
  draw_projection(layer, &random, scheme, float_bound, ATTN_W_VALUE, ATTN_B_VALUE);
  draw_projection(layer, &random, scheme, float_bound, ATTN_W_OUT, ATTN_B_OUT);
  attn_tensors_changed(layer);
  return ATTN_OK;
}
