/* random_test.c: the generator against numbers that PyTorch printed, bit for bit. Next to read: forward_test.c. */
#include <math.h>
#include <string.h>

#include "c_vectors.h"
#include "fixtures.h"
#include "suites.h"

enum { TORCH_RAND, NN_LINEAR, UNIFORM };

/* Does the tensor hold these numbers, which PyTorch stored as floats, exactly? */
static void expect_exactly(attn_layer *layer, const char *name, const double *want) {
  EXPECT_CLOSE(count(layer, name), numbers(layer, name), want, 0, 0);
}

static void words(void) {
  attn_random random;
  attn_random_seed(&random, 5489);
  EXPECT(attn_random_word(&random) == 3499211612u);
  for (int k = 2; k < 10000; k++) attn_random_word(&random);
  EXPECT(attn_random_word(&random) == 4123659995u); /* the 10000th, as the C++ standard demands of mt19937 */
}

static void torch_rand(void) {
  attn_layer *layer = plain_layer(6, 3, 2, 1);
  EXPECT(attn_init(layer, TORCH_RAND, 123, 0) == ATTN_OK);
  expect_exactly(layer, "w_query", self_v1_Wq);
  expect_exactly(layer, "w_key", self_v1_Wk);
  expect_exactly(layer, "w_value", self_v1_Wv);
  attn_layer_dispose(layer);
}

/* torch.manual_seed(0); torch.rand(2000): beyond the generator's first 624 words. */
static void torch_rand_2000(void) {
  attn_layer *layer = plain_layer(1, 2000, 1, 1);
  EXPECT(attn_init(layer, TORCH_RAND, 0, 0) == ATTN_OK);
  const int at[] = {0, 1, 622, 623, 624, 625, 1999};
  const double want[] = {0x1.fc2ab0p-2, 0x1.89545ep-1, 0x1.3c9718p-1, 0x1.8e72p-7, 0x1.6e3ce8p-2, 0x1.467c08p-3,
                         0x1.c0e16ap-1};
  for (int k = 0; k < 7; k++) EXPECT_CLOSE(1, &numbers(layer, "w_query")[at[k]], &want[k], 0, 0);
  EXPECT(attn_init(layer, TORCH_RAND, 4294967295u, 0) == ATTN_OK);
  EXPECT_CLOSE(3, numbers(layer, "w_query"), (double[]){0x1.fcd346p-1, 0x1.248244p-1, 0x1.23d818p-1}, 0, 0);
  attn_layer_dispose(layer);
}

static void nn_linear(void) {
  attn_layer *layer = plain_layer(6, 3, 2, 1);
  EXPECT(attn_init(layer, NN_LINEAR, 789, 0) == ATTN_OK);
  expect_exactly(layer, "w_query", self_v2_Wq);
  expect_exactly(layer, "w_key", self_v2_Wk);
  expect_exactly(layer, "w_value", self_v2_Wv);
  attn_layer_dispose(layer);
}

/* torch.manual_seed(789); torch.nn.Linear(3, 2): the bias follows its weight, which is printed [out][in]. */
static void nn_linear_bias(void) {
  attn_layer *layer = attn_layer_create(1, 1, 3, 2, 1, 0, 1, 0, 0, 0, 1, 1);
  EXPECT(layer && attn_init(layer, NN_LINEAR, 789, 0) == ATTN_OK);
  expect_exactly(layer, "w_query", (double[]){0x1.43a4fep-2, -0x1.58a604p-3, 0x1.d3c5ap-2, -0x1.59fc7p-2,
                                              0x1.060f38p-1, -0x1.77e7ep-4});
  expect_exactly(layer, "b_query", (double[]){0x1.9f8b9p-2, -0x1.e1b5ecp-2});
  attn_layer_dispose(layer);
}

static void nn_linear_out(void) {
  attn_layer *layer = attn_layer_create(2, 6, 3, 2, 2, 2, 0, 0, 0, 1, 1, 1);
  EXPECT(layer && attn_init(layer, NN_LINEAR, 123, 0) == ATTN_OK);
  expect_exactly(layer, "w_query", mha_batch_Wq);
  expect_exactly(layer, "w_key", mha_batch_Wk);
  expect_exactly(layer, "w_value", mha_batch_Wv);
  expect_exactly(layer, "w_out", mha_batch_Wo);
  expect_exactly(layer, "b_out", mha_batch_bo);
  attn_layer_dispose(layer);
}

