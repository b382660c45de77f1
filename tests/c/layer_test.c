/* layer_test.c: the life of a layer: shapes that are refused, one allocation, the directory of tensors, statuses.
 * Next to read: options_test.c. */
#include <stdint.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

static attn_status check(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                         int32_t out_width) {
  return attn_shape_check(n_batch, n_tokens, d_in, d_out, n_heads, out_width, 0, 0, 0, 0, 1, 1);
}

static void sizes_refused(void) {
  EXPECT(check(1, 1, 1, 1, 1, 0) == ATTN_OK);
  EXPECT(check(0, 1, 1, 1, 1, 0) == ATTN_SIZE_NOT_POSITIVE);
  EXPECT(check(1, 0, 1, 1, 1, 0) == ATTN_SIZE_NOT_POSITIVE);
  EXPECT(check(1, 1, -1, 1, 1, 0) == ATTN_SIZE_NOT_POSITIVE);
  EXPECT(check(1, 1, 1, 0, 1, 0) == ATTN_SIZE_NOT_POSITIVE);
  EXPECT(check(1, 1, 1, 1, INT32_MIN, 0) == ATTN_SIZE_NOT_POSITIVE);
  EXPECT(check(1, 1, 1, 1, 1, -1) == ATTN_SIZE_NOT_POSITIVE);
  EXPECT(attn_shape_check(1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1) == ATTN_OK);
  EXPECT(attn_shape_check(1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1) == ATTN_BIAS_WITHOUT_OUT);
  EXPECT(attn_shape_check(1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1) == ATTN_OK);
}

static void absurd_sizes(void) {
  const int32_t most = INT32_MAX, before = n_allocations;
  EXPECT(check(1, 100000, 3, 2, 1, 0) == ATTN_TOO_LARGE);
  EXPECT(check(most, 1, 1, 1, 1, 0) == ATTN_TOO_LARGE);
  EXPECT(check(1, 1, 1, 1, 1, most) == ATTN_TOO_LARGE);
  EXPECT(check(1, 1, 1, 1, most, 0) == ATTN_TOO_LARGE);
  EXPECT(check(most, most, most, most, most, most) == ATTN_TOO_LARGE);
  EXPECT(check(1, 65536, 1, 1, 65536, 0) == ATTN_TOO_LARGE); /* H·T·T is 2^48 numbers: 0 in 32 bits */
  EXPECT(!attn_layer_create(1, 100000, 3, 2, 1, 0, 0, 0, 0, 0, 1, 1));
  EXPECT(!attn_layer_create(most, most, most, most, most, most, 1, 1, 1, 1, 1, 1));
  EXPECT(n_allocations == before);
}

static void bytes_are_monotone(void) {
  const double small = attn_shape_bytes(1, 6, 3, 2, 1, 0, 0, 0, 0, 0, 1, 1);
  EXPECT(small > 0 && small <= 32768);
  EXPECT(attn_shape_bytes(1, 6, 3, 2, 1, 2, 1, 1, 1, 1, 1, 1) > small);
  const double large = attn_shape_bytes(1, 100000, 3, 2, 1, 0, 0, 0, 0, 0, 1, 1);
  EXPECT(large >= 4 * 4e10 && large < 1.7e11);
  EXPECT(attn_max_bytes() >= 1073741824 && attn_max_bytes() <= 1073741824);
}

static void one_allocation(void) {
  const int before = n_allocations;
  attn_layer *layer = odd_layer(H);
  EXPECT(n_allocations == before + 1);
  attn_init(layer, 0, 1, 0);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_compare_routes(layer, 1e-6) == ATTN_OK);
  EXPECT(attn_context_one_token(layer, 0, 0) == ATTN_OK && attn_route_terms(layer, 0, 0, 0) == ATTN_OK);
  EXPECT(attn_trace(layer, tensor("outputs"), 0) == ATTN_OK && attn_read_out(layer, 0, 0) == ATTN_OK);
  attn_target_rows(layer)[0] = 1;
  EXPECT(attn_backward(layer) == ATTN_OK && attn_measure_loss(layer) == ATTN_OK);
  EXPECT(attn_train_step(layer, 0, 0.1, 0.9) == ATTN_OK && attn_train_step(layer, 1, 0.1, 0) == ATTN_OK);
  EXPECT(attn_check_gradient(layer, 0, 0, 1e-2) == ATTN_OK);
  EXPECT(n_allocations == before + 1);
  attn_layer_dispose(layer);
}

static void no_memory(void) {
  allocator_refuses = true;
  EXPECT(!attn_layer_create(1, 6, 3, 2, 1, 0, 0, 0, 0, 0, 1, 1));
  allocator_refuses = false;
  EXPECT(check(1, 6, 3, 2, 1, 0) == ATTN_OK);
  attn_layer *layer = plain_layer(6, 3, 2, 1);
  EXPECT(attn_forward(layer) == ATTN_OK);
  attn_layer_dispose(layer);
}

static void dispose_nothing(void) {
  attn_layer_dispose(NULL);
}

