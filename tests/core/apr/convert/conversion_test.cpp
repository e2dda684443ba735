#include "core/apr/convert/conversion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/report.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "core/io/image_source.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

// An APR of the reference implementation with the image and the half grids that it was made from.
struct Reference {
  const char* folder;
  const char* apr;
  const char* image;
};

std::ostream& operator<<(std::ostream& out, const Reference& r) { return out << r.folder; }

template <class T>
T loaded(const Reference& reference, const std::string& file) {
  const auto path = test::data_dir() / "apr" / reference.folder / file;
  auto data = load_file(path.string());
  if (!data) {
    ADD_FAILURE() << data.error().message();
    return {};
  }
  return std::get<T>(std::move(*data));
}

ConversionParameters parameters_of(const Apr& apr) {
  ConversionParameters p;
  p.auto_thresholds = false;
  p.rel_error = apr.parameters.rel_error;
  p.lambda = apr.parameters.lambda;
  p.sigma_th = apr.parameters.sigma_th;
  p.sigma_th_max = apr.parameters.sigma_th_max;
  p.grad_th = apr.parameters.grad_th;
  p.intensity_th = apr.parameters.intensity_th;
  p.psfz = apr.parameters.psfz;
  p.psfx = apr.parameters.psfx;
  p.psfy = apr.parameters.psfy;
  return p;
}

class ReferenceConversion : public testing::TestWithParam<Reference> {};

TEST_P(ReferenceConversion, StructureFromSavedGradientAndScaleIsTheFiles) {
  APRSCOPE_NEEDS_DATA();
  const Apr apr = loaded<Apr>(GetParam(), GetParam().apr);
  ASSERT_TRUE(apr.access);
  GradientScale input;
  input.image_size = apr.access->size();
  input.gradient = loaded<Volume>(GetParam(), "gradient_saved.tif").to_float();
  input.scale = loaded<Volume>(GetParam(), "scale_saved.tif").to_float();
  input.intensity = Pixels<float>(input.scale.size);
  auto access = build_access(input, parameters_of(apr));
  ASSERT_TRUE(access) << access.error().message();
  EXPECT_EQ((*access)->count(), apr.access->count());
  EXPECT_TRUE((*access)->particles() == apr.access->particles());
}

TEST_P(ReferenceConversion, ParticleValuesAreTheFilesWhenTruncatedAtEachLevel) {
  APRSCOPE_NEEDS_DATA();
  const Apr apr = loaded<Apr>(GetParam(), GetParam().apr);
  ASSERT_TRUE(apr.access);
  const auto image = loaded<Volume>(GetParam(), GetParam().image);
  const auto values =
      sample_particles(image, *apr.access, {}, SamplingRounding::truncate_each_level);
  ASSERT_TRUE(values) << values.error().message();
  EXPECT_EQ(std::get<std::vector<std::uint16_t>>(*values),
            std::get<std::vector<std::uint16_t>>(apr.main_field()->values));
}

TEST_P(ReferenceConversion, GradientAndScaleOfTheImageAreWithinOneOfTheSaved) {
  APRSCOPE_NEEDS_DATA();
  const Apr apr = loaded<Apr>(GetParam(), GetParam().apr);
  ASSERT_TRUE(apr.access);
  const auto image = loaded<Volume>(GetParam(), GetParam().image);
  const auto gradient = loaded<Volume>(GetParam(), "gradient_saved.tif").to_float();
  const auto scale = loaded<Volume>(GetParam(), "scale_saved.tif").to_float();
  const auto found = compute_gradient_scale(image, parameters_of(apr));
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->gradient.size, gradient.size);
  ASSERT_EQ(found->scale.size, scale.size);
  float gradient_off = 0.0F;
  float scale_off = 0.0F;
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    // The saved gradient was cut to whole grey values.
    gradient_off = std::max(gradient_off,
                            std::abs(std::floor(found->gradient.values[i]) - gradient.values[i]));
    scale_off = std::max(scale_off, std::abs(found->scale.values[i] - scale.values[i]));
  }
  EXPECT_LE(gradient_off, 1.0F);
  EXPECT_LE(scale_off, 1.0F);
}

INSTANTIATE_TEST_SUITE_P(Spheres, ReferenceConversion,
                         testing::Values(Reference{"sphere_1D", "sphere_1D.apr", "original.tif"},
                                         Reference{"sphere_2D", "sphere_2D.apr", "original.tif"},
                                         Reference{"sphere_diff_dims", "sphere.apr",
                                                   "sphere_original.tif"}));

