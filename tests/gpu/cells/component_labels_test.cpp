// Components labelled on the GPU: those of a flood pixel by pixel, numbered by their first pixels.
#include "gpu/cells/component_labels.hpp"

#include <cstdlib>
#include <random>

#include "core/pipeline/backend.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

using Random = std::mt19937_64;

constexpr Connectivity kConnectivities[] = {Connectivity::faces, Connectivity::edges,
                                            Connectivity::corners};

// The components of pixels whose mask is not 0 (or is), in memory order of their first pixel; with
// `holes` those that touch the border are kOutside.
struct Flooded {
  std::vector<std::uint32_t> labels;
  std::uint32_t count = 0;
};
Flooded flooded(const Pixels<std::uint8_t>& mask, Connectivity connectivity, bool holes) {
  const Size3 n = mask.size;
  Flooded found;
  found.labels.resize(mask.values.size());
  const int most = connectivity == Connectivity::faces   ? 1
                   : connectivity == Connectivity::edges ? 2
                                                         : 3;
  constexpr std::uint32_t kNew = ~std::uint32_t{0};
  std::vector<Index3> part;
  for (std::size_t first = 0; first < mask.values.size(); ++first) {
    if ((mask.values[first] != 0) == holes || found.labels[first] != 0) continue;
    part.clear();
    bool touches = false;
    const auto row = static_cast<std::int64_t>(first) / n.y;
    part.push_back({row / n.x, row % n.x, static_cast<std::int64_t>(first) % n.y});
    found.labels[first] = kNew;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Index3 p = part[i];
      touches = touches || p.x == 0 || p.y == 0 || p.x == n.x - 1 || p.y == n.y - 1 ||
                (n.z > 1 && (p.z == 0 || p.z == n.z - 1));
      for (int dz = -1; dz <= 1; ++dz) {
        for (int dx = -1; dx <= 1; ++dx) {
          for (int dy = -1; dy <= 1; ++dy) {
            const Index3 q{p.z + dz, p.x + dx, p.y + dy};
            if (std::abs(dz) + std::abs(dx) + std::abs(dy) > most || q.z < 0 || q.x < 0 ||
                q.y < 0 || q.z >= n.z || q.x >= n.x || q.y >= n.y) {
              continue;
            }
            const std::size_t at = mask.index(q.z, q.x, q.y);
            if ((mask.values[at] != 0) == holes || found.labels[at] != 0) continue;
            found.labels[at] = kNew;
            part.push_back(q);
          }
        }
      }
    }
    const std::uint32_t label = holes && touches ? gpu::kOutside : ++found.count;
    for (const Index3& p : part) found.labels[mask.index(p.z, p.x, p.y)] = label;
  }
  return found;
}

class ComponentLabelsOnGpu : public test::CudaTest {
 protected:
  void expect_flooded(const Pixels<std::uint8_t>& mask, const std::string& what) {
    const Size3 n = mask.size;
    const auto on_device = device_->upload(std::span(mask.values), "mask");
    const gpu::ComponentLabels job(
        {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)}, device_->main());
    const gpu::DeviceBuffer<std::uint32_t> labels(mask.values.size(), "labels", device_->main());
    std::vector<std::uint32_t> found(mask.values.size());
    for (const Connectivity connectivity : kConnectivities) {
      for (const auto labelled : {gpu::Labelled::set, gpu::Labelled::holes}) {
        const bool holes = labelled == gpu::Labelled::holes;
        SCOPED_TRACE(what + ", " + std::to_string(n.z) + " x " + std::to_string(n.x) + " x " +
                     std::to_string(n.y) + ", connectivity " +
                     std::to_string(static_cast<int>(connectivity)) + (holes ? ", holes" : ""));
        const Flooded wanted = flooded(mask, connectivity, holes);
        // Poison: each label is written.
        ensure(cudaMemsetAsync(labels.data(), 0xA5, labels.bytes(), device_->main()), "poison");
        job.enqueue(on_device.data(), labelled, connectivity, labels.data());
        device_->download(labels.data(), found.data(), labels.bytes());
        EXPECT_EQ(job.count(), wanted.count);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
          if (found[i] == wanted.labels[i]) continue;
          if (wrong++ == 0) {
            ADD_FAILURE() << "pixel " << i << ": " << found[i] << ", not " << wanted.labels[i];
          }
        }
        ASSERT_EQ(wrong, 0U);
      }
    }
  }
  static void ensure(cudaError_t code, const char* doing) { gpu::ensure(code, doing); }
};

