#include "gpu/octet/octet_reconstruction.hpp"

#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class OctetReconstructionTest : public test::CudaTest {};

TEST_F(OctetReconstructionTest, WholeSlicesAndRegionsEqualThoseOfTheCpu) {
  const std::pair<ReconstructionMode, gpu::Reconstruct> modes[] = {
      {ReconstructionMode::constant, gpu::Reconstruct::constant},
      {ReconstructionMode::smooth, gpu::Reconstruct::smooth},
      {ReconstructionMode::level, gpu::Reconstruct::level}};
  for (const Size3 size : {Size3{40, 50, 70}, Size3{33, 17, 49}, Size3{1, 61, 90}}) {
    const test::Sample s(test::random_access({size, 3, 0.6, size.z != 33}));
    const gpu::OctetApr apr(s.access, device_);
    const gpu::OctetValues octets = apr.make_values();
    apr.upload(s.values, octets);
    apr.fill_tree(octets, Reduction::mean);
    const Region regions[] = {whole(size),
                              {{size.z / 2, 0, 0}, {size.z / 2 + 1, size.x, size.y}},
                              {{0, 3, 0}, {size.z, 4, size.y}},
                              {{0, 0, size.y - 1}, {size.z, size.x, size.y}},
                              {{0, 5, 7}, {size.z, 16, 30}}};
    for (const auto& [mode, on_gpu] : modes) {
      for (const Region& region : regions) {
        const auto expected = reconstruct(*s.access, s.values, mode, region);
        ASSERT_TRUE(expected.ok());
        const auto narrow = [](const Size3& n) {
          return gpu::Int3{static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
        };
        std::vector<float> got(expected->values.size());
        const gpu::DeviceBuffer<float> pixels(got.size(), "test", device_->main());
        gpu::reconstruct(apr.view(), octets.data(), on_gpu, narrow(region.begin),
                         narrow(region.size()), pixels.data(), device_->main());
        device_->download(pixels.data(), got.data(), pixels.bytes());
        for (std::size_t i = 0; i < got.size(); ++i) {
          const float tolerance = mode == ReconstructionMode::smooth ? 1e-2F : 0.0F;
          ASSERT_NEAR(got[i], expected->values[i], tolerance) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