/* torch.manual_seed(5); torch.empty(6).uniform_(-.5, .5) */
static void uniform(void) {
  attn_layer *layer = plain_layer(1, 3, 2, 1);
  EXPECT(attn_init(layer, UNIFORM, 5, 0.5) == ATTN_OK);
  expect_exactly(layer, "w_query", (double[]){0x1.522d8cp-2, -0x1.7edcc8p-2, 0x1.a13fbcp-2, 0x1.479af4p-2,
                                              0x1.ae2f98p-2, -0x1.888e28p-2});
  EXPECT(attn_init(layer, UNIFORM, 5, 0) == ATTN_OK);
  expect_exactly(layer, "w_query", (double[6]){0});
  attn_layer_dispose(layer);
}

static void same_seed(void) {
  attn_layer *one = odd_layer(H), *two = odd_layer(1);
  EXPECT(attn_init(one, UNIFORM, 42, 0.25) == ATTN_OK && attn_init(two, UNIFORM, 42, 0.25) == ATTN_OK);
  for (int32_t t = tensor("w_query"); t <= tensor("b_out"); t++) {
    EXPECT_SAME(attn_tensor_size(one, t), attn_tensor_data(one, t), attn_tensor_data(two, t));
  }
  EXPECT(attn_init(two, UNIFORM, 43, 0.25) == ATTN_OK);
  EXPECT(memcmp(numbers(one, "b_out"), numbers(two, "b_out"), OUT * sizeof(float)) != 0);
  attn_layer_dispose(one);
  attn_layer_dispose(two);
}

static void refused(void) {
  attn_layer *layer = plain_layer(1, 3, 2, 1);
  EXPECT(attn_init(layer, TORCH_RAND, 1, 0) == ATTN_OK);
  float before[6];
  memcpy(before, numbers(layer, "w_query"), sizeof before);
  EXPECT(attn_init(layer, -1, 2, 0) == ATTN_UNKNOWN_CHOICE);
  EXPECT(attn_init(layer, 3, 2, 0) == ATTN_UNKNOWN_CHOICE);
  EXPECT(attn_init(layer, UNIFORM, 2, NAN) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_init(layer, UNIFORM, 2, INFINITY) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_init(layer, UNIFORM, 2, -0.5) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_init(layer, UNIFORM, 2, 2e38) == ATTN_NUMBER_NOT_FINITE); /* hi - lo is no float */
  EXPECT_SAME(6, numbers(layer, "w_query"), before);
  attn_layer_dispose(layer);
}

static void scheme_names(void) {
  EXPECT_TEXT(attn_scheme_name(TORCH_RAND), "torch.rand");
  EXPECT_TEXT(attn_scheme_name(NN_LINEAR), "nn.Linear");
  EXPECT_TEXT(attn_scheme_name(UNIFORM), "uniform");
  EXPECT(!attn_scheme_name(3) && !attn_scheme_name(-1));
}

void random_tests(void) {
  test("The generator is mt19937: its 1st and 10000th words for seed 5489 are the standard's.", words);
  test("torch.rand with seed 123 gives the published W_query, W_key and W_value bit for bit.", torch_rand);
  test("torch.rand gives PyTorch's numbers across the generator's 624 words, and for the largest seed.",
       torch_rand_2000);
  test("nn.Linear with seed 789 gives the published weights bit for bit, transposed to d_in × d_out.", nn_linear);
  test("nn.Linear draws a bias right after its weight, as PyTorch does.", nn_linear_bias);
  test("nn.Linear with seed 123 gives the published multi-head weights, W_out and its bias last.", nn_linear_out);
  test("A draw uniform in ±0.5 gives PyTorch's uniform_ bit for bit; a bound of 0 gives zeros.", uniform);
  test("The same seed gives the same bits whatever the number of heads; another seed gives others.", same_seed);
  test("An unknown scheme, or a bound that is negative, infinite or no number, changes nothing.", refused);
  test("The schemes have the names that PyTorch users know.", scheme_names);
}
