#include "core/pipeline/part_maker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/pipeline/series.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

constexpr int kPartChannels = 3;
constexpr int kPartTimes = 2;
constexpr Size3 kPartSize{12, 26, 35};

Volume channel_image(int channel, int time) {
  return test::blobs<std::uint16_t>(kPartSize, 100.0, 4000.0,
                                    static_cast<unsigned>(10 * channel + time + 1));
}

// A film of three channels, as ImageJ writes one.
std::string write_channels(const test::TemporaryFolder& folder,
                           const std::function<Volume(int channel, int time)>& image_of) {
  std::string path = (folder / "film.tif").string();
  test::TiffMaker file(path, "w");
  test::PageSpec page;
  page.cols = static_cast<std::uint32_t>(kPartSize.y);
  page.rows = static_cast<std::uint32_t>(kPartSize.x);
  for (int t = 0; t < kPartTimes; ++t) {
    for (std::int64_t z = 0; z < kPartSize.z; ++z) {
      for (int c = 0; c < kPartChannels; ++c) {
        page.description = t + z + c == 0
                               ? "ImageJ=1.53t\nimages=72\nchannels=3\nslices=12\nframes=2\n"
                                 "hyperstack=true\n"
                               : "";
        const Volume image = image_of(c, t);
        const auto& pixels = std::get<Pixels<std::uint16_t>>(image.pixels);
        const std::uint16_t* const slice = pixels.values.data() + pixels.index(z, 0, 0);
        file.add(page, std::vector<std::uint16_t>(slice, slice + kPartSize.x * kPartSize.y));
      }
    }
  }
  return path;
}

std::vector<Operation> shared_steps() {
  return {{"convert", {{"structure", std::string("shared")}}}};
}

class PartMaker : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto inspected = inspect(write_channels(folder_, channel_image));
    ASSERT_TRUE(inspected) << inspected.error().message();
    info_ = *inspected;
    ASSERT_EQ(info_.channels.size(), static_cast<std::size_t>(kPartChannels));
    ASSERT_EQ(info_.times, kPartTimes);
    ASSERT_EQ(info_.size, kPartSize);
  }

  Apr made(const MakePart& make, SourceSelection part) {
    const auto data = make(part, {});
    EXPECT_TRUE(data) << data.error().message();
    return data ? std::get<Apr>(**data) : Apr{};
  }

  test::TemporaryFolder folder_;
  SourceInfo info_;
};

// The mean of the means of the children that exist, down to the pixels.
double mean_of_cell(const Pixels<std::uint16_t>& pixels, int level_max, int level, Index3 cell) {
  if (level == level_max) return pixels.at(cell.z, cell.x, cell.y);
  const Size3 grid = level_grid(pixels.size, level_max, level + 1);
  double sum = 0.0;
  int count = 0;
  for (std::int64_t z = 2 * cell.z; z < std::min(2 * cell.z + 2, grid.z); ++z) {
    for (std::int64_t x = 2 * cell.x; x < std::min(2 * cell.x + 2, grid.x); ++x) {
      for (std::int64_t y = 2 * cell.y; y < std::min(2 * cell.y + 2, grid.y); ++y, ++count) {
        sum += mean_of_cell(pixels, level_max, level + 1, {z, x, y});
      }
    }
  }
  return sum / count;
}

