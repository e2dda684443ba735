// What files say of themselves, as it is shown: XML and JSON of any kind, and ImageJ's texts.
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/io/common/metadata_part.hpp"
#include "core/io/tiff/tiff_description.hpp"
#include "core/io/tiff/tiff_metadata.hpp"
#include "tests/fuzz/support/expect.hpp"

namespace {

using namespace aprscope;

void expect_shown(const MetadataPart& raw, std::size_t most) {
  const MetadataPart shown = shown_metadata(raw, most);
  fuzz::expect(shown.text.size() <= most, "no more is shown than is allowed");
  for (const char c : shown.text) {
    const auto byte = static_cast<unsigned char>(c);
    fuzz::expect((byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\t' || c == '\r',
                 "control characters are escaped");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  // How many numbers the first tag has, and how much is to be shown.
  const std::size_t count = data[0] % 16U;
  const std::size_t most = std::size_t{1} << (data[1] % 20U);
  const std::span<const std::uint8_t> rest(data + 2, size - 2);
  const std::string text(reinterpret_cast<const char*>(rest.data()), rest.size());
  expect_shown({"text", text}, most);
  if (const auto info = parse_imagej(text)) {
    fuzz::expect(info->images > 0 && info->channels > 0 && info->slices > 0 && info->frames > 0,
                 "counts are positive");
  }
  if (rest.size() < count * sizeof(std::uint32_t)) return 0;
  std::vector<std::uint32_t> counts(count);
  if (count > 0) std::memcpy(counts.data(), rest.data(), count * sizeof(std::uint32_t));
  const auto texts = parse_imagej_texts(counts, rest.subspan(count * sizeof(std::uint32_t)));
  for (const MetadataPart& part : texts) expect_shown(part, most);
  return 0;
}
