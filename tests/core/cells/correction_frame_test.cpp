// Labels of a box of an image, which lies anywhere in it.
#include "core/cells/correction_frame.hpp"

#include <gtest/gtest.h>

#include "tests/core/cells/correction_cases.hpp"

namespace aprscope {
namespace {

TEST(CorrectionFrame, LooksAtABoxOfAnImage) {
  const Size3 size{5, 8, 9};
  const Region box{{1, 2, 3}, {4, 7, 9}};
  // Numbered by place, so that each tells where it lies.
  Labels labels;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        labels.values.push_back(static_cast<std::uint32_t>((z * 8 + x) * 9 + y));
      }
    }
  }
  labels.largest = 5 * 8 * 9;
  const AnyPixels none = Pixels<std::uint8_t>{};
  const LabelWindow window{size, box, labels, none};
  const Correction asked{CorrectionAction::remove, {{2, 3, 4}, {1, 2, 3}, {2, 3, 4}}};
  LabelRecords records;
  records.sums.emplace_back();
  records.sums.back().label = (1 * 8 + 2) * 9 + 3;
  records.sums.back().box = {{1, 2, 3}, {2, 3, 4}};
  const VoxelSize voxel;
  const JobContext context;
  const CorrectionFrame frame(window, asked, voxel, &records, context);
  EXPECT_EQ(frame.label_at({3, 6, 8}), (3U * 8 + 6) * 9 + 8);
  const auto meant = frame.meant();
  ASSERT_TRUE(meant.ok());
  EXPECT_EQ(*meant, (std::vector<std::uint32_t>{(2 * 8 + 3) * 9 + 4, (1 * 8 + 2) * 9 + 3}));
  const auto known = frame.box_of({(1 * 8 + 2) * 9 + 3});
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->end.y, 4);
  const auto mask = frame.mask_of((2 * 8 + 3) * 9 + 4, {{2, 3, 4}, {3, 4, 6}});
  ASSERT_TRUE(mask.ok());
  EXPECT_EQ(mask->set, (std::vector<std::uint8_t>{1, 0}));
  const auto same = frame.renamed(box, "try another", [](std::uint32_t label) { return label; });
  ASSERT_FALSE(same.ok());
  EXPECT_NE(same.error().message().find("try another"), std::string::npos);
  const auto changed =
      frame.changed({{2, 3, 4}, {3, 4, 6}}, "",
                    [](auto, auto, auto y, std::uint32_t label) { return y == 5 ? 0U : label; });
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(changed->box.begin.y, 5);
  EXPECT_EQ(changed->labels, (std::vector<std::uint32_t>{(2 * 8 + 3) * 9 + 5}));
}

}  // namespace
}  // namespace aprscope
