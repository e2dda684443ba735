// HDF5 files with volumes.
#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/kept_helper.hpp"
#include "tests/fuzz/support/read_everything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  [[maybe_unused]] static const bool kept = aprscope::fuzz::keep_hdf5_helper();
  static const aprscope::fuzz::InputFile file("input.h5");
  aprscope::fuzz::read_everything(file.with(data, size));
  return 0;
}
