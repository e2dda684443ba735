#include <array>
#include <set>

#include "core/operations/engine/result_data.hpp"
#include "gpu/engines/cuda_backend.hpp"
#include "gpu/engines/octet_scene.hpp"
#include "gpu/octet/octet_part.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/support/random_apr.hpp"

// A preview asks for slices: what else the filter could compute is not computed, and what else the
// device holds stays where it is.
namespace aprscope::test {
namespace {

constexpr float kKept = -7.0F;

class RegionDownload : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped()) return;
    apr_.access = random_access({{64, 72, 90}, 5, 0.6, true});
    apr_.name = "particles";
    apr_.fields = {std::make_shared<const Field>(
        Field{"parts", random_values(apr_.access->count(), 3, 0.0F, 1000.0F)})};
    data_ = Dataset::create(Data{apr_});
    backend_ = gpu::cuda_backend({device_});
  }

  // The values of the whole run where a region is, else what was there before.
  [[nodiscard]] std::vector<float> wanted(const Operation& operation,
                                          const std::vector<std::uint64_t>& particles) const {
    const auto whole = backend_->run(operation, *data_, {});
    EXPECT_TRUE(whole.ok()) << whole.error().message();
    std::vector<float> out(apr_.access->count(), kKept);
    if (!whole) return out;
    const auto& field = std::get<Apr>(*whole).main_field()->values;
    const auto& values = std::get<std::vector<float>>(field);
    for (const std::uint64_t i : particles) out[i] = values[i];
    return out;
  }

  static Operation gaussian(double sigma, double size) {
    return {"gaussian",
            {{"sigma", std::array<double, 3>{sigma, sigma, sigma}},
             {"size", std::array<double, 3>{size, size, size}}}};
  }

  Apr apr_;
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<const Backend> backend_;
};

// Stencils that each kernel is for (3³, 5³, cubes, a long one, dense), and what is no convolution.
TEST_F(RegionDownload, APreviewOfASliceBringsASlice) {
  Stencil odd;
  odd.size = {7, 7, 7};
  odd.weights.clear();
  for (int i = 0; i < 343; ++i) odd.weights.push_back(1.0 + i * 37 % 11);
  for (const Operation& operation :
       {gaussian(0.5, 3), gaussian(0.8, 5), gaussian(1.2, 7), gaussian(2.0, 13), gaussian(3.0, 17),
        Operation{"custom", {{"stencil", odd}}}, Operation{"median", {}},
        Operation{"gradient", {}}}) {
    SCOPED_TRACE(describe(operation));
    // The list of bricks comes once.
    std::vector<float> warm;
    const Status ready = backend_->run_region(operation, *data_, {{0, 0, 0}, {1, 1, 1}}, warm, {});
    ASSERT_TRUE(ready.ok()) << ready.error().message();
    for (const Region& slice : {Region{{31, 0, 0}, {32, 72, 90}}, Region{{0, 40, 0}, {64, 41, 90}},
                                Region{{0, 0, 89}, {64, 72, 90}}}) {
      const auto particles = particles_in(*apr_.access, slice);
      ASSERT_GT(particles.size(), 0U);
      ASSERT_LT(particles.size(), apr_.access->count() / 4);
      std::vector<float> out(apr_.access->count(), kKept);
      const std::uint64_t before = device_->downloaded_bytes();
      ASSERT_TRUE(backend_->run_region(operation, *data_, slice, out, {}).ok());
      EXPECT_EQ(device_->downloaded_bytes() - before, particles.size() * sizeof(float));
      EXPECT_EQ(out, wanted(operation, particles));
    }
  }
}

