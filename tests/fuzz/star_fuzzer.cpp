// Tables of projections of RELION and Xmipp. The last bytes of an input after a line "STACK" are
// the stack input.mrcs beside the table.
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/io/mrc_write.hpp"
#include "core/io/projection_file.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"

namespace aprscope::fuzz {
namespace {

constexpr std::size_t kMostRows = 64;
constexpr std::int64_t kLongestSide = 256;

void read_table(const std::string& path) {
  const bool is_table = is_projection_table(path);
  const auto opened = open_projections(path);
  if (!opened) return expect_sentence(opened.error());
  (void)is_table;
  ProjectionTable table = opened->table;
  expect(!table.rows.empty() && !table.optics.empty(), "a table has rows and optics");
  for (const Projection& row : table.rows) {
    expect(row.stack < table.stacks.size(), "a row is of a stack of the table");
    expect(row.optics < table.optics.size(), "a row is of a group of the table");
    expect(row.half >= 0 && row.half <= 2, "a row is of a half or of none");
  }
  for (const UnusableRow& bad : table.unusable) {
    expect(bad.row >= 0 && static_cast<std::size_t>(bad.row) < table.rows.size(),
           "an unusable row is one of the table");
  }
  (void)leave_out_unusable(table);
  if (table.side > 0 && table.side <= kLongestSide) {
    const auto pixels = static_cast<std::size_t>(table.side * table.side);
    std::vector<float> image(pixels);
    for (std::size_t i = 0; i < std::min(table.rows.size(), kMostRows); ++i) {
      const Status read =
          opened->images->read(std::span(opened->table.rows).subspan(i, 1), image, {});
      if (!read) expect_sentence(read.error());
      expect(read.ok() || !table.rows[i].enabled, "an image that is usable can be read");
    }
  }
  const std::string again = path + ".star";
  const Status written = write_star(again, table);
  if (!written) return expect_sentence(written.error());
  const auto read = open_projections(again);
  expect(read.ok(), "a table that was written can be read");
}

}  // namespace
}  // namespace aprscope::fuzz

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