TEST_F(ComponentLabelsOnGpu, OfNoiseAreFlooded) {
  Random random(1);
  for (const Size3 size :
       {Size3{1, 1, 1}, Size3{1, 1, 77}, Size3{1, 70, 64}, Size3{1, 131, 95}, Size3{5, 1, 33},
        Size3{40, 3, 1}, Size3{9, 10, 132}, Size3{8, 8, 32}, Size3{16, 16, 64}, Size3{17, 25, 65},
        Size3{33, 40, 96}, Size3{2, 90, 31}}) {
    for (const unsigned percent : {0U, 3U, 10U, 20U, 30U, 40U, 50U, 70U, 90U, 99U, 100U}) {
      Pixels<std::uint8_t> mask(size);
      for (auto& v : mask.values) v = random() % 100 < percent ? 1 + random() % 255 : 0;
      expect_flooded(mask, std::to_string(percent) + " %");
      if (HasFailure()) return;
    }
  }
}

TEST_F(ComponentLabelsOnGpu, OfLargeNoiseAreFlooded) {
  Random random(2);
  for (const Size3 size : {Size3{70, 90, 256}, Size3{1, 700, 1000}, Size3{65, 70, 203}}) {
    for (const unsigned percent : {9U, 31U, 50U, 80U}) {
      Pixels<std::uint8_t> mask(size);
      for (auto& v : mask.values) v = random() % 100 < percent ? 255 : 0;
      expect_flooded(mask, std::to_string(percent) + " %");
      if (HasFailure()) return;
    }
  }
}

// One thread through the whole image, one pixel wide: the longest chains of parents.
TEST_F(ComponentLabelsOnGpu, OfWindingLinesAreOne) {
  Pixels<std::uint8_t> mask({17, 33, 99});
  const Size3 n = mask.size;
  for (std::int64_t z = 0; z < n.z; z += 2) {
    for (std::int64_t x = 0; x < n.x; x += 2) {
      for (std::int64_t y = 0; y < n.y; ++y) mask.at(z, x, y) = 1;
      if (x + 1 < n.x) mask.at(z, x + 1, x / 2 % 2 == 0 ? n.y - 1 : 0) = 1;
    }
    if (z + 1 < n.z) mask.at(z + 1, z / 2 % 2 == 0 ? n.x - 1 : 0, n.y - 1) = 1;
  }
  expect_flooded(mask, "winding");
}

// Walls of one pixel along diagonals hold water of faces, but not of corners.
TEST_F(ComponentLabelsOnGpu, OfDiagonalWallsAreFlooded) {
  for (const Size3 size : {Size3{40, 45, 70}, Size3{1, 100, 130}}) {
    Pixels<std::uint8_t> mask(size);
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          mask.at(z, x, y) = (z + x + y) % 16 == 0 || (y - x + 64) % 11 == 0 ? 1 : 0;
        }
      }
    }
    expect_flooded(mask, "diagonals");
  }
}

// Every second pixel: as many labels as there can be, beyond those of 16 bits.
TEST_F(ComponentLabelsOnGpu, OfSinglePixelsCountThemAll) {
  Pixels<std::uint8_t> mask({60, 70, 131});
  for (std::int64_t z = 0; z < 60; ++z) {
    for (std::int64_t x = 0; x < 70; ++x) {
      for (std::int64_t y = 0; y < 131; ++y) mask.at(z, x, y) = (z + x + y) % 2 == 0 ? 7 : 0;
    }
  }
  expect_flooded(mask, "checkerboard");
}

TEST_F(ComponentLabelsOnGpu, GoToTheCpuWhereMemoryIsShort) {
  Volume volume;
  volume.name = "mask";
  Pixels<std::uint8_t> mask({20, 100, 200});
  Random random(3);
  for (auto& v : mask.values) v = random() % 2;
  volume.pixels = mask;
  const auto backend = *select_backend("cuda:0");
  gpu::limit_device_memory(gpu::device_memory().used + 1'000'000);
  std::vector<DeviceMove> moves;
  const auto found =
      backend->run({"label", {}}, *Dataset::create(std::move(volume)),
                   JobContext().listening([&](const DeviceMove& move) { moves.push_back(move); }));
  gpu::limit_device_memory(0);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(std::get<Volume>(*found).labels->values,
            flooded(mask, Connectivity::faces, false).labels);
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_NE(moves[0].reason.find("GPU memory, but only"), std::string::npos) << moves[0].reason;
}

TEST(ComponentLabelsOfAnyDevice, KnowHowFarTheirIndicesReach) {
  EXPECT_TRUE(gpu::ComponentLabels::can_index({512, 512, 512}));
  EXPECT_TRUE(gpu::ComponentLabels::can_index({1, 46000, 46000}));
  EXPECT_FALSE(gpu::ComponentLabels::can_index({1290, 1291, 1291}));
  // Rows of one pixel take a word each.
  EXPECT_FALSE(gpu::ComponentLabels::can_index({1, 70'000'000, 1}));
  EXPECT_FALSE(gpu::ComponentLabels::can_index({1, 1, std::int64_t{1} << 40}));
}

}  // namespace
}  // namespace aprscope
