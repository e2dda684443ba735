// Strata counted on the GPU: the integers of the CPU at every level.
#include <random>

#include "core/apr/convert/conversion.hpp"
#include "core/base/system.hpp"
#include "core/image/synthetic.hpp"
#include "core/topology/particle_strata.hpp"
#include "core/topology/pixel_strata.hpp"
#include "gpu/topology/strata_counting.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

constexpr Construction kBoth[] = {Construction::closed_voxels, Construction::vertices};
constexpr LevelSets kSets[] = {LevelSets::superlevel, LevelSets::sublevel};

using Random = std::mt19937_64;

template <class T, class Draw>
Volume image(const Size3& size, const Draw& draw) {
  Pixels<T> pixels(size);
  for (auto& v : pixels.values) v = static_cast<T>(draw());
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "drawn";
  return volume;
}

LevelPlaces places_of(const Volume& volume, LevelSets sets, int levels) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) {
        if constexpr (std::is_integral_v<T>) {
          const auto [least, most] =
              std::minmax_element(pixels.values.begin(), pixels.values.end());
          return LevelPlaces::of_whole_numbers(*least, *most, sets, levels);
        } else {
          return *LevelPlaces::of(pixels.values, sets, levels);
        }
      },
      volume.pixels);
}

StrataCounts on_cpu(const Volume& volume, const LevelPlaces& places, Construction construction) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) {
        const PlaceRows<std::uint16_t> rows = [&](std::int64_t z, std::int64_t x,
                                                  std::span<std::uint16_t> row) {
          places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
        };
        return *count_strata<std::uint16_t>(pixels.size, static_cast<int>(places.levels().size()),
                                            rows, construction);
      },
      volume.pixels);
}

class StrataOnGpu : public test::CudaTest {
 protected:
  void TearDown() override { gpu::limit_device_memory(0); }

  // In both constructions and directions, in slabs of several sizes.
  void expect_as_on_cpu(const Volume& volume, const std::string& name, int levels = 0,
                        std::initializer_list<int> slabs = {0, 1, 5}) {
    const Size3 n = volume.size();
    for (const LevelSets sets : kSets) {
      const LevelPlaces places = places_of(volume, sets, levels);
      for (const Construction construction : kBoth) {
        const StrataCounts wanted = on_cpu(volume, places, construction);
        for (const int slab : slabs) {
          SCOPED_TRACE(testing::Message()
                       << name << ", " << n.z << " × " << n.x << " × " << n.y << ", "
                       << places.levels().size() << " levels, slabs of " << slab
                       << (sets == LevelSets::superlevel ? ", superlevel" : ", sublevel")
                       << (construction == Construction::vertices ? ", v" : ", t"));
          const auto found =
              gpu::count_pixel_strata(*device_, volume, places, construction, slab, {});
          ASSERT_TRUE(found.ok()) << found.error().message();
          expect_equal(*found, wanted);
          if (HasFailure()) return;
        }
      }
    }
  }
  void expect_as_on_cpu(const AprAccess& access, const std::shared_ptr<const AprAccess>& shared,
                        std::span<const std::uint16_t> places, int levels) {
    const gpu::OctetApr apr(shared, device_);
    for (const Construction construction : kBoth) {
      const auto wanted = count_strata(access, places, levels, construction);
      const gpu::ParticleStrata strata(apr, places, levels, construction);
      strata.enqueue();
      expect_equal(strata.counts(), *wanted);
      // Scratch is left as it was found: what is counted twice is there twice.
      strata.enqueue();
      EXPECT_EQ(strata.counts().levels.front()[7], 2 * wanted->levels.front()[7]);
      if (HasFailure()) return;
    }
  }
  static void expect_equal(const StrataCounts& found, const StrataCounts& wanted) {
    ASSERT_EQ(found.levels.size(), wanted.levels.size());
    for (std::size_t i = 0; i < wanted.levels.size(); ++i) {
      ASSERT_EQ(found.levels[i], wanted.levels[i]) << "level " << i;
    }
  }
};

TEST_F(StrataOnGpu, OfBytesAreThoseOfTheCpu) {
  for (const Size3 size : {Size3{9, 10, 132}, Size3{5, 6, 7}, Size3{1, 9, 70}, Size3{1, 1, 41},
                           Size3{1, 1, 1}, Size3{40, 3, 1}, Size3{37, 20, 130}}) {
    Random random(7);
    expect_as_on_cpu(image<std::uint8_t>(size, [&] { return random() % 256; }), "noise");
    expect_as_on_cpu(image<std::uint8_t>(size, [&] { return random() % 2; }), "masks");
    expect_as_on_cpu(image<std::uint8_t>(size, [] { return 255; }), "flat");
    expect_as_on_cpu(image<std::uint8_t>(size, [&] { return 100 + random() % 50; }), "even", 7);
    if (HasFailure()) return;
  }
}

TEST_F(StrataOnGpu, OfSixteenBitsAreThoseOfTheCpu) {
  for (const Size3 size : {Size3{9, 10, 132}, Size3{5, 6, 7}, Size3{1, 9, 71}, Size3{1, 1, 41},
                           Size3{1, 1, 1}, Size3{40, 3, 1}, Size3{37, 20, 67}}) {
    Random random(8);
    auto noise = image<std::uint16_t>(size, [&] { return random() % 65536; });
    auto& values = std::get<Pixels<std::uint16_t>>(noise.pixels).values;
    values.front() = 0;
    values.back() = 65535;
    expect_as_on_cpu(noise, "noise");
    expect_as_on_cpu(noise, "noise, even", 300);
    expect_as_on_cpu(image<std::uint16_t>(size, [&] { return random() % 3 * 32767; }), "three");
    expect_as_on_cpu(image<std::uint16_t>(size, [] { return 0; }), "flat");
    // The background of a camera, and few that are far brighter than the window reaches.
    std::normal_distribution<double> offset(400.0, 12.0);
    expect_as_on_cpu(
        image<std::uint16_t>(
            size, [&] { return offset(random) + (random() % 9 == 0 ? random() % 9000 : 0); }),
        "camera");
    if (HasFailure()) return;
  }
}

