#include "tests/fuzz/support/read_pixels.hpp"

#include <cstring>

#include "tests/fuzz/support/expect.hpp"

namespace aprscope::fuzz {
namespace {

// Larger ones go the same ways and take their time.
constexpr std::int64_t kMostPixels = 1 << 16;
constexpr std::int64_t kMostSlices = 8;

const void* samples(const Volume& volume, std::int64_t first) {
  return std::visit(
      [&](const auto& pixels) { return static_cast<const void*>(pixels.values.data() + first); },
      volume.pixels);
}

// The first slices and the last one, against `whole` where that could be read.
void read_slices(const SourceInfo& info, const SourceSelection& selection, const Volume* whole) {
  const std::int64_t pixels = info.size.x * info.size.y;
  const auto source = open_slices(info, selection);
  if (!source) {
    expect(whole == nullptr, "what can be read whole can be read slice by slice");
    return expect_sentence(source.error());
  }
  expect((*source)->size() == info.size, "slices have the size that the headers say");
  const std::size_t bytes = static_cast<std::size_t>(pixels) * sample_bytes((*source)->kind());
  std::vector<std::uint8_t> slice(bytes);
  for (std::int64_t z = 0; z < info.size.z; ++z) {
    if (z == kMostSlices) z = std::max(z, info.size.z - 1);
    const Status read = (*source)->read(z, slice.data(), {});
    if (!read) {
      expect(whole == nullptr, "what can be read whole can be read slice by slice");
      return expect_sentence(read.error());
    }
    if (whole == nullptr) continue;
    expect(std::memcmp(samples(*whole, z * pixels), slice.data(), bytes) == 0,
           "a slice has the pixels of the whole image");
  }
}

}  // namespace

bool worth_reading(const Size3& size) {
  return size.z <= kMostPixels && size.x <= kMostPixels && size.y <= kMostPixels &&
         static_cast<double>(size.z) * static_cast<double>(size.x) * static_cast<double>(size.y) <=
             static_cast<double>(kMostPixels);
}

void read_pixels(const SourceInfo& info, const SourceSelection& selection) {
  const auto data = load(info, selection);
  if (!data) {
    expect_sentence(data.error());
    return read_slices(info, selection, nullptr);
  }
  const auto* const volume = std::get_if<Volume>(&*data);
  expect(volume != nullptr, "a pixel image is read as one");
  expect(volume->size() == info.size, "an image has the size that its headers say");
  read_slices(info, selection, volume);
}

}  // namespace aprscope::fuzz
