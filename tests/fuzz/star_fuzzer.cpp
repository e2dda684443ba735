// Tables of projections of RELION and Xmipp. The last bytes of an input after a line "STACK" are
// the stack input.mrcs beside the table.
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/read_projections.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const aprscope::fuzz::InputFile table("input.star");
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const auto mark = all.find("\nSTACK\n");
  const std::string_view text = all.substr(0, mark);
  const std::string& path =
      table.with(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const auto stack = std::filesystem::path(path).parent_path() / "input.mrcs";
  std::filesystem::remove(stack);
  if (mark != std::string_view::npos) {
    std::ofstream(stack, std::ios::binary) << all.substr(mark + 7);
  }
  aprscope::fuzz::read_table(path);
  std::filesystem::remove(stack);
  std::filesystem::remove(path + ".star");
  return 0;
}