TEST_F(StrataOnGpu, OfRealNumbersAreThoseOfTheCpu) {
  Random random(9);
  std::normal_distribution<float> normal(0.0F, 1.0F);
  for (const Size3 size : {Size3{13, 22, 31}, Size3{1, 40, 27}}) {
    expect_as_on_cpu(image<float>(size, [&] { return normal(random); }), "ranks");
    expect_as_on_cpu(image<float>(size, [&] { return normal(random); }), "even", 100);
    expect_as_on_cpu(image<float>(size, [&] { return random() % 4 * 0.5; }), "few");
    expect_as_on_cpu(image<float>(size, [&] { return double(random() % 1000) - 500.0; }), "whole");
  }
}

TEST_F(StrataOnGpu, OfLargeFlatPartsDoNotOverflow) {
  // A block counts 2¹⁴ voxels at a time, in halves of words.
  expect_as_on_cpu(image<std::uint16_t>({64, 200, 260}, [] { return 7; }), "flat", 0, {0});
  Random random(10);
  expect_as_on_cpu(image<std::uint8_t>({64, 200, 260}, [&] { return random() % 64 != 0; }),
                   "nearly flat", 0, {0, 9});
  // Voxels alone at every other place own all corners.
  Volume dots = image<std::uint16_t>({66, 130, 131}, [] { return 5000; });
  auto& pixels = std::get<Pixels<std::uint16_t>>(dots.pixels);
  for (std::int64_t z = 0; z < 66; z += 2) {
    for (std::int64_t x = 0; x < 130; x += 2) {
      for (std::int64_t y = 0; y < 131; y += 2) pixels.at(z, x, y) = 4000;
    }
  }
  expect_as_on_cpu(dots, "dots", 0, {0});
}

TEST_F(StrataOnGpu, SaysWhereNotEvenASliceFits) {
  const Volume volume = image<std::uint16_t>({9, 1000, 1000}, [] { return 3; });
  const LevelPlaces places = places_of(volume, LevelSets::sublevel, 0);
  gpu::limit_device_memory(gpu::device_memory().used + 5'000'000);
  const auto found =
      gpu::count_pixel_strata(*device_, volume, places, Construction::vertices, 0, {});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().what.find("GPU memory, but only"), std::string::npos)
      << found.error().message();
  // A little more, and it goes slice by slice.
  gpu::limit_device_memory(gpu::device_memory().used + 18'000'000);
  expect_as_on_cpu(volume, "short of memory", 0, {0});
}

TEST_F(StrataOnGpu, StopsWhenAsked) {
  const Volume volume = image<std::uint8_t>({9, 10, 12}, [] { return 3; });
  std::stop_source stop;
  stop.request_stop();
  const auto found =
      gpu::count_pixel_strata(*device_, volume, places_of(volume, LevelSets::sublevel, 0),
                              Construction::vertices, 0, JobContext(stop.get_token()));
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().cancelled());
}

TEST_F(StrataOnGpu, OfParticlesOfRandomTreesAreThoseOfTheCpu) {
  std::uint64_t seed = 1;
  for (const Size3 size : {Size3{16, 16, 16}, Size3{13, 22, 31}, Size3{1, 40, 27}, Size3{1, 1, 50},
                           Size3{33, 5, 9}, Size3{70, 41, 65}}) {
    for (const bool balanced : {true, false}) {
      for (const double split : {0.0, 0.4, 0.7, 0.95, 1.0}) {
        for (const int levels : {1, 2, 6, 1000, 65536}) {
          SCOPED_TRACE("seed " + std::to_string(++seed));
          const auto access = test::random_access({size, seed, split, balanced});
          const auto values = test::random_values(access->count(), seed + 1, 0.0F,
                                                  static_cast<float>(levels), true);
          const std::vector<std::uint16_t> places(values.begin(), values.end());
          expect_as_on_cpu(*access, access, places, levels);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(StrataOnGpu, OfParticlesOfConvertedImagesAreThoseOfTheCpu) {
  for (const char* kind : {"cells", "noise"}) {
    SCOPED_TRACE(kind);
    SyntheticOptions options;
    options.size = {120, 131, 250};
    const auto volume = make_synthetic(kind, options, {});
    ASSERT_TRUE(volume.ok()) << volume.error().message();
    const auto apr = convert(*volume, {}, {});
    ASSERT_TRUE(apr.ok()) << apr.error().message();
    const auto data = Dataset::create(*apr);
    for (const LevelSets sets : kSets) {
      const auto levels = LevelPlaces::of(data->values().particles(), sets, 0);
      std::vector<std::uint16_t> places(data->values().particles().size());
      levels->find(std::span<const float>(data->values().particles()), std::span(places));
      expect_as_on_cpu(*data->apr().access, data->apr().access, places,
                       static_cast<int>(levels->levels().size()));
    }
  }
}

}  // namespace
}  // namespace aprscope
