// Tables of colours: what is read is written and read again as the same.
#include <algorithm>

#include "core/io/colours/colour_table_file.hpp"
#include "tests/fuzz/support/expect.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto table = colour_table_from(bytes, "input.lut");
  if (!table) {
    fuzz::expect_sentence(table.error());
    return 0;
  }
  // Bytes that are all printable are no table but text; no colours that are used are like that.
  const std::string written = colour_table_bytes(*table);
  const bool printable = std::all_of(written.begin(), written.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
  if (printable) return 0;
  const auto again = colour_table_from(colour_table_bytes(*table), "again");
  fuzz::expect(again.ok() && *again == *table, "a table that was written is read as it was");
  return 0;
}