TEST_F(RegionDownload, SlicesOfAllAxesComeTogetherAndEachParticleOnce) {
  const std::vector<Region> slices{
      {{31, 0, 0}, {32, 72, 90}}, {{0, 40, 0}, {64, 41, 90}}, {{0, 0, 17}, {64, 72, 18}}};
  std::vector<std::uint64_t> all;
  for (const Region& slice : slices) {
    const auto some = particles_in(*apr_.access, slice);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  const std::size_t asked = all.size();
  all.erase(std::unique(all.begin(), all.end()), all.end());
  ASSERT_LT(all.size(), asked);
  std::vector<float> warm;
  ASSERT_TRUE(
      backend_->run_region(gaussian(1.2, 7), *data_, {{0, 0, 0}, {1, 1, 1}}, warm, {}).ok());
  // Edits: the same slices again, another filter.
  for (const double sigma : {1.2, 1.3}) {
    const Operation operation = gaussian(sigma, 7);
    std::vector<float> out(apr_.access->count(), kKept);
    const std::uint64_t before = device_->downloaded_bytes();
    ASSERT_TRUE(backend_->run_regions(operation, *data_, slices, out, {}).ok());
    EXPECT_EQ(device_->downloaded_bytes() - before, all.size() * sizeof(float));
    EXPECT_EQ(out, wanted(operation, all));
  }
}

// What a step gave is what the next one begins with, and its input what the user may go back to.
TEST_F(RegionDownload, AChainOfFiltersSendsItsInputOnce) {
  const Operation first = gaussian(1.2, 7);
  const Operation second{"median", {}};
  const auto run = [&](const Backend& backend, const Operation& operation, const Dataset& input) {
    auto made = backend.run(operation, input, {});
    EXPECT_TRUE(made.ok()) << made.error().message();
    return Dataset::create(*std::move(made));
  };
  const auto values = [](const Dataset& data) { return data.values().particles(); };
  const auto smooth = run(*backend_, first, *data_);
  // Weights of stencils are all that is sent from here on.
  const std::uint64_t before = device_->uploaded_bytes();
  const auto both = run(*backend_, second, *smooth);
  // Previews of both.
  std::vector<float> of_input(apr_.access->count(), kKept);
  std::vector<float> of_result = of_input;
  const Region slice{{31, 0, 0}, {32, 72, 90}};
  ASSERT_TRUE(backend_->run_region(first, *smooth, slice, of_input, {}).ok());
  ASSERT_TRUE(backend_->run_region(first, *both, slice, of_result, {}).ok());
  EXPECT_LT(device_->uploaded_bytes() - before, apr_.access->count());
  // A back end that has kept nothing finds the same.
  const auto fresh = gpu::cuda_backend({device_});
  EXPECT_EQ(values(*both), values(*run(*fresh, second, *smooth)));
  const auto in_smooth = values(*run(*fresh, first, *smooth));
  const auto in_both = values(*run(*fresh, first, *both));
  for (const std::uint64_t i : particles_in(*apr_.access, slice)) {
    ASSERT_EQ(of_input[i], in_smooth[i]) << i;
    ASSERT_EQ(of_result[i], in_both[i]) << i;
  }
}

// The bricks (16 cells of a level a side) that hold particles and lie in the slice, counted cell by
// cell.
TEST_F(RegionDownload, NoOtherBrickIsComputed) {
  const gpu::OctetApr apr(apr_.access, device_);
  const Region slice{{31, 0, 0}, {32, 72, 90}};
  const gpu::OctetPart part(apr, std::span(&slice, 1));
  const LinearAccess& cells = apr_.access->particles();
  std::uint32_t all = 0;
  for (int l = 1; l <= cells.level_max(); ++l) {
    const std::int64_t side = std::int64_t{16} << (cells.level_max() - l);
    std::set<std::array<std::int64_t, 3>> bricks;
    for (std::int64_t z = 0; z < cells.grid(l).z; ++z) {
      if (z / 16 * side >= slice.end.z || (z / 16 + 1) * side <= slice.begin.z) continue;
      for (std::int64_t x = 0; x < cells.grid(l).x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          bricks.insert({z / 16, x / 16, cells.y()[i] / 16});
        }
      }
    }
    EXPECT_EQ(part.work(l).count, bricks.size()) << l;
    EXPECT_EQ(part.work(l).first, all) << l;
    all += part.work(l).count;
  }
  EXPECT_EQ(part.bricks(), all);
  EXPECT_LT(part.bricks(), apr.bricks().size());
  EXPECT_EQ(part.particles().size(), particles_in(*apr_.access, slice).size());
}

// Other values on the same structure have other means in the tree.
TEST_F(RegionDownload, OtherValuesOnTheSameParticlesAreSeen) {
  const Region slice{{31, 0, 0}, {32, 72, 90}};
  std::vector<float> warm;
  ASSERT_TRUE(backend_->run_region(gaussian(1.2, 7), *data_, slice, warm, {}).ok());
  apr_.fields = {std::make_shared<const Field>(
      Field{"parts", random_values(apr_.access->count(), 8, 0.0F, 1000.0F)})};
  data_ = Dataset::create(Data{apr_});
  std::vector<float> out(apr_.access->count(), kKept);
  ASSERT_TRUE(backend_->run_region(gaussian(1.2, 7), *data_, slice, out, {}).ok());
  EXPECT_EQ(out, wanted(gaussian(1.2, 7), particles_in(*apr_.access, slice)));
}

// What is kept for the next step is no reason to refuse a view.
TEST_F(RegionDownload, WhatIsKeptMakesRoomForA3dView) {
  const auto done = backend_->run(gaussian(1.0, 5), *data_, {});
  ASSERT_TRUE(done.ok()) << done.error().message();
  const std::uint64_t needed = gpu::scene_bytes(*data_);
  gpu::limit_device_memory(gpu::device_memory().used + needed / 2);
  const auto scene = backend_->raycaster(data_, {});
  gpu::limit_device_memory(0);
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  EXPECT_EQ((*scene)->bytes(), 0U) << "it is in the host's memory, where the CPU renders it";
}

}  // namespace
}  // namespace aprscope::test
