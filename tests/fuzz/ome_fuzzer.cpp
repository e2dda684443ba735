// Image descriptions in TIFF files: OME-XML and ImageJ's lines. The first two bytes say how many
// directories and samples the file has.
#include "core/io/tiff/tiff_metadata.hpp"
#include "tests/fuzz/support/expect.hpp"

namespace {

using namespace aprscope;
using fuzz::expect;

void check(const OmeInfo& info, std::int64_t directories) {
  expect(info.size_x > 0 && info.size_y > 0, "an image has a size");
  expect(info.size_z > 0 && info.size_t > 0 && info.plane_channels() > 0, "an image has planes");
  const auto planes = static_cast<std::size_t>(info.size_z * info.plane_channels() * info.size_t);
  expect(info.directory.size() == planes, "each plane has its directory or none");
  expect(info.file.size() == planes, "each plane has its file");
  for (std::size_t i = 0; i < planes; ++i) {
    const std::int64_t number = info.directory[i];
    expect(info.file[i] >= 0 && info.file[i] <= std::ssize(info.others), "a file has a name");
    // How many directories other files have shows when they are opened.
    const std::int64_t held = info.file[i] == 0 ? directories : std::int64_t{1} << 32U;
    expect(number >= -1 && number < held, "a plane lies in a directory that may exist");
  }
  expect(info.voxel.z > 0 && info.voxel.x > 0 && info.voxel.y > 0, "a voxel has a size");
  expect(std::ssize(info.channel_names) <= info.size_c, "no more names than channels");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::int64_t directories = 1 + data[0];
  const int samples = 1 + data[1] % 8;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  static_cast<void>(parse_imagej(text));
  static_cast<void>(is_ome_xml(text));
  const auto info = parse_ome(text, directories, samples);
  if (info) {
    check(*info, directories);
  } else {
    fuzz::expect_sentence(info.error());
  }
  return 0;
}
