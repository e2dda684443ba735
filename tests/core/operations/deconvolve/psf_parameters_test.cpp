#include "core/operations/deconvolve/psf_parameters.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

const VoxelSize kVoxel{0.2, 0.1, 0.1, "µm"};
constexpr Size3 kImage{32, 64, 64};

// A complete operation from what a spec says.
Result<MadePsf> made_from(const std::string& spec, const VoxelSize& voxel = kVoxel,
                          const Size3& image = kImage) {
  const auto values = parse_psf_spec(spec);
  if (!values) return values.error();
  const auto operation = complete({"deconvolve", *values});
  if (!operation) return operation.error();
  return make_psf(*operation, voxel, image);
}

std::string error_of(const std::string& spec, const Size3& image = kImage) {
  const auto made = made_from(spec, kVoxel, image);
  return made ? std::string() : made.error().message();
}

void expect_mentions(const std::string& text, const std::string& word) {
  EXPECT_NE(text.find(word), std::string::npos) << text;
}

// Two beads of sigma 1.5, 2, 2 px on a level.
void write_beads(const std::string& path, const Size3& size, const VoxelSize& voxel) {
  Pixels<std::uint16_t> pixels(size, 100);
  for (const auto& [cz, cx, cy] : {std::array<double, 3>{9.3, 18.0, 20.4}, {9.0, 44.6, 43.1}}) {
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          const double u = std::pow((static_cast<double>(z) - cz) / 1.5, 2) +
                           std::pow((static_cast<double>(x) - cx) / 2.0, 2) +
                           std::pow((static_cast<double>(y) - cy) / 2.0, 2);
          pixels.at(z, x, y) = static_cast<std::uint16_t>(
              pixels.at(z, x, y) + std::lround(20000.0 * std::exp(-0.5 * u)));
        }
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  ASSERT_TRUE(write_tiff(volume, path));
}

TEST(PsfParameters, EveryKindOfSpecMakesAPsf) {
  auto made = made_from("gaussian:sigma=2,size=13");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{13, 13, 13}));
  EXPECT_EQ(made->psf, [] {
    Stencil expected = gaussian_stencil({2, 2, 2}, {13, 13, 13});
    expected.name = "Gaussian";
    return expected;
  }());
  made = made_from("gaussian:sigma=0.4,0.2,0.2,unit=physical");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{13, 13, 13}));
  made = made_from("born-wolf:na=1.4,wavelength=500,n=1.518,size=11");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{11, 11, 11}));
  EXPECT_LT(made->coverage, 0.5);
  made = made_from("gibson-lanni:na=1.2,depth=10,ns=1.33,size=5,7,7");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{5, 7, 7}));
}

TEST(PsfParameters, AnImageWithoutVoxelSizeCanBeGivenOne) {
  const VoxelSize none{1, 1, 1, "px"};
  EXPECT_FALSE(made_from("born-wolf:na=1.4", none));
  const auto given = made_from("born-wolf:na=1.4,voxel=200,100,100", none);
  const auto own = made_from("born-wolf:na=1.4");
  ASSERT_TRUE(given && own);
  EXPECT_EQ(given->psf.weights, own->psf.weights);
}

TEST(PsfParameters, FilesAndBeadsAreReadAndMatched) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "beads, two.tif").string();
  write_beads(path, {19, 64, 64}, {0.4, 0.1, 0.1, "µm"});
  const auto beads = made_from("beads:" + path + ",at=9/18/20;9/45/43");
  ASSERT_TRUE(beads) << beads.error().message();
  const PsfReport report = psf_report(beads->psf);
  // Twice as many planes as in the bead image.
  EXPECT_NEAR(report.fwhm[0], 2.3548 * 3.0, 0.3);
  EXPECT_NEAR(report.fwhm[1], 2.3548 * 2.0, 0.2);
  // The bead image as a PSF is questionable, and said to be.
  const auto file = made_from("file:" + path + ",size=9,15,15");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->psf.size, (Size3{9, 15, 15}));
  bool several = false;
  for (const std::string& w : file->warnings) {
    several = several || w.find("more than one bright spot") != std::string::npos;
  }
  EXPECT_TRUE(several);
  const auto plain = made_from("file:" + path + ",size=9,15,15,resample=off");
  ASSERT_TRUE(plain);
  EXPECT_LT(psf_report(plain->psf).fwhm[0], 0.7 * psf_report(file->psf).fwhm[0]);
}

TEST(PsfParameters, GivenWeightsAreCheckedAndCut) {
  auto operation = complete(
      {"deconvolve",
       {{"psf", std::string("given")}, {"psf_weights", gaussian_stencil({1, 1, 1}, {9, 9, 9})}}});
  ASSERT_TRUE(operation) << operation.error().message();
  auto made = make_psf(*operation, kVoxel, kImage);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{9, 9, 9}));
  operation->parameters["psf_size"] = std::array<double, 3>{3, 5, 5};
  made = make_psf(*operation, kVoxel, kImage);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->psf.size, (Size3{3, 5, 5}));
  EXPECT_NEAR(made->psf.sum(), 1.0, 1e-12);
  EXPECT_LT(made->coverage, 1.0);
  EXPECT_FALSE(make_psf(*operation, kVoxel, {2, 64, 64}));
}

TEST(PsfParameters, WrongSpecsNameTheirPart) {
  expect_mentions(error_of("airy:na=1"), "\"airy\" is no kind of PSF");
  expect_mentions(error_of("gaussian:na=1.4"), "gaussian has no \"na\"");
  expect_mentions(error_of("gaussian:2"), "\"2\" is not of the form");
  expect_mentions(error_of("born-wolf:na=fast"), "na is \"fast\"");
  expect_mentions(error_of("file:"), "names no file");
  expect_mentions(error_of("beads:img.tif"), "names no bead");
  expect_mentions(error_of("beads:img.tif,at=1/2"), "\"1/2\" is no position");
  expect_mentions(error_of("file:/nowhere/psf.tif"), "/nowhere/psf.tif");
  expect_mentions(error_of("born-wolf:na=1.6"), "not below the index");
  expect_mentions(error_of("gaussian:sigma=2,size=4"), "odd");
  expect_mentions(error_of("gaussian:sigma=2,size=13", {9, 64, 64}), "use 9 or less");
}

TEST(PsfParameters, PositionsSurviveTheirText) {
  const std::vector<Index3> positions{{1, 2, 3}, {40, 500, 6000}};
  EXPECT_EQ(positions_to_text(positions), "1/2/3;40/500/6000");
  const auto read = positions_from_text("1/2/3;40/500/6000");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, positions);
}

}  // namespace
}  // namespace aprscope
