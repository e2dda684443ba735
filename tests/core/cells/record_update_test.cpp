// Records of some labels put among those of the others.
#include "core/cells/record_update.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

LabelRecords records(const std::vector<std::uint32_t>& labels, std::int64_t voxels,
                     std::vector<LabelContact> contacts) {
  LabelRecords out;
  out.intensities.resize(1);
  for (const std::uint32_t label : labels) {
    LabelSums one;
    one.label = label;
    one.voxels = voxels;
    const auto at = static_cast<std::int64_t>(label);
    one.box = {{at, 0, 0}, {at + 1, 2, 3}};
    out.sums.push_back(one);
    IntensitySums grey;
    grey.sum = voxels * at;
    out.intensities[0].push_back(grey);
  }
  out.contacts = std::move(contacts);
  return out;
}

TEST(RecordUpdate, TakesTheChangedOnesOutAndPutsThoseFoundIn) {
  const auto before = records({2, 4, 6, 9}, 10, {{2, 4, {1, 0, 0}}, {4, 6, {2, 0, 0}}, {6, 9, {}}});
  // 4 is gone, 5 and 12 are new, 9 has changed.
  const auto found = records({5, 9, 12}, 20, {{2, 5, {3, 0, 0}}, {9, 12, {}}});
  const auto out = with_changed(before, found, std::vector<std::uint32_t>{4, 5, 9, 12});
  std::vector<std::uint32_t> labels;
  std::vector<std::int64_t> sums;
  for (const LabelSums& one : out.sums) labels.push_back(one.label);
  for (const IntensitySums& one : out.intensities[0]) sums.push_back(one.sum);
  EXPECT_EQ(labels, (std::vector<std::uint32_t>{2, 5, 6, 9, 12}));
  EXPECT_EQ(sums, (std::vector<std::int64_t>{20, 100, 60, 180, 240}));
  EXPECT_EQ(out.contacts, (std::vector<LabelContact>{{2, 5, {3, 0, 0}}, {9, 12, {}}}));
}

TEST(RecordUpdate, BoxesAreThoseOfBeforeAndOfTheChange) {
  const auto before = records({2, 4, 6}, 10, {});
  const std::vector<std::uint32_t> which =
      labels_in_order(std::vector<std::uint32_t>{6, 0, 4, 4, 7});
  EXPECT_EQ(which, (std::vector<std::uint32_t>{4, 6, 7}));
  const Region box = box_of_changed(before, {{5, 1, 1}, {6, 5, 2}}, which);
  EXPECT_EQ(box.begin, (Index3{4, 0, 0}));
  EXPECT_EQ(box.end, (Index3{7, 5, 3}));
}

}  // namespace
}  // namespace aprscope
