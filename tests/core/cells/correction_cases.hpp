#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/cells/corrections.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope::test {

inline const VoxelSize kCorrectedVoxel{2.0, 0.5, 0.5, "µm"};

inline AnyPixels flat_signal(Size3 size) { return Pixels<std::uint8_t>(size, 7); }

/// What a correction makes of labels.
struct Made {
  Labels labels;
  LabelChange change;
};

/// With and without known boxes; checks that undoing it restores the labels, and that it names what
/// changed.
inline Result<Made> made(const Pixels<std::uint32_t>& p, const Correction& asked,
                         const AnyPixels* signal = nullptr,
                         const VoxelSize& voxel = kCorrectedVoxel) {
  Labels labels = labels_of(p);
  const AnyPixels flat = flat_signal(p.size);
  auto change = correction(asked, labels, signal != nullptr ? *signal : flat, voxel);
  if (!change) return change.error();
  const auto records = label_records({p.size, labels.values, labels.largest}, {});
  const auto again =
      correction(asked, labels, signal != nullptr ? *signal : flat, voxel, &*records);
  EXPECT_TRUE(again.ok());
  EXPECT_EQ(again->runs, change->runs);
  const Labels before = labels;
  change->apply(labels);
  Labels back = labels;
  change->revert(back);
  EXPECT_EQ(back, before);
  // Box and labels are those of the difference.
  std::set<std::uint32_t> changed;
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    if (labels.values[i] == p.values[i]) continue;
    changed.insert(labels.values[i]);
    changed.insert(p.values[i]);
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t z = at / p.size.y / p.size.x;
    const std::int64_t x = at / p.size.y % p.size.x;
    const std::int64_t y = at % p.size.y;
    const Region& box = change->box;
    EXPECT_TRUE(z >= box.begin.z && z < box.end.z && x >= box.begin.x && x < box.end.x &&
                y >= box.begin.y && y < box.end.y);
  }
  changed.erase(0);
  EXPECT_EQ(change->labels, std::vector<std::uint32_t>(changed.begin(), changed.end()));
  for (const std::uint32_t l : labels.values) EXPECT_LE(l, labels.largest);
  return Made{std::move(labels), *std::move(change)};
}

inline std::string refusal(const Pixels<std::uint32_t>& p, const Correction& asked) {
  const auto got = made(p, asked);
  EXPECT_FALSE(got.ok());
  return got ? "" : got.error().message();
}

inline std::int64_t count(const Labels& labels, std::uint32_t of) {
  return std::count(labels.values.begin(), labels.values.end(), of);
}

/// Two boxes side by side, with a cavity in the first.
inline Pixels<std::uint32_t> boxes() {
  auto p = painted({7, 12, 20}, [](auto z, auto x, auto y) -> std::uint32_t {
    if (z < 1 || z > 5 || x < 2 || x > 9) return 0;
    return y >= 2 && y < 9 ? 3 : y >= 9 && y < 15 ? 8 : 0;
  });
  p.at(3, 5, 5) = 0;
  return p;
}

}  // namespace aprscope::test
