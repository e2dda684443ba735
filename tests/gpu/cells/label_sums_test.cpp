// Sums over labels on the GPU: those of a loop over all pixels.
#include "gpu/cells/label_sums.hpp"

#include <random>

#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

using Random = std::mt19937_64;

std::vector<gpu::LabelTotal> looped(const Pixels<std::uint32_t>& labels,
                                    const std::vector<std::uint32_t>& values, std::uint32_t count) {
  std::vector<gpu::LabelTotal> totals(count);
  const Size3 n = labels.size;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const std::size_t i = labels.index(z, x, y);
        if (labels.values[i] == 0 || labels.values[i] > count) continue;
        gpu::LabelTotal& t = totals[labels.values[i] - 1];
        const std::uint64_t p[3] = {static_cast<std::uint64_t>(z), static_cast<std::uint64_t>(x),
                                    static_cast<std::uint64_t>(y)};
        ++t.voxels;
        constexpr int kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int k = 0; k < 6; ++k) t.second[k] += p[kPairs[k][0]] * p[kPairs[k][1]];
        std::uint32_t bounds[4] = {static_cast<std::uint32_t>(z), static_cast<std::uint32_t>(x),
                                   static_cast<std::uint32_t>(y), 0};
        if (!values.empty()) {
          t.sum += values[i];
          t.squares += std::uint64_t{values[i]} * values[i];
          bounds[3] = values[i];
        }
        for (int k = 0; k < 4; ++k) {
          if (k < 3) t.first[k] += p[k];
          if (k == 3 && values.empty()) continue;
          t.bounds[2 * k] = std::max(t.bounds[2 * k], ~bounds[k]);
          t.bounds[2 * k + 1] = std::max(t.bounds[2 * k + 1], bounds[k]);
        }
      }
    }
  }
  return totals;
}

class LabelSumsOnGpu : public test::CudaTest {
 protected:
  void expect_looped(const Pixels<std::uint32_t>& labels, std::uint32_t count,
                     const std::string& what) {
    SCOPED_TRACE(what);
    Random random(3);
    expect_equal<std::uint8_t>(labels, {}, count);
    std::vector<std::uint8_t> bytes(labels.values.size());
    for (auto& v : bytes) v = static_cast<std::uint8_t>(random() % 256);
    expect_equal(labels, bytes, count);
    std::vector<std::uint16_t> words(labels.values.size());
    for (auto& v : words) v = static_cast<std::uint16_t>(65000 + random() % 536);
    expect_equal(labels, words, count);
  }

 private:
  template <class T>
  void expect_equal(const Pixels<std::uint32_t>& labels, const std::vector<T>& values,
                    std::uint32_t count) {
    const auto wanted =
        looped(labels, std::vector<std::uint32_t>(values.begin(), values.end()), count);
    const Size3 n = labels.size;
    const gpu::Int3 size{static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
    const auto on_device = device_->upload(std::span(labels.values), "labels");
    const auto grey = device_->upload(std::span(values), "values");
    const gpu::DeviceBuffer<gpu::LabelTotal> totals(count, "totals", device_->main());
    totals.zero();
    if (values.empty()) {
      gpu::sum_labels(on_device.data(), size, count, totals.data(), device_->main());
    } else {
      gpu::sum_labels(on_device.data(), grey.data(), size, count, totals.data(), device_->main());
    }
    std::vector<gpu::LabelTotal> found(count);
    device_->download(totals.data(), found.data(), totals.bytes());
    for (std::uint32_t i = 0; i < count; ++i) {
      SCOPED_TRACE("label " + std::to_string(i + 1) + ", bytes of a value " +
                   std::to_string(values.empty() ? 0 : sizeof(T)));
      ASSERT_EQ(found[i].voxels, wanted[i].voxels);
      for (int k = 0; k < 3; ++k) ASSERT_EQ(found[i].first[k], wanted[i].first[k]) << k;
      for (int k = 0; k < 6; ++k) ASSERT_EQ(found[i].second[k], wanted[i].second[k]) << k;
      ASSERT_EQ(found[i].sum, wanted[i].sum);
      ASSERT_EQ(found[i].squares, wanted[i].squares);
      for (int k = 0; k < 8; ++k) ASSERT_EQ(found[i].bounds[k], wanted[i].bounds[k]) << k;
    }
  }
};

TEST_F(LabelSumsOnGpu, AreThoseOfALoop) {
  Random random(4);
  for (const Size3 size :
       {Size3{1, 1, 1}, Size3{1, 40, 95}, Size3{9, 17, 33}, Size3{24, 50, 130}}) {
    // Two labels and what is none; more than have a place in a block; blobs; and numbers beyond.
    Pixels<std::uint32_t> few(size);
    for (auto& v : few.values) v = random() % 3;
    expect_looped(few, 2, "few");
    Pixels<std::uint32_t> many(size);
    for (auto& v : many.values) v = static_cast<std::uint32_t>(random() % 5000);
    expect_looped(many, 4990, "many");
    Pixels<std::uint32_t> blocks(size);
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          blocks.at(z, x, y) =
              static_cast<std::uint32_t>(1 + z / 7 + 10 * (x / 11) + 100 * (y / 13));
        }
      }
    }
    expect_looped(blocks, 2000, "blocks");
    if (HasFailure()) return;
  }
}

// The least one of the grey values is 0 and the largest one is the largest there is.
TEST_F(LabelSumsOnGpu, OfOneLabelFillTheBlock) {
  Pixels<std::uint32_t> all({20, 40, 100}, 1);
  expect_looped(all, 1, "all");
}

TEST(LabelSumsOfAnyDevice, KnowHowFarTheyReach) {
  EXPECT_TRUE(gpu::can_sum_labels({512, 512, 512}));
  EXPECT_FALSE(gpu::can_sum_labels({1, 1, 65537}));
  EXPECT_FALSE(gpu::can_sum_labels({1, 65536, 65536}));
}

}  // namespace
}  // namespace aprscope
