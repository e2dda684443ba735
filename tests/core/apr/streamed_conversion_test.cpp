#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/slice_conversion.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/base/nameless_file.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using test::VolumeSlices;

void expect_same(const Volume& volume, const ConversionParameters& p) {
  const auto expected = convert(volume, p);
  ASSERT_TRUE(expected) << expected.error().message();
  VolumeSlices slices(volume);
  const auto found = convert_slices(slices, p);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_TRUE(found->access->particles() == expected->access->particles());
  EXPECT_EQ(found->main_field()->values, expected->main_field()->values);
  EXPECT_EQ(found->parameters, expected->parameters);
  EXPECT_EQ(found->history, expected->history);
}

TEST(ConvertSlices, IsTheConversionInMemory) {
  test::SanitizedShare share(3);
  for (const Size3& size :
       {Size3{1, 1, 1}, Size3{1, 1, 77}, Size3{1, 40, 35}, Size3{2, 18, 33}, Size3{16, 20, 24},
        Size3{17, 19, 21}, Size3{31, 33, 40}, Size3{70, 33, 45}, Size3{133, 21, 18}}) {
    SCOPED_TRACE(testing::Message() << size.z << " x " << size.x << " x " << size.y);
    for (const float lambda : {0.0F, 0.2F, 3.0F, 60.0F}) {
      if (!share.takes()) continue;
      ConversionParameters p;
      p.lambda = lambda;
      p.intensity_th = 150.0F;
      expect_same(test::blobs<std::uint16_t>(size, 100.0, 5000.0), p);
      p.intensity_th = 0.0F;
      expect_same(test::blobs<float>(size, -1.0, 10.0), p);
      p.auto_thresholds = false;
      p.sigma_th = 20.0F;
      p.grad_th = 2.0F;
      p.psfz = 5.0F;
      p.psfy = 2.0F;
      p.rounding = SamplingRounding::truncate_each_level;
      expect_same(test::blobs<std::uint8_t>(size, 3.0, 255.0), p);
      p.constant_scale = true;
      p.neighbourhood_optimisation = false;
      expect_same(test::blobs<std::uint8_t>(size, 3.0, 255.0), p);
    }
  }
}

// Where nothing can wait on a disk, the image is read and smoothed again.
class NoScratch {
 public:
  NoScratch() : before_(folder_for_scratch()) { ::setenv("TMPDIR", "/no/such/folder", 1); }
  ~NoScratch() { ::setenv("TMPDIR", before_.c_str(), 1); }
  NoScratch(const NoScratch&) = delete;
  NoScratch& operator=(const NoScratch&) = delete;

 private:
  std::string before_;
};

TEST(ConvertSlices, IsTheSameWithoutRoomOnADisk) {
  const Volume volume = test::blobs<std::uint16_t>({70, 33, 45}, 100.0, 5000.0);
  VolumeSlices with(volume);
  ASSERT_TRUE(convert_slices(with, {}));
  const NoScratch none;
  VolumeSlices without(volume);
  ASSERT_TRUE(convert_slices(without, {}));
  EXPECT_GT(without.reads(), with.reads());
  ConversionParameters p;
  expect_same(volume, p);
  p.constant_scale = true;
  expect_same(volume, p);
  p.auto_thresholds = false;
  p.sigma_th = 20.0F;
  expect_same(volume, p);
}

