// What cells are compared with, by the real program: labels of particles, and the image that these
// were made from.
#include <gtest/gtest.h>

#include "tests/app/cli/chain_fixture.hpp"
#include "tests/core/io/tiff_maker.hpp"

namespace aprscope::test {
namespace {

constexpr std::int64_t kRows = 16;
constexpr std::int64_t kCols = 20;
constexpr int kSlices = 8;

class CellAgreement : public Chain {
 protected:
  // Two channels at two times, all dark but for a box in the second one at the second.
  void SetUp() override {
    const auto count = static_cast<std::size_t>(kRows * kCols);
    TiffMaker file(path("film.tif"), "w");
    PageSpec page;
    page.cols = static_cast<std::uint32_t>(kCols);
    page.rows = static_cast<std::uint32_t>(kRows);
    page.description = "ImageJ=1.53t\nimages=32\nchannels=2\nslices=8\nframes=2\nhyperstack=true\n";
    for (int time = 0; time < 2; ++time) {
      for (int z = 0; z < kSlices; ++z) {
        for (int channel = 0; channel < 2; ++channel) {
          std::vector<std::uint16_t> pixels(count, 10);
          const bool box = time == 1 && channel == 1 && z >= 2 && z < 6;
          for (std::int64_t i = 0; box && i < 64; ++i) {
            pixels[static_cast<std::size_t>((4 + i / 8) * kCols + 6 + i % 8)] = 900;
          }
          file.add(page, pixels);
          page.description = "";
        }
      }
    }
  }
  static std::vector<std::string> filled(std::vector<std::string> more) {
    more.insert(more.end(), {"--method", "fill", "--threshold", "500"});
    return more;
  }
};

TEST_F(CellAgreement, TheImageIsReadWhereTheParticlesAreFrom) {
  run({"convert", path("film.tif"), "--channel", "1", "--time", "1", "-o", path("p.apr")});
  // Anywhere else it has nothing that is bright.
  const auto check = run(filled({"cells", path("p.apr"), "--check", path("film.tif")}))["check"];
  EXPECT_EQ(check["particles"]["cells"], 1);
  EXPECT_EQ(check["pixels"]["cells"], 1);
  EXPECT_EQ(check["pixels"]["volume"], 256.0);
  EXPECT_EQ(check["volume_unit"], "px³");
}

TEST_F(CellAgreement, LabelsOfParticlesAreThoseOfTheirPixels) {
  run({"convert", path("film.tif"), "--channel", "1", "--time", "1", "-o", path("p.apr")});
  run(filled({"cells", path("p.apr"), "-o", path("labels.apr")}));
  run(filled({"cells", path("p.apr"), "-o", path("labels.tif")}));
  const auto same = run({"cells", "--truth", path("labels.apr"), path("labels.tif")});
  EXPECT_EQ(same["truths"], 1);
  EXPECT_EQ(same["mean_best_iou"], 1.0);
}

}  // namespace
}  // namespace aprscope::test
