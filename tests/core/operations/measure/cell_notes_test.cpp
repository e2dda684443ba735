// What is said of a table of cells.
#include "core/operations/measure/cell_notes.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

const Size3 kSize{20, 20, 20};
const VoxelSize kVoxel{1.0, 1.0, 1.0, "µm"};

std::vector<LabelRow> rows(std::size_t count) {
  std::vector<LabelRow> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i].label = static_cast<std::uint32_t>(i + 1);
    out[i].voxels = 1;
    out[i].per_slice_ratio = 1.0;
  }
  return out;
}

std::string joined(const std::vector<LabelRow>& of, std::vector<OpenCell> open = {},
                   const VoxelSize& voxel = kVoxel) {
  std::string out;
  for (const std::string& note : cell_notes(of, open, kSize, voxel)) out += note + "\n";
  return out;
}

TEST(CellNotes, SayNothingOfCellsThatAreAllRight) { EXPECT_EQ(joined(rows(3)), ""); }

TEST(CellNotes, NameWhatIsMissingAndTheRadiusThatClosesIt) {
  const OpenCell one{{3, 4, 5}, 1.23456};
  EXPECT_EQ(joined(rows(3), {one}),
            "a cell is missing: it leaks at z 3, x 4, y 5: close holes with 1.24 µm\n");
  EXPECT_EQ(joined(rows(3), {one, {{1, 1, 1}, 0.5}}),
            "2 cells are missing: they leak, the largest at z 3, x 4, y 5: close holes with 1.24 "
            "µm\n");
  EXPECT_NE(joined(rows(3), {{{3, 4, 5}, 2.5}}).find("with 2.5 µm"), std::string::npos);
}

TEST(CellNotes, TellWhatWasNotCheckedFromWhatIsWrong) {
  auto some = rows(4);
  some[1].finding.unchecked = true;
  EXPECT_EQ(joined(some), "whether one of the cells leaks was not checked\n");
  for (LabelRow& row : some) row.finding.unchecked = true;
  EXPECT_EQ(joined(some), "whether cells leak was not checked\n");
  some[2].finding.leak_radius = 1.0;
  EXPECT_NE(joined(some).find("not to be trusted"), std::string::npos);
}

TEST(CellNotes, SayThatThereIsNoUnitAndThatNumbersMayHaveWrapped) {
  EXPECT_NE(joined(rows(2), {}, {1.0, 1.0, 1.0, "px"}).find("no unit"), std::string::npos);
  EXPECT_NE(joined(rows(65535)).find("numbers of 16 bits"), std::string::npos);
  EXPECT_EQ(joined(rows(65534)), "");
  EXPECT_EQ(joined(rows(65536)), "");
}

}  // namespace
}  // namespace aprscope