TEST(ConvertSlices, ACostlyImageIsReadOnce) {
  const Volume volume = test::blobs<std::uint16_t>({70, 33, 45}, 100.0, 5000.0);
  VolumeSlices cheap(volume);
  const auto expected = convert_slices(cheap, {});
  ASSERT_TRUE(expected);
  EXPECT_GE(cheap.reads(), 2 * 70);
  const auto expect_equal = [&](const Apr& found) {
    EXPECT_TRUE(found.access->particles() == expected->access->particles());
    EXPECT_EQ(found.main_field()->values, expected->main_field()->values);
    EXPECT_EQ(found.parameters, expected->parameters);
  };
  {
    VolumeSlices costly(volume);
    costly.make_costly();
    const auto found = convert_slices(costly, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(costly.reads(), 70);
    expect_equal(*found);
  }
  const NoScratch none;
  VolumeSlices without(volume);
  without.make_costly();
  const auto found = convert_slices(without, {});
  ASSERT_TRUE(found);
  EXPECT_GE(without.reads(), cheap.reads());
  expect_equal(*found);
}

TEST(ConvertSlices, SameBytesForAnyNumberOfThreads) {
  const Volume volume = test::blobs<std::uint16_t>({70, 81, 93}, 0.0, 65535.0);
  const auto run = [&](int n) {
    const test::Threads threads(n);
    VolumeSlices slices(volume);
    auto apr = convert_slices(slices, {});
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

TEST(ConvertSlices, CarriesTheHeader) {
  Volume volume = test::blobs<std::uint16_t>({20, 21, 22}, 0.0, 1000.0);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.name = "cells";
  volume.channel = "GFP";
  volume.channel_index = 2;
  volume.time = 7;
  VolumeSlices slices(volume);
  const auto apr = convert_slices(slices, {});
  ASSERT_TRUE(apr);
  EXPECT_EQ(apr->voxel, volume.voxel);
  EXPECT_EQ(apr->name, "cells");
  EXPECT_EQ(apr->channel, "GFP");
  EXPECT_EQ(apr->channel_index, 2);
  EXPECT_EQ(apr->time, 7);
}

TEST(ConvertSlices, ErrorsOfReadingAreItsErrors) {
  const Volume volume = test::blobs<std::uint16_t>({40, 21, 22}, 0.0, 1000.0);
  VolumeSlices whole(volume);
  ASSERT_TRUE(convert_slices(whole, {}));
  for (const int after : {0, 30, 45, whole.reads() - 1}) {
    VolumeSlices slices(volume);
    slices.fail_after(after);
    const auto apr = convert_slices(slices, {});
    ASSERT_FALSE(apr) << after;
    EXPECT_NE(apr.error().message().find("is cut off"), std::string::npos);
  }
}

TEST(ConvertSlices, ValuesThatAreNotFiniteAreCounted) {
  Volume volume = test::blobs<float>({40, 7, 8}, 0.0, 1.0);
  auto& pixels = std::get<Pixels<float>>(volume.pixels);
  pixels.at(33, 4, 5) = std::nanf("");
  pixels.at(39, 6, 7) = INFINITY;
  volume.name = "stack";
  VolumeSlices slices(volume);
  const auto apr = convert_slices(slices, {});
  ASSERT_FALSE(apr);
  EXPECT_NE(apr.error().message().find("2 values"), std::string::npos);
  EXPECT_NE(apr.error().message().find("z 33, x 4, y 5"), std::string::npos);
  EXPECT_NE(apr.error().message().find("stack"), std::string::npos);
}

TEST(ConvertSlices, CancelsWhereverItIsAsked) {
  const Volume volume = test::blobs<std::uint16_t>({60, 61, 62}, 0.0, 1000.0);
  test::Progress whole;
  VolumeSlices all(volume);
  ASSERT_TRUE(convert_slices(all, {}, whole.context()));
  const auto reports = static_cast<int>(whole.fractions().size());
  for (int after = 0; after < reports - 5; after += std::max(1, reports / 10)) {
    test::Progress progress(after);
    VolumeSlices slices(volume);
    const auto apr = convert_slices(slices, {}, progress.context());
    ASSERT_FALSE(apr) << "after " << after << " of " << reports << " reports";
    EXPECT_TRUE(apr.error().cancelled());
  }
}

// An APR that is put together from its pieces.
class PutTogether : public AprSink {
 public:
  Status begin(const AprOutline& outline) override {
    outline_ = outline;
    values_.assign(outline.particles, -1.0);
    means_.assign(outline.tree_cells, -1.0F);
    return {};
  }
  Status cells(Part part, std::span<const std::uint16_t> y,
               std::span<const std::uint64_t> ends) override {
    Lists& lists = part == Part::particles ? particles_ : tree_;
    lists.y.insert(lists.y.end(), y.begin(), y.end());
    lists.ends.insert(lists.ends.end(), ends.begin(), ends.end());
    return {};
  }
  Status values(std::uint64_t begin, const void* values, std::uint64_t count) override {
    const auto put = [&](const auto* typed) {
      for (std::uint64_t i = 0; i < count; ++i) values_.at(begin + i) = typed[i];
    };
    if (outline_.type == 0) put(static_cast<const std::uint8_t*>(values));
    if (outline_.type == 1) put(static_cast<const std::uint16_t*>(values));
    if (outline_.type == 8) put(static_cast<const float*>(values));
    return {};
  }
  Status means(std::uint64_t begin, std::span<const float> means) override {
    for (std::size_t i = 0; i < means.size(); ++i) means_.at(begin + i) = means[i];
    return {};
  }

  void expect(const Apr& apr, bool with_tree) const {
    expect_cells(apr.access->particles(), particles_);
    const Field& field = *apr.main_field();
    EXPECT_EQ(outline_.field, field.name);
    EXPECT_EQ(outline_.type, static_cast<int>(field.values.index()));
    std::visit([&](const auto& v) { EXPECT_TRUE(std::ranges::equal(v, values_)); }, field.values);
    if (!with_tree) {
      EXPECT_TRUE(tree_.y.empty());
      EXPECT_TRUE(means_.empty());
      return;
    }
    expect_cells(apr.access->tree(), tree_);
    const auto tree = fill_tree(*apr.access, field.to_float(), Reduction::mean);
    ASSERT_TRUE(tree);
    EXPECT_EQ(means_, *tree);
  }

 private:
  struct Lists {
    std::vector<std::uint16_t> y;
    std::vector<std::uint64_t> ends{0};
  };
  static void expect_cells(const LinearAccess& expected, const Lists& found) {
    EXPECT_TRUE(std::ranges::equal(expected.y(), found.y));
    EXPECT_TRUE(std::ranges::equal(expected.xz_end(), found.ends));
  }

  AprOutline outline_;
  Lists particles_, tree_;
  std::vector<double> values_;
  std::vector<float> means_;
};

void expect_same_pieces(const Volume& volume, const ConversionParameters& p) {
  const auto expected = convert(volume, p);
  ASSERT_TRUE(expected) << expected.error().message();
  for (const bool with_tree : {false, true}) {
    VolumeSlices slices(volume);
    const auto conversion = SliceConversion::create(slices, p);
    ASSERT_TRUE(conversion) << conversion.error().message();
    EXPECT_EQ(conversion->facts().parameters, expected->parameters);
    EXPECT_EQ(conversion->facts().history, expected->history);
    EXPECT_EQ(conversion->particles().count(), expected->access->count());
    EXPECT_EQ(conversion->tree_cells(), expected->access->tree().count());
    PutTogether found;
    ASSERT_TRUE(conversion->write(conversion->facts(), with_tree, found));
    found.expect(*expected, with_tree);
  }
}

// Thin and long images, whose coarsest slab level is coarse or fine; odd ends in each dimension.
TEST(SliceConversion, PutsTheConversionInMemory) {
  for (const Size3& size : {Size3{1, 1, 3}, Size3{1, 1, 77}, Size3{1, 40, 35}, Size3{2, 18, 33},
                            Size3{3, 3, 3}, Size3{16, 20, 24}, Size3{17, 19, 21}, Size3{31, 33, 40},
                            Size3{70, 33, 45}, Size3{133, 21, 18}, Size3{259, 5, 6}}) {
    SCOPED_TRACE(testing::Message() << size.z << " x " << size.x << " x " << size.y);
    for (const float lambda : {0.0F, 3.0F}) {
      ConversionParameters p;
      p.lambda = lambda;
      p.intensity_th = 150.0F;
      expect_same_pieces(test::blobs<std::uint16_t>(size, 100.0, 5000.0), p);
      p.intensity_th = 0.0F;
      expect_same_pieces(test::blobs<float>(size, -1.0, 10.0), p);
      p.auto_thresholds = false;
      p.sigma_th = 20.0F;
      p.grad_th = 2.0F;
      p.rounding = SamplingRounding::truncate_each_level;
      expect_same_pieces(test::blobs<std::uint8_t>(size, 3.0, 255.0), p);
    }
  }
}

TEST(SliceConversion, SameForAnyNumberOfThreads) {
  const Volume volume = test::blobs<std::uint16_t>({70, 81, 93}, 0.0, 65535.0);
  for (const int n : {1, 2, 7}) {
    const test::Threads threads(n);
    expect_same_pieces(volume, {});
  }
}

TEST(SliceConversion, RefusesAnImageWithoutCells) {
  VolumeSlices slices(test::blobs<std::uint16_t>({2, 1, 2}, 0.0, 10.0));
  EXPECT_FALSE(SliceConversion::create(slices, {}));
}

TEST(SliceConversion, CancelsWhereverItIsAsked) {
  // One thread: several may report at the same time, in any order.
  const test::Threads threads(1);
  const Volume volume = test::blobs<std::uint16_t>({60, 61, 62}, 0.0, 1000.0);
  VolumeSlices slices(volume);
  const auto conversion = SliceConversion::create(slices, {});
  ASSERT_TRUE(conversion);
  test::Progress whole;
  PutTogether all;
  ASSERT_TRUE(conversion->write(conversion->facts(), true, all, whole.context()));
  EXPECT_TRUE(std::ranges::is_sorted(whole.fractions()));
  const auto reports = static_cast<int>(whole.fractions().size());
  for (int after = 0; after < reports - 5; after += std::max(1, reports / 10)) {
    test::Progress progress(after);
    PutTogether some;
    const Status put = conversion->write(conversion->facts(), true, some, progress.context());
    ASSERT_FALSE(put) << "after " << after << " of " << reports << " reports";
    EXPECT_TRUE(put.error().cancelled());
  }
}

// The samples for thresholds, in parts and at once, for strides of 1 and more and with voxels left
// out.
TEST(ThresholdSamples, InPartsAreThoseAtOnce) {
  test::SanitizedShare cases(5);
  for (const double share : {0.4, 1.0, 2.6}) {
    for (const int leave_out : {0, 3}) {
      if (!cases.takes()) continue;
      const auto n = static_cast<std::size_t>(share * static_cast<double>(kThresholdSamples));
      std::vector<float> gradient(n);
      std::vector<float> scale(n);
      std::uint32_t state = 12345;
      for (std::size_t i = 0; i < n; ++i) {
        state = state * 1664525U + 1013904223U;
        const auto value = static_cast<float>(state >> 16U);
        gradient[i] = leave_out != 0 && state % 7U < static_cast<unsigned>(leave_out)
                          ? -1.0F
                          : value * value * 1e-6F;
        scale[i] = 1.0F + value * value * value * 1e-9F;
      }
      const MaskedVoxels all{gradient.data(), scale.data(), static_cast<std::int64_t>(n), 0.5F};
      const Thresholds expected = masked_thresholds(all);
      ThresholdSamples samples(count_voxels(all));
      for (std::size_t at = 0; at < n;) {
        const std::size_t part = std::min<std::size_t>(n - at, 70001);
        samples.add({gradient.data() + at, scale.data() + at, static_cast<std::int64_t>(part)});
        at += part;
      }
      const Thresholds found = samples.thresholds(0.5F);
      EXPECT_GT(found.grad_th, 0.0F);
      EXPECT_EQ(found.grad_th, expected.grad_th);
      EXPECT_EQ(found.sigma_th, expected.sigma_th);
    }
  }
}

}  // namespace
}  // namespace aprscope
