/* main.c: runs every test of the C core: natively under the sanitizers, and compiled to WebAssembly with the flags of
 * the module that ships. Exits with 1 if any test fails. Next to read: kernels_test.c. */
#include "suites.h"

int main(void) {
  harness_tests();
  kernel_tests();
  simd_tests();
  stream_tests();
  pass_tests();
  random_tests();
  layer_tests();
  option_tests();
  forward_tests();
  route_tests();
  fault_tests();
  trace_tests();
  readout_tests();
  paint_tests();
  backward_tests();
  train_tests();
  return finish();
}
