// Particles in .apr files, both layouts.
#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/own_process.hpp"
#include "tests/fuzz/support/read_everything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  [[maybe_unused]] static const bool here = aprscope::fuzz::read_hdf5_in_own_process();
  static const aprscope::fuzz::InputFile file("input.apr");
  aprscope::fuzz::read_everything(file.with(data, size));
  return 0;
}