TEST_F(PartMaker, ChannelsOfATimePointShareTheFinestOfTheirLevels) {
  const auto parts = all_parts(info_);
  const MakePart make = part_maker(shared_steps(), info_, parts, {}, *cpu_backend());
  for (int time = 0; time < kPartTimes; ++time) {
    std::vector<Apr> own;
    for (int channel = 0; channel < kPartChannels; ++channel) {
      auto alone = convert(channel_image(channel, time), {});
      ASSERT_TRUE(alone);
      own.push_back(*std::move(alone));
    }
    std::shared_ptr<const AprAccess> access;
    for (int channel = 0; channel < kPartChannels; ++channel) {
      const Apr apr = made(make, {channel, time});
      ASSERT_TRUE(apr.access);
      if (!access) access = apr.access;
      // Not one like it: the same object.
      EXPECT_EQ(apr.access, access);
      EXPECT_EQ(apr.time, time);
      EXPECT_EQ(apr.channel_index, channel);
      // The thresholds are those of the channel.
      EXPECT_EQ(apr.parameters, own[static_cast<std::size_t>(channel)].parameters);
    }
    bool finer = false;
    for (std::int64_t z = 0; z < kPartSize.z; ++z) {
      for (std::int64_t x = 0; x < kPartSize.x; ++x) {
        for (std::int64_t y = 0; y < kPartSize.y; ++y) {
          int finest = 0;
          for (const Apr& one : own) finest = std::max(finest, one.access->find({z, x, y}).level);
          const int found = access->find({z, x, y}).level;
          ASSERT_EQ(found, finest) << z << " " << x << " " << y;
          finer = finer || found > own[0].access->find({z, x, y}).level;
        }
      }
    }
    // Else this would say nothing.
    EXPECT_TRUE(finer);
  }
}

TEST_F(PartMaker, ValuesAreTheMeansOfEachChannel) {
  const auto parts = all_parts(info_);
  const MakePart make = part_maker(shared_steps(), info_, parts, {}, *cpu_backend());
  for (int channel = 0; channel < kPartChannels; ++channel) {
    const Apr apr = made(make, {channel, 1});
    const Volume image = channel_image(channel, 1);
    const auto& pixels = std::get<Pixels<std::uint16_t>>(image.pixels);
    const std::vector<float> values = apr.main_field()->to_float();
    const LinearAccess& cells = apr.access->particles();
    for (int level = 1; level <= cells.level_max(); ++level) {
      for (std::int64_t z = 0; z < cells.grid(level).z; ++z) {
        for (std::int64_t x = 0; x < cells.grid(level).x; ++x) {
          const ParticleRange row = cells.row(level, z, x);
          for (std::uint64_t i = row.begin; i < row.end; ++i) {
            const double mean =
                mean_of_cell(pixels, cells.level_max(), level, {z, x, cells.y()[i]});
            ASSERT_NEAR(static_cast<double>(values[i]), mean, 0.51);
          }
        }
      }
    }
  }
}

// Smooth images without noise, of which the bound is promised at every pixel: with one scale σ,
// mean minus minimum, and no thresholds.
Volume smooth_image(int channel) {
  Volume out;
  Pixels<std::uint16_t> pixels(kPartSize);
  const double centre = 8.0 + 9.0 * channel;
  for (std::int64_t z = 0; z < kPartSize.z; ++z) {
    for (std::int64_t x = 0; x < kPartSize.x; ++x) {
      for (std::int64_t y = 0; y < kPartSize.y; ++y) {
        const double d = std::hypot(static_cast<double>(z) - 6.0, static_cast<double>(x) - 13.0,
                                    static_cast<double>(y) - centre);
        pixels.at(z, x, y) =
            static_cast<std::uint16_t>(1000.0 + std::round(20000.0 * std::exp(-d * d / 40.0)));
      }
    }
  }
  out.pixels = std::move(pixels);
  return out;
}