/* Writes every number of every tensor of every source: the sanitizers watch the edges. */
static void tensors_are_apart(void) {
  attn_layer *layer = attn_layer_create(2, 3, 7, 5, 1, 0, 1, 1, 1, 0, 1, 1);
  EXPECT(layer != NULL);
  for (int32_t source = 0; layer && source < 3; source++) {
    EXPECT(attn_configure(layer, 0, source, 0) == ATTN_OK);
    for (int32_t t = 0; t < attn_tensor_count(); t++) {
      float *data = attn_tensor_data(layer, t);
      EXPECT((data == NULL) == (attn_tensor_rank(layer, t) == 0));
      EXPECT((uintptr_t)data % 64 == 0);
      for (size_t k = 0; k < attn_tensor_size(layer, t); k++) data[k] = (float)t;
    }
    for (int32_t t = 0; t < attn_tensor_count(); t++) {
      const bool shared = source != 2 && (t == 0 || (t >= tensor("queries") && t <= tensor("values")));
      const float want = (float)(shared ? tensor("values") : t), *data = attn_tensor_data(layer, t);
      for (size_t k = 0; k < attn_tensor_size(layer, t); k++) EXPECT_SAME(1, &data[k], &want);
    }
  }
  attn_layer_dispose(layer);
}

/* "name[d,d]" of every tensor that is there, in order, before the gradients. */
static const char *directory(const attn_layer *layer, char text[static 1024]) {
  text[0] = 0;
  for (int32_t t = 0; t < tensor("d_inputs"); t++) {
    const int32_t rank = attn_tensor_rank(layer, t);
    if (rank == 0) continue;
    strcat(strcat(text, attn_tensor_name(t)), "[");
    for (int32_t axis = 0; axis < rank; axis++) {
      char digit[3] = {axis ? ',' : (char)('0' + attn_tensor_dim(layer, t, axis)), 0, 0};
      if (axis) digit[1] = (char)('0' + attn_tensor_dim(layer, t, axis));
      strcat(text, digit);
    }
    strcat(text, "] ");
  }
  return text;
}

static void directories(void) {
  char text[1024];
  attn_layer *layer = odd_layer(H);
  EXPECT_TEXT(directory(layer, text),
              "inputs[3,5,3] w_query[3,4] w_key[3,4] w_value[3,4] b_query[4] b_key[4] b_value[4] w_out[4,6] b_out[6] "
              "queries[3,5,4] keys[3,5,4] values[3,5,4] attn_scores[3,2,5,5] attn_weights[3,2,5,5] "
              "attn_row_sums[3,2,5] attn_column_sums[3,2,5] context_vecs[3,5,4] outputs[3,5,6] ");
  attn_layer_dispose(layer);
  layer = plain_layer(3, 4, 2, 2);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  EXPECT_TEXT(directory(layer, text),
              "inputs[1,3,4] queries[1,3,4] keys[1,3,4] values[1,3,4] attn_scores[1,2,3,3] attn_weights[1,2,3,3] "
              "attn_row_sums[1,2,3] attn_column_sums[1,2,3] context_vecs[1,3,4] ");
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  EXPECT_TEXT(directory(layer, text),
              "inputs[1,3,4] given_weights[1,2,3,3] values[1,3,4] attn_weights[1,2,3,3] attn_row_sums[1,2,3] "
              "attn_column_sums[1,2,3] context_vecs[1,3,4] ");
  attn_layer_dispose(layer);
}

static void targets(void) {
  attn_layer *layer = plain_layer(3, 4, 2, 2);
  EXPECT(attn_tensor_target(layer, tensor("inputs")) == tensor("inputs"));
  EXPECT(attn_tensor_target(layer, tensor("w_key")) == tensor("w_key"));
  EXPECT(attn_tensor_target(layer, tensor("attn_weights")) == -1);
  EXPECT(attn_tensor_target(layer, tensor("w_out")) == -1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  EXPECT(attn_tensor_target(layer, tensor("attn_weights")) == tensor("given_weights"));
  EXPECT(attn_tensor_target(layer, tensor("values")) == -1);
  EXPECT(attn_tensor_target(layer, tensor("w_key")) == -1);
  attn_layer_dispose(layer);
}

static void statuses(void) {
  for (int32_t s = 0; s < ATTN_N_STATUS; s++) {
    EXPECT(strlen(attn_status_name(s)) > 1 && strlen(attn_status_text(s)) > 4);
    for (int32_t other = 0; other < s; other++) {
      EXPECT(strcmp(attn_status_name(s), attn_status_name(other)) != 0);
      EXPECT(strcmp(attn_status_text(s), attn_status_text(other)) != 0);
    }
  }
  EXPECT_TEXT(attn_status_name(ATTN_HEADS_DO_NOT_DIVIDE), "heads_do_not_divide");
  EXPECT_TEXT(attn_status_name(-1), "unknown_status");
  EXPECT_TEXT(attn_status_name(ATTN_N_STATUS), "unknown_status");
}

void layer_tests(void) {
  test("A size of zero or less is refused, and a bias of an output projection that is not there.", sizes_refused);
  test("Absurd sizes, T = 100,000 or 2^31 - 1 everywhere, are refused before anything is allocated.", absurd_sizes);
  test("The bytes of a shape are told before it is made, those of an absurd one too.", bytes_are_monotone);
  test("A layer is one allocation, and computing makes none.", one_allocation);
  test("When the allocator gives nothing there is no layer, and the next attempt works.", no_memory);
  test("Disposing of no layer does nothing.", dispose_nothing);
  test("Every tensor is 64-byte aligned and its own, but for those that are the inputs unless trained.",
       tensors_are_apart);
  test("The directory of tensors names and sizes what each source of scores has.", directories);
  test("Each tensor tells which one the caller writes: given_weights for attn_weights, none for results.", targets);
  test("Every status has a name and a sentence of its own.", statuses);
}
