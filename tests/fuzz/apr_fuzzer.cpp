// Particles in .apr files, both layouts.
#include <functional>
#include <string_view>

#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/kept_helper.hpp"
#include "tests/fuzz/support/read_everything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  [[maybe_unused]] static const bool kept = aprscope::fuzz::keep_hdf5_helper();
  static const aprscope::fuzz::InputFile file("input.apr");
  // Each input has its way, whatever its size.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  aprscope::fuzz::read_everything(file.with(data, size), std::hash<std::string_view>{}(bytes));
  return 0;
}
