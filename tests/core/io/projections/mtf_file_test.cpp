#include "core/io/projections/mtf_file.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

const std::string kMtfLabels = "loop_\n_rlnResolutionInversePixel #1\n_rlnMtfValue #2\n";

class MtfFile : public testing::Test {
 protected:
  Result<MtfPoints> read(const std::string& text) {
    const auto path = folder_ / "mtf.star";
    std::ofstream(path) << text;
    return read_mtf(path.string());
  }
  // The sentence for rows from line 5 on.
  std::string complaint(const std::string& rows) {
    const auto points = read("data_\n" + kMtfLabels + rows);
    return points ? "" : points.error().message();
  }

  TemporaryFolder folder_;
};

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(MtfFile, HasTwoColumns) {
  const auto points = read("# of a detector\n\ndata_\n\n" + kMtfLabels +
                           "  0.000000  1.000000\n 0.25 0.75\n 0.5 3e-1\n\n");
  ASSERT_TRUE(points) << points.error().message();
  EXPECT_EQ(points->frequency, (std::vector{0.0, 0.25, 0.5}));
  EXPECT_EQ(points->value, (std::vector{1.0, 0.75, 0.3}));
}

TEST_F(MtfFile, MayHaveOtherTablesAndColumns) {
  const auto points = read(
      "data_general\n_rlnVoltage 300\n\ndata_mtf\nloop_\n_rlnMtfValue #1\n"
      "_rlnIndex #2\n_rlnResolutionInversePixel #3\n0.9 1 0.1\n0.5 2 0.4\n");
  ASSERT_TRUE(points) << points.error().message();
  EXPECT_EQ(points->frequency, (std::vector{0.1, 0.4}));
  EXPECT_EQ(points->value, (std::vector{0.9, 0.5}));
}

TEST_F(MtfFile, RowsThatCannotBeUsedAreNamed) {
  const std::string file = (folder_ / "mtf.star").string();
  EXPECT_EQ(complaint("0 1\n0.2 0\n"),
            file +
                ": cannot be used as an MTF: in line 6 its MTF is 0, and amplitudes cannot be "
                "divided by what is not above 0; correct that line, or choose another file.");
  EXPECT_TRUE(tells(complaint("0 1\n0.2 -0.5\n"), "in line 6 its MTF is -0.5"));
  EXPECT_TRUE(tells(complaint("0 nan\n0.2 0.5\n"),
                    "in line 5 its rlnMtfValue is not a finite number (nan)"));
  EXPECT_TRUE(tells(complaint("0 1\nhigh 0.5\n"),
                    "its rlnResolutionInversePixel is not a finite number (high)"));
  EXPECT_TRUE(tells(complaint("0 1\n0.3 0.8\n0.3 0.5\n"),
                    "in line 7 its frequency, 0.3 1/px, is not above that of the row before"));
  EXPECT_TRUE(
      tells(complaint("-0.1 1\n0.3 0.8\n"), "in line 5 its frequency, -0.1 1/px, is below"));
  EXPECT_TRUE(tells(complaint("0 1\n"), "fewer than two points"));
}

TEST_F(MtfFile, OtherFilesAreNone) {
  const auto particles = read("data_\nloop_\n_rlnImageName\n_rlnMtfValue\na.mrcs 1\n");
  ASSERT_FALSE(particles);
  EXPECT_TRUE(tells(particles.error().message(), "has no table with the columns"));
  EXPECT_FALSE(read("0 1\n0.5 0.3\n"));
  EXPECT_FALSE(read(std::string("\0\1\2", 3)));
  EXPECT_FALSE(read_mtf((folder_ / "none.star").string()));
}

}  // namespace
}  // namespace aprscope::test
