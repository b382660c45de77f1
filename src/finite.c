/* finite.c: are all numbers of a tensor finite, and if not, which is the first that is not?  Most checks end at one glance
 * at the largest. It changes no tensor. Next to read: layer.c, which asks before and after each pass. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "internal.h"

void attn_clear_error(attn_layer *layer) {
  layer->error = (attn_bad_number){-1, -1, 0};
}

attn_status attn_not_finite(attn_layer *layer, int32_t tensor, uint64_t element, float value) {
  layer->error = (attn_bad_number){tensor, (double)element, value};
  return ATTN_TENSOR_NOT_FINITE;
}

int32_t attn_error_tensor(const attn_layer *layer) {
  return layer->error.tensor;
}

double attn_error_element(const attn_layer *layer) {
  return layer->error.element;
}

float attn_error_value(const attn_layer *layer) {
  return layer->error.value;
}

/* Without their sign, the bits of floats are in the order of the floats. */
static uint32_t magnitude_bits(const float *x) {
  uint32_t bits;
  memcpy(&bits, x, sizeof bits);
  return bits & 0x7fffffff;
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Both halves together: each comparison waits for the one before. Not to be copied into each check. */
__attribute__((noinline)) float attn_magnitude(size_t n, const float *x) {
  uint32_t first = 0, second = 0;
  const size_t half = n / 2;
  for (size_t k = 0; k < half; k++) {
    first = larger(first, magnitude_bits(x + k));
    second = larger(second, magnitude_bits(x + half + k));
  }
  if (n % 2) first = larger(first, magnitude_bits(x + n - 1));
  const uint32_t largest = larger(first, second);
  float number;
  memcpy(&number, &largest, sizeof number);
  return number;
}

static float tensor_magnitude(attn_layer *layer, int32_t tensor) {
  return attn_magnitude(attn_tensor_size(layer, tensor), attn_tensor_data(layer, tensor));
}

/* Can nothing be wrong with a tensor, whatever its numbers?  No score, nor a part of its sum, is larger than head_dim
 * terms of the largest query times the largest key; and if a weight were not finite, its row's sum would not be. So
 * T x T numbers need not be looked at. With a bug planted, nothing is sure. */
static bool finite_by_others(attn_layer *layer, int32_t tensor) {
  if (layer->fault != ATTN_FAULT_NONE) return false;
  if (tensor == ATTN_WEIGHTS) return isfinite(tensor_magnitude(layer, ATTN_ROW_SUMS));
  if (tensor != ATTN_SCORES) return false;
  const double query = (double)tensor_magnitude(layer, ATTN_QUERIES), key = (double)tensor_magnitude(layer, ATTN_KEYS);
  const double width = attn_width(&layer->shape, layer->score_source); /* no head is wider, and 1 / √head_dim <= 1 */
  return width * query * key * fmax(1, fabs(layer->scale_number)) < 0.5 * (double)FLT_MAX;
}

/* The first number of a tensor that should be finite and is not; its size if there is none. */
static size_t find_not_finite(attn_layer *layer, int32_t tensor) {
  const attn_pass pass = attn_layer_pass(layer);
  const size_t n = attn_tensor_size(layer, tensor);
  const float *numbers = attn_tensor_data(layer, tensor);
  for (size_t k = 0; k < n; k++) {
    if (isfinite(numbers[k])) continue;
    const size_t i = k / pass.n_keys % pass.n_queries, j = k % pass.n_keys;
    if (tensor != ATTN_SCORES || numbers[k] != -INFINITY || attn_allowed(&pass, i, j)) return k;
  }
  return n;
}

/* Scores that are not kept are made once more, unless nothing can be wrong with them: softmax may leave no trace of an
 * infinite one. Row by row, so that the first that is found is the first. */
static attn_status check_forgotten_scores(attn_layer *layer) {
  if (finite_by_others(layer, ATTN_SCORES)) return ATTN_OK;
  const attn_pass pass = attn_layer_pass(layer);
  const float *scores = pass.block_weights;
  for (size_t row = 0; row < pass.n_batch * pass.n_heads * pass.n_queries; row++) {
    const size_t head = row / pass.n_queries, i = row % pass.n_queries, n = attn_reached(pass.n_keys, attn_reach(&pass), i);
    const size_t first = head / pass.n_heads * pass.n_keys, column = head % pass.n_heads * pass.key_dim;
    const float *query = pass.queries + (first + i) * pass.query_stride + column;
    for (size_t j = 0; j < n; j += ATTN_PART_KEYS) {
      const size_t some = n - j < ATTN_PART_KEYS ? n - j : ATTN_PART_KEYS;
      pass.kernels->matmul_bt(1, some, pass.key_dim, some, pass.scale, query, pass.query_stride,
                              pass.keys + (first + j) * pass.key_stride + column, pass.key_stride, layer->block_weights, some);
      for (size_t k = 0; k < some; k++) {
        if (!isfinite(scores[k])) return attn_not_finite(layer, ATTN_SCORES, (uint64_t)row * pass.n_keys + j + k, scores[k]);
      }
    }
  }
  return ATTN_OK;
}

/* Are they all finite at one glance, with what lies between them?  Small layers spend most of a check on its many parts. */
static bool finite_at_once(const attn_layer *layer, int32_t first, int32_t last) {
  enum { FEW = 2048 };
  const float *start = layer->data[first], *end = layer->data[last] + attn_tensor_size(layer, last);
  return end - start <= FEW && isfinite(attn_magnitude((size_t)(end - start), start));
}

attn_status attn_check_finite(attn_layer *layer, int32_t first, int32_t last) {
  const bool kept = layer->shape.keep_weights;
  if (first == ATTN_SCORES && last == ATTN_SCORES && !kept) return check_forgotten_scores(layer);
  /* Masked scores are infinite: a glance over them tells nothing of the others. */
  if ((layer->causal || !kept) && first < ATTN_SCORES && last > ATTN_SCORES) {
    attn_status status = attn_check_finite(layer, first, ATTN_SCORES - 1);
    if (status == ATTN_OK) status = attn_check_finite(layer, ATTN_SCORES, ATTN_SCORES);
    return status == ATTN_OK ? attn_check_finite(layer, ATTN_SCORES + 1, last) : status;
  }
  if (finite_at_once(layer, first, last)) return ATTN_OK;
  for (int32_t t = first; t <= last; t++) {
    const size_t n = attn_tensor_size(layer, t);
    if (n == 0 || finite_by_others(layer, t) || isfinite(tensor_magnitude(layer, t))) continue;
    const size_t k = find_not_finite(layer, t);
    if (k < n) return attn_not_finite(layer, t, k, attn_tensor_data(layer, t)[k]);
  }
  return ATTN_OK;
}
