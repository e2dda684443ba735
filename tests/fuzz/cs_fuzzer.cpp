// Tables of cryoSPARC; the stacks that their seeds name are not there.
#include <filesystem>

#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/read_projections.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const aprscope::fuzz::InputFile table("input.cs");
  const std::string& path = table.with(data, size);
  aprscope::fuzz::read_table(path);
  std::filesystem::remove(path + ".star");
  return 0;
}
