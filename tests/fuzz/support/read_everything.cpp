#include "tests/fuzz/support/read_everything.hpp"

#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/read_particles.hpp"
#include "tests/fuzz/support/read_pixels.hpp"

namespace aprscope::fuzz {
namespace {

constexpr std::size_t kMostDatasets = 4;

void read_first_and_last(const SourceInfo& info, std::uint64_t way) {
  expect(info.size.z > 0 && info.size.x > 0 && info.size.y > 0, "no image has a size of 0");
  expect(!info.channels.empty() && info.times > 0, "an image has a channel and a time point");
  const SourceSelection last{static_cast<int>(info.channels.size()) - 1, info.times - 1};
  const bool one = last.channel == 0 && last.time == 0;
  if (info.is_apr) {
    read_particles(info, {}, way);
    if (!one) read_particles(info, last, way);
    return;
  }
  if (!worth_reading(info.size)) return;
  read_pixels(info, {});
  if (!one) read_pixels(info, last);
}

}  // namespace

void read_everything(const std::string& path, std::uint64_t way) {
  const auto info = inspect(path);
  if (!info) return expect_sentence(info.error());
  // Tables of projections have a target of their own; one whose stacks are not there has no size.
  if (info->format_id == "projections") return;
  read_first_and_last(*info, way);
  // The other volumes of an HDF5 file; the largest was this one.
  for (std::size_t i = 0; i < std::min(info->datasets.size(), kMostDatasets); ++i) {
    if (info->datasets[i] == info->dataset) continue;
    const auto other = inspect(path + ":" + info->datasets[i]);
    if (other) {
      read_first_and_last(*other, way);
    } else {
      expect_sentence(other.error());
    }
  }
}

}  // namespace aprscope::fuzz