// Folder, image, E, width of the PSF.
using Bound = std::tuple<const char*, float, float>;
class ErrorBound : public testing::TestWithParam<Bound> {};

TEST_P(ErrorBound, ReconstructionStaysWithinRelErrorTimesScale) {
  APRSCOPE_NEEDS_DATA();
  const auto& [folder, rel_error, psf] = GetParam();
  const auto image = loaded<Volume>({folder, "", ""}, "original.tif");
  ConversionParameters p;
  p.auto_thresholds = false;
  p.lambda = 0.0F;
  p.rel_error = rel_error;
  p.sigma_th = 100.0F;
  p.sigma_th_max = 50.0F;
  p.intensity_th = 0.0F;
  p.psfz = p.psfx = p.psfy = psf;
  const auto scale = compute_gradient_scale(image, p);
  ASSERT_TRUE(scale) << scale.error().message();
  const auto apr = convert(image, p);
  ASSERT_TRUE(apr) << apr.error().message();
  const auto error = relative_error(image, *apr, *scale, p.sigma_th, 1000.0F);
  ASSERT_TRUE(error) << error.error().message();
  EXPECT_LE(error->largest, static_cast<double>(rel_error));

  // Even with no infinite scale in the comparison.
  Apr strict = *apr;
  strict.parameters.sigma_th_max = 0.0F;
  const auto strict_error = relative_error(image, strict, *scale, p.sigma_th, 1000.0F);
  ASSERT_TRUE(strict_error);
  EXPECT_LE(strict_error->largest, static_cast<double>(rel_error));
}

INSTANTIATE_TEST_SUITE_P(Spheres, ErrorBound,
                         testing::Combine(testing::Values("sphere_1D", "sphere_2D", "sphere_small"),
                                          testing::Values(0.2F, 0.1F, 0.05F, 0.01F, 0.001F),
                                          testing::Values(1.0F, 2.0F)));

TEST(ReferenceValues, NearestRoundingIsCloserToTheMeansThanTheFile) {
  APRSCOPE_NEEDS_DATA();
  const Reference reference{"sphere_diff_dims", "sphere.apr", "sphere_original.tif"};
  const Apr apr = loaded<Apr>(reference, reference.apr);
  ASSERT_TRUE(apr.access);
  const auto image = loaded<Volume>(reference, reference.image);
  Volume as_float = image;
  as_float.pixels = image.to_float();
  const auto means = sample_particles(as_float, *apr.access);
  const auto nearest = sample_particles(image, *apr.access);
  ASSERT_TRUE(means && nearest);
  const auto& exact = std::get<std::vector<float>>(*means);
  const auto& found = std::get<std::vector<std::uint16_t>>(*nearest);
  const auto file = apr.main_field()->to_float();
  float found_off = 0.0F;
  float file_off = 0.0F;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    found_off = std::max(found_off, std::abs(static_cast<float>(found[i]) - exact[i]));
    file_off = std::max(file_off, std::abs(file[i] - exact[i]));
  }
  EXPECT_LE(found_off, 0.5F);
  EXPECT_GT(file_off, 1.0F);
}

ConversionParameters manual() {
  ConversionParameters p;
  p.auto_thresholds = false;
  p.lambda = 0.0F;
  return p;
}

// Every pixel of the constant reconstruction, by asking for each pixel's particle.
std::vector<float> reconstructed(const Apr& apr) {
  const Size3& size = apr.access->size();
  const std::vector<float> values = apr.main_field()->to_float();
  std::vector<float> out;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        out.push_back(values[apr.access->find({z, x, y}).index]);
      }
    }
  }
  return out;
}

TEST(Convert, TinyImagesKeepEveryPixel) {
  // With at most 4 pixels a dimension the coarsest particles there are, at level 2, are pixels.
  for (std::int64_t z = 1; z <= 4; ++z) {
    for (std::int64_t x = 1; x <= 4; ++x) {
      for (std::int64_t y = 1; y <= 4; ++y) {
        for (const Volume& volume : {test::blobs<std::uint8_t>({z, x, y}, 0.0, 255.0),
                                     test::blobs<std::uint16_t>({z, x, y}, 0.0, 65535.0),
                                     test::blobs<float>({z, x, y}, -1.0, 1.0)}) {
          const auto apr = convert(volume, {});
          ASSERT_TRUE(apr) << apr.error().message();
          ASSERT_EQ(apr->access->count(), static_cast<std::uint64_t>(z * x * y));
          EXPECT_EQ(reconstructed(*apr), volume.to_float().values);
        }
      }
    }
  }
}

