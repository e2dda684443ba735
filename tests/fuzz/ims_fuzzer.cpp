// Imaris files, whole; and what their attributes say, as lines of "name=text".
#include <cmath>
#include <cstring>

#include "core/io/imaris/imaris_description.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/kept_helper.hpp"
#include "tests/fuzz/support/read_everything.hpp"

namespace {

using namespace aprscope;
using fuzz::expect;

ImarisTexts texts_in(std::string_view lines) {
  ImarisTexts texts;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    texts.insert_or_assign(std::string(line.substr(0, equals)),
                           std::string(line.substr(equals + 1)));
  }
  return texts;
}

void check_place(const ImarisImage& image, const Size3& size) {
  const auto place = imaris_place(image, size);
  if (!place) return fuzz::expect_sentence(place.error());
  const VoxelSize& voxel = place->voxel;
  for (const double side : {voxel.z, voxel.x, voxel.y}) {
    expect(side > 0 && std::isfinite(side), "a voxel has a size");
  }
  for (const double at : place->origin) expect(std::isfinite(at), "an image is somewhere");
  expect(!voxel.unit.empty(), "a voxel has a unit");
}

void check_texts(const ImarisTexts& texts) {
  const auto size = parse_imaris_size(texts);
  if (!size) fuzz::expect_sentence(size.error());
  const auto image = parse_imaris_image(texts);
  if (image) {
    check_place(*image, image->size.value_or(Size3{5, 6, 7}));
    if (size && *size) check_place(*image, **size);
  } else {
    fuzz::expect_sentence(image.error());
  }
  const ImarisChannel channel = parse_imaris_channel(texts, 3);
  expect(!channel.name.empty() && channel.name.size() < 2000, "a channel has a name to show");
  const auto& window = channel.hint.window;
  expect(!window || (*window)[0] < (*window)[1], "what is bright is above what is dark");
  expect(parse_imaris_times(texts).value_or(0) >= 0, "there are no less than no time points");
  for (const auto& [name, text] : texts) {
    expect(imaris_number(name, "Channel ").value_or(0) >= 0, "numbers of groups count from 0");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  [[maybe_unused]] static const bool kept = aprscope::fuzz::keep_hdf5_helper();
  static const aprscope::fuzz::InputFile file("input.ims");
  constexpr char kSignature[] = "\x89HDF\r\n\x1a\n";
  if (size >= 8 && std::memcmp(data, kSignature, 8) == 0) {
    aprscope::fuzz::read_everything(file.with(data, size));
  } else {
    check_texts(texts_in({reinterpret_cast<const char*>(data), size}));
  }
  return 0;
}
