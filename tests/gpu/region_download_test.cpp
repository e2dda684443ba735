#include "core/operations/engine/result_data.hpp"
#include "gpu/cuda_backend.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/support/random_apr.hpp"

// A preview asks for slices: what else the filter computed stays where it is.
namespace aprscope::test {
namespace {

using RegionDownload = CudaTest;

TEST_F(RegionDownload, APreviewOfASliceBringsASlice) {
  Apr apr;
  apr.access = random_access({{64, 72, 90}, 5, 0.6, true});
  apr.name = "particles";
  apr.fields = {std::make_shared<const Field>(
      Field{"parts", random_values(apr.access->count(), 3, 0.0F, 1000.0F)})};
  const auto data = Dataset::create(Data{apr});
  const auto backend = gpu::cuda_backend(device_);
  for (const Operation& operation :
       {Operation{"gaussian", {}}, Operation{"median", {}}, Operation{"gradient", {}}}) {
    SCOPED_TRACE(operation.id);
    const auto whole = backend->run(operation, *data, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    const auto& expected = std::get<Apr>(*whole).main_field()->values;
    const auto& values = std::get<std::vector<float>>(expected);
    for (const Region& slice : {Region{{31, 0, 0}, {32, 72, 90}}, Region{{0, 40, 0}, {64, 41, 90}},
                                Region{{0, 0, 89}, {64, 72, 90}}}) {
      const auto particles = particles_in(*apr.access, slice);
      ASSERT_GT(particles.size(), 0U);
      ASSERT_LT(particles.size(), apr.access->count() / 4);
      std::vector<float> out(apr.access->count(), -7.0F);
      const std::uint64_t before = device_->downloaded_bytes();
      ASSERT_TRUE(backend->run_region(operation, *data, slice, out, {}).ok());
      EXPECT_EQ(device_->downloaded_bytes() - before, particles.size() * sizeof(float));
      std::vector<float> wanted(out.size(), -7.0F);
      for (const std::uint64_t i : particles) wanted[i] = values[i];
      EXPECT_EQ(out, wanted);
    }
  }
}

}  // namespace
}  // namespace aprscope::test
