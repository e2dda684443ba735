// Lists of tiles.
#include <string>
#include <string_view>

#include "core/io/tiles/tile_list.hpp"
#include "tests/fuzz/support/expect.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool looks_so = is_tile_list(text);
  const auto tiles = parse_tile_list(text);
  if (!tiles) {
    fuzz::expect_sentence(tiles.error());
    return 0;
  }
  fuzz::expect(looks_so, "a list that was read looks like one");
  const auto again = parse_tile_list(tile_list_text(*tiles));
  fuzz::expect(again.ok() && again->size() == tiles->size(), "a list that is written can be read");
  return 0;
}