TEST(Convert, ConstantImagesBecomeTheCoarsestCells) {
  for (const Size3& size : {Size3{1, 1, 100}, Size3{1, 64, 64}, Size3{33, 40, 70}}) {
    for (const bool automatic : {true, false}) {
      ConversionParameters p;
      p.auto_thresholds = automatic;
      p.intensity_th = -1.0F;
      const auto apr = convert(test::constant_volume<std::uint16_t>(size, 65535), p);
      ASSERT_TRUE(apr) << apr.error().message();
      const Size3 grid = level_grid(size, apr->access->level_max(), 2);
      EXPECT_EQ(apr->access->count(), static_cast<std::uint64_t>(grid.count()));
      for (const float v : apr->main_field()->to_float()) EXPECT_EQ(v, 65535.0F);
    }
  }
}

TEST(Convert, FullRangeAndOddSizesHoldTheBound) {
  for (const Size3& size :
       {Size3{1, 1, 1}, Size3{1, 1, 77}, Size3{1, 29, 64}, Size3{65, 1, 33}, Size3{19, 34, 41}}) {
    for (const Volume& volume :
         {test::blobs<std::uint16_t>(size, 0.0, 65535.0),
          test::blobs<std::uint8_t>(size, 0.0, 255.0), test::blobs<float>(size, 0.1, 1.0)}) {
      for (int psf = 1; psf <= 6; ++psf) {
        ConversionParameters p = manual();
        p.psfz = p.psfx = p.psfy = static_cast<float>(psf);
        p.intensity_th = -1.0F;
        // Noise makes a scale everywhere; a fifth of the range is its least.
        const float range = std::holds_alternative<Pixels<float>>(volume.pixels) ? 1.0F
                            : std::holds_alternative<Pixels<std::uint8_t>>(volume.pixels)
                                ? 255.0F
                                : 65535.0F;
        p.sigma_th = range / 5.0F;
        p.rel_error = 0.5F;
        const auto scale = compute_gradient_scale(volume, p);
        ASSERT_TRUE(scale) << scale.error().message();
        const auto apr = convert(volume, p);
        ASSERT_TRUE(apr) << apr.error().message();
        const auto error = relative_error(volume, *apr, *scale, p.sigma_th, 0.0F);
        ASSERT_TRUE(error);
        EXPECT_LE(error->largest, 0.5);
      }
    }
  }
}

TEST(Convert, ASmallerErrorTakesMoreParticles) {
  const Volume volume = test::blobs<std::uint16_t>({40, 41, 42}, 100.0, 4000.0);
  const auto scale = compute_gradient_scale(volume, manual());
  ASSERT_TRUE(scale);
  std::uint64_t last = 0;
  for (const float e : {0.8F, 0.2F, 0.05F, 0.01F}) {
    ConversionParameters p = manual();
    p.rel_error = e;
    p.sigma_th = 500.0F;
    const auto access = build_access(*scale, p);
    ASSERT_TRUE(access);
    EXPECT_GT((*access)->count(), last);
    last = (*access)->count();
  }
}

TEST(Convert, WithoutNeighbourhoodOptimisationBoundariesAreRefined) {
  const Volume volume = test::blobs<std::uint16_t>({40, 41, 42}, 100.0, 4000.0);
  ConversionParameters p = manual();
  p.sigma_th = 500.0F;
  const auto scale = compute_gradient_scale(volume, p);
  ASSERT_TRUE(scale);
  const auto with = build_access(*scale, p);
  p.neighbourhood_optimisation = false;
  const auto without = build_access(*scale, p);
  ASSERT_TRUE(with && without);
  EXPECT_GT((*without)->count(), (*with)->count());
  // Never coarser anywhere.
  for (std::int64_t i = 0; i < volume.size().count(); i += 7) {
    const Index3 at{i / (41 * 42), i / 42 % 41, i % 42};
    EXPECT_GE((*without)->find(at).level, (*with)->find(at).level);
  }
}