TEST_F(PartMaker, TheBoundOfEachChannelHoldsAtAllPixels) {
  constexpr double kError = 0.2;
  info_.path = write_channels(folder_, [](int channel, int) { return smooth_image(channel); });
  std::vector<Operation> steps = shared_steps();
  steps.front().parameters["rel_error"] = kError;
  steps.front().parameters["lambda"] = 0.0;
  steps.front().parameters["auto_thresholds"] = false;
  steps.front().parameters["constant_scale"] = true;
  const MakePart make = part_maker(steps, info_, all_parts(info_), {}, *cpu_backend());
  std::uint64_t below = 0;
  for (int channel = 0; channel < kPartChannels; ++channel) {
    const Apr apr = made(make, {channel, 0});
    const Volume image = smooth_image(channel);
    const auto& pixels = std::get<Pixels<std::uint16_t>>(image.pixels);
    const double sum = std::accumulate(pixels.values.begin(), pixels.values.end(), 0.0);
    const double least = *std::min_element(pixels.values.begin(), pixels.values.end());
    const double scale = sum / static_cast<double>(pixels.values.size()) - least;
    const std::vector<float> values = apr.main_field()->to_float();
    for (std::int64_t z = 0; z < kPartSize.z; ++z) {
      for (std::int64_t x = 0; x < kPartSize.x; ++x) {
        for (std::int64_t y = 0; y < kPartSize.y; ++y) {
          const ParticleAt at = apr.access->find({z, x, y});
          const double error = std::abs(static_cast<double>(values[at.index]) -
                                        static_cast<double>(pixels.at(z, x, y)));
          ASSERT_LE(error, kError * scale) << z << " " << x << " " << y;
          below += at.level < apr.access->level_max() ? 1 : 0;
        }
      }
    }
  }
  // With pixels only it would hold for nothing.
  EXPECT_GT(below, 1000U);
}

TEST_F(PartMaker, ChannelsLeftOutNeedNothing) {
  const std::vector<SourceSelection> two{{0, 0}, {2, 0}};
  const MakePart make = part_maker(shared_steps(), info_, two, {}, *cpu_backend());
  const Apr first = made(make, {0, 0});
  EXPECT_EQ(first.access, made(make, {2, 0}).access);
  const MakePart all = part_maker(shared_steps(), info_, all_parts(info_), {}, *cpu_backend());
  EXPECT_LT(first.access->count(), made(all, {0, 0}).access->count());
  // Alone, a channel has its own.
  const std::vector<SourceSelection> one{{1, 0}};
  const Apr alone = made(part_maker(shared_steps(), info_, one, {}, *cpu_backend()), {1, 0});
  const auto own = convert(channel_image(1, 0), {});
  ASSERT_TRUE(own);
  EXPECT_TRUE(alone.access->particles() == own->access->particles());
}

TEST_F(PartMaker, StepsBeforeAndAfterRunOnEachChannel) {
  std::vector<Operation> steps{{"crop", {{"region", std::string("0:12,2:24,4:32")}}}};
  steps.push_back(shared_steps().front());
  steps.push_back({"gaussian", {}});
  const VoxelSize voxel{2.0, 1.0, 1.0, "µm"};
  const std::vector<SourceSelection> parts = all_parts(info_);
  const MakePart make = part_maker(steps, info_, parts, voxel, *cpu_backend());
  const Apr first = made(make, {0, 0});
  const Apr second = made(make, {1, 0});
  ASSERT_TRUE(first.access && second.access);
  EXPECT_EQ(first.access->size(), (Size3{12, 22, 28}));
  EXPECT_EQ(first.access, second.access);
  EXPECT_EQ(first.voxel, voxel);
  ASSERT_GE(first.history.size(), 2U);
  EXPECT_NE(first.history[first.history.size() - 2].find("structure shared"), std::string::npos);
  // The filter of the values at the shared cells.
  steps.pop_back();
  const auto plain =
      Dataset::create(Data{made(part_maker(steps, info_, parts, voxel, *cpu_backend()), {0, 0})});
  const auto smooth = execute({{"gaussian", {}}}, plain, *cpu_backend());
  ASSERT_TRUE(smooth);
  EXPECT_EQ(first.main_field()->to_float(), smooth->data->apr().main_field()->to_float());
}

TEST_F(PartMaker, ErrorsNameThePartThatFailed) {
  // A channel that is not there, while another is made.
  const std::vector<SourceSelection> parts{{0, 0}, {5, 0}};
  const MakePart make = part_maker(shared_steps(), info_, parts, {}, *cpu_backend());
  const auto failed = make({0, 0}, {});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().where.find("(channel 5, time point 0)"), std::string::npos)
      << failed.error().where;
  EXPECT_EQ(in_part(failed.error(), {0, 0}).where, failed.error().where);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = make({0, 0}, JobContext(stop.get_token()));
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
