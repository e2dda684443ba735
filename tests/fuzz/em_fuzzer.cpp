// Maps, images and stacks of MRC and SPIDER, packed and not.
#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/read_everything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const aprscope::fuzz::InputFile file("input.mrc");
  aprscope::fuzz::read_everything(file.with(data, size));
  return 0;
}