TEST(Convert, RecordsWhatItUsedAndWhereItComesFrom) {
  Volume volume = test::blobs<std::uint16_t>({20, 41, 42}, 100.0, 4000.0);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.name = "cells";
  volume.channel = "GFP";
  volume.channel_index = 2;
  volume.time = 7;
  ConversionParameters p;
  p.rel_error = 0.15F;
  p.psfz = 3.0F;
  const auto apr = convert(volume, p);
  ASSERT_TRUE(apr);
  const auto scale = compute_gradient_scale(volume, p);
  ASSERT_TRUE(scale);
  const Thresholds found = automatic_thresholds(*scale, p);
  ConversionParameters used;
  ASSERT_TRUE(build_access(*scale, p, {}, &used));
  EXPECT_GT(found.sigma_th, 0.0F);
  EXPECT_GT(found.grad_th, 0.0F);
  EXPECT_EQ(used.sigma_th, found.sigma_th);
  EXPECT_EQ(used.grad_th, found.grad_th);
  EXPECT_EQ(apr->parameters.sigma_th, found.sigma_th);
  EXPECT_EQ(apr->parameters.grad_th, found.grad_th);
  EXPECT_EQ(apr->parameters.rel_error, 0.15F);
  EXPECT_EQ(apr->parameters.lambda, 3.0F);
  EXPECT_EQ(apr->parameters.psfz, 3.0F);
  EXPECT_EQ(apr->voxel, volume.voxel);
  EXPECT_EQ(apr->name, "cells");
  EXPECT_EQ(apr->channel, "GFP");
  EXPECT_EQ(apr->channel_index, 2);
  EXPECT_EQ(apr->time, 7);
  ASSERT_EQ(apr->fields.size(), 1U);
  EXPECT_EQ(apr->fields[0]->name, "particles");
  EXPECT_STREQ(apr->fields[0]->dtype(), "u16");
  ASSERT_EQ(apr->history.size(), 1U);
  EXPECT_NE(apr->history[0].find("rel_error=0.15"), std::string::npos);
}

TEST(Convert, SameBytesForAnyNumberOfThreads) {
  for (const Size3& size : {Size3{70, 81, 93}, Size3{1, 300, 411}}) {
    const Volume volume = test::blobs<std::uint16_t>(size, 0.0, 65535.0);
    const auto run = [&](int n) {
      const test::Threads threads(n);
      auto apr = convert(volume, {});
      EXPECT_TRUE(apr);
      return std::move(*apr);
    };
    const Apr expected = run(1);
    for (const int n : {2, 7}) {
      const Apr found = run(n);
      EXPECT_TRUE(found.access->particles() == expected.access->particles());
      EXPECT_EQ(found.main_field()->values, expected.main_field()->values);
      EXPECT_EQ(found.parameters, expected.parameters);
    }
  }
}

TEST(Convert, ReportsProgressForwards) {
  const test::Threads one(1);
  test::Progress progress;
  ASSERT_TRUE(
      convert(test::blobs<std::uint16_t>({60, 61, 62}, 0.0, 1000.0), {}, progress.context()));
  const auto& fractions = progress.fractions();
  ASSERT_GT(fractions.size(), 50U);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.front(), 0.0);
  EXPECT_EQ(fractions.back(), 1.0);
}

TEST(Convert, StopsWhereverItIsAsked) {
  const Volume volume = test::blobs<std::uint16_t>({60, 61, 62}, 0.0, 1000.0);
  test::Progress whole;
  ASSERT_TRUE(convert(volume, {}, whole.context()));
  const auto reports = static_cast<int>(whole.fractions().size());
  for (int after = 0; after < reports - 5; after += std::max(1, reports / 20)) {
    test::Progress progress(after);
    const auto apr = convert(volume, {}, progress.context());
    ASSERT_FALSE(apr) << "after " << after << " of " << reports << " reports";
    EXPECT_TRUE(apr.error().cancelled());
  }
}

TEST(BuildAccess, RefusesGridsThatDoNotFit) {
  GradientScale input;
  input.image_size = {10, 10, 10};
  input.gradient = Pixels<float>({5, 5, 5});
  input.scale = Pixels<float>({5, 5, 4});
  input.intensity = Pixels<float>({5, 5, 5});
  const auto access = build_access(input, {});
  ASSERT_FALSE(access);
  EXPECT_NE(access.error().message().find("half the size"), std::string::npos);
  EXPECT_FALSE(build_access(GradientScale{}, {}));
}

TEST(Convert, ValuesThatAreNotFiniteAreAnError) {
  const auto apr = convert(test::constant_volume<float>({3, 4, 5}, std::nanf("")), {});
  ASSERT_FALSE(apr);
  EXPECT_NE(apr.error().message().find("60 values that are not finite"), std::string::npos);
  EXPECT_NE(apr.error().message().find("z 0, x 0, y 0"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
