// Strata of images that are read slice by slice against those of images in memory.
#include "core/topology/streamed_strata.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/operations/engine/registry.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using test::VolumeSlices;
using Parameters = std::map<std::string, ParameterValue>;

template <class T>
Volume random_volume(const Size3& size, double most, std::uint64_t seed, double step = 1.0) {
  Pixels<T> pixels(size);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(0.0, most);
  for (T& v : pixels.values) v = static_cast<T>(std::floor(value(random) / step) * step);
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.name = "noise";
  return volume;
}

void expect_same(const Volume& volume, const Parameters& parameters) {
  const Operation operation{"topology", parameters};
  const auto all = cpu_backend()->measure(operation, *Dataset::create(Volume(volume)), {});
  ASSERT_TRUE(all.ok()) << all.error().message();
  // From the least that can be to more than the image is.
  for (const std::uint64_t memory : {0U, 4000U, 9000U, 1U << 20U}) {
    VolumeSlices slices(volume);
    const auto streamed = measure_source(operation, slices, volume.voxel, memory);
    ASSERT_TRUE(streamed.ok()) << streamed.error().message();
    EXPECT_EQ(streamed->curves, all->curves) << memory;
    EXPECT_EQ(streamed->tables, all->tables) << memory;
    EXPECT_EQ(streamed->notes, all->notes) << memory;
    EXPECT_EQ(streamed->history, all->history);
  }
}

TEST(StreamedTopology, EqualsThatOfTheImageInMemory) {
  const Size3 sizes[] = {{9, 12, 70}, {1, 20, 33}, {2, 5, 64}, {17, 3, 3}, {40, 1, 1}};
  test::SanitizedShare share(3);
  for (const Size3& size : sizes) {
    for (const char* sets : {"superlevel", "sublevel"}) {
      for (const char* construction : {"t", "v"}) {
        if (!share.takes()) continue;
        const Parameters p{{"sets", std::string(sets)},
                           {"construction", std::string(construction)}};
        SCOPED_TRACE(testing::Message() << size.z << " " << sets << " " << construction);
        expect_same(random_volume<std::uint8_t>(size, 256.0, 1), p);
        expect_same(random_volume<std::uint16_t>(size, 65536.0, 2), p);
        expect_same(random_volume<std::uint16_t>(size, 5.0, 3), p);
        expect_same(random_volume<float>(size, 40.0, 4), p);
        expect_same(random_volume<float>(size, 40.0, 5, 0.25), p);
        Parameters even = p;
        even["levels"] = std::int64_t{23};
        expect_same(random_volume<float>(size, 1.0, 6, 1e-6), even);
        expect_same(random_volume<std::uint16_t>(size, 900.0, 7), even);
      }
    }
  }
}

// Both ends of the types are there: one of them is the value of what is outside.
TEST(StreamedTopology, KnowsTheEndsOfItsTypes) {
  for (const char* sets : {"superlevel", "sublevel"}) {
    auto bytes = random_volume<std::uint8_t>({7, 9, 11}, 256.0, 8);
    auto& b = std::get<Pixels<std::uint8_t>>(bytes.pixels);
    b.values[3] = 0;
    b.values[44] = 255;
    expect_same(bytes, {{"sets", std::string(sets)}});
    auto words = random_volume<std::uint16_t>({7, 9, 11}, 65536.0, 9);
    auto& w = std::get<Pixels<std::uint16_t>>(words.pixels);
    w.values[3] = 0;
    w.values[44] = 65535;
    expect_same(words, {{"sets", std::string(sets)}});
  }
}

TEST(StreamedTopology, ManyRealNumbersGetEvenLevels) {
  expect_same(random_volume<float>({30, 50, 60}, 1.0, 10, 1e-9), {});
}

TEST(StreamedTopology, IntegersAreReadOnce) {
  const Volume volume = random_volume<std::uint16_t>({12, 8, 8}, 900.0, 11);
  VolumeSlices slices(volume);
  ASSERT_TRUE(measure_source({"topology", {}}, slices, volume.voxel, 1000).ok());
  EXPECT_EQ(slices.reads(), 12);
}

TEST(StreamedTopology, NoNumbersAndBrokenFilesAreSaid) {
  Volume volume = random_volume<float>({6, 5, 4}, 9.0, 12);
  auto& pixels = std::get<Pixels<float>>(volume.pixels);
  pixels.at(2, 3, 1) = std::nanf("");
  pixels.at(5, 0, 0) = std::nanf("");
  VolumeSlices slices(volume);
  const auto nan = measure_source({"topology", {}}, slices, volume.voxel, 1000);
  ASSERT_FALSE(nan.ok());
  const std::string text = nan.error().message();
  EXPECT_NE(text.find("2 values"), std::string::npos) << text;
  EXPECT_NE(text.find("z 2, x 3, y 1"), std::string::npos) << text;
  VolumeSlices cut(random_volume<std::uint8_t>({6, 5, 4}, 9.0, 13));
  cut.fail_after(4);
  const auto broken = measure_source({"topology", {}}, cut, {}, 0);
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message().find("is cut off"), std::string::npos);
}

TEST(StreamedTopology, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  VolumeSlices slices(random_volume<std::uint8_t>({6, 5, 4}, 9.0, 14));
  const auto found =
      measure_source({"topology", {}}, slices, {}, 1000, JobContext(stop.get_token()));
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().cancelled());
}

TEST(StreamedTopology, OtherOperationsNeedTheWholeImage) {
  EXPECT_TRUE(measures_slices({"topology", {}}));
  EXPECT_FALSE(measures_slices({"line_profile", {}}));
  EXPECT_FALSE(measures_slices({"gaussian", {}}));
  VolumeSlices slices(random_volume<std::uint8_t>({6, 5, 4}, 9.0, 15));
  EXPECT_FALSE(measure_source({"line_profile", {}}, slices, {}, 1000).ok());
}

// Slices without end: a floor of 3 below and above one sheet of 9, larger than what 32 bits count.
class Sheets : public SliceSource {
 public:
  Sheets() { header_.name = "sheets"; }
  [[nodiscard]] Size3 size() const override { return {1100, 2000, 2000}; }
  [[nodiscard]] SampleKind kind() const override { return SampleKind::u8; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext&) override {
    std::memset(out, z == 270 ? 9 : 3, std::size_t{2000} * 2000);
    return {};
  }

 private:
  Volume header_;
};

TEST(StreamedTopology, CountsBeyond32Bits) {
  if (test::kSanitized) GTEST_SKIP() << "4.4 billion voxels are for the optimised build";
  Sheets sheets;
  const auto found = measure_source({"topology", {}}, sheets, {}, 32U << 20U);
  ASSERT_TRUE(found.ok()) << found.error().message();
  const Table& table = found->tables.front();
  const auto whole = [&](const char* id) {
    return std::get<std::vector<std::int64_t>>(table.column(id)->cells);
  };
  EXPECT_EQ(whole("voxels"), (std::vector<std::int64_t>{1099LL * 2000 * 2000, 2000LL * 2000}));
  EXPECT_EQ(whole("ecc"), (std::vector<std::int64_t>{1, 1}));
  const auto surface = std::get<std::vector<double>>(table.column("surface")->cells);
  EXPECT_EQ(surface[0], 2.0 * (2000.0 * 2000.0 + 2.0 * 1100.0 * 2000.0));
}

}  // namespace
}  // namespace aprscope
