#include "gpu/deconvolution/grid_blur.hpp"

#include <algorithm>

#include "core/deconvolution/blur/blur_model.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class GridBlurTest : public test::CudaTest {};

TEST_F(GridBlurTest, PaddedGridsAreBlurredByDefinition) {
  for (const test::GridCase& c : test::grid_cases()) {
    Pixels<double> image(c.grid);
    const auto count = static_cast<std::uint64_t>(c.grid.count());
    const auto values = test::random_values(count, 5, -1, 1);
    std::copy(values.begin(), values.end(), image.values.begin());
    const std::pair<gpu::Beyond, test::Beyond> rules[] = {
        {gpu::Beyond::zero, test::Beyond::zero},
        {gpu::Beyond::about_cell, test::Beyond::edge_pixels},
        {gpu::Beyond::about_face, test::Beyond::faces}};
    for (const auto& [beyond, rule] : rules) {
      for (const double skew : {0.0, 0.5}) {
        const Stencil kernel = test::tailed_psf(c.kernel, 2.0, skew);
        const gpu::PaddedGrid blur(c.grid, kernel, beyond, 0, device_->main());
        const auto in = device_->upload(std::span<const float>(values), "image");
        for (const bool flip : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << c.grid.z << " × " << c.grid.x << " × " << c.grid.y << ", rule "
                       << static_cast<int>(beyond) << ", skew " << skew << (flip ? ", flip" : ""));
          const gpu::DeviceBuffer<float> out(count, "result", device_->main());
          blur.run(in.data(), flip, out.data());
          std::vector<float> got(values.size());
          device_->download(out.data(), got.data(), got.size() * sizeof(float));
          const auto wanted = test::naive_blur(image, flip ? flipped(kernel) : kernel, rule);
          for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_NEAR(got[i], wanted.values[i], 1e-6) << i;
          }
        }
      }
    }
  }
}

TEST_F(GridBlurTest, TransformsTakeNoMoreThanTheirEstimate) {
  for (const Size3& size :
       {Size3{64, 64, 64}, Size3{100, 108, 126}, Size3{127, 131, 37}, Size3{1, 211, 509},
        Size3{97, 1, 1009}, Size3{1, 1, 4096}, Size3{256, 256, 256}, Size3{251, 256, 240}}) {
    const gpu::FftPlan plan(size, device_->main());
    const double buffer = static_cast<double>(plan.buffer_count() * sizeof(float));
    SCOPED_TRACE(testing::Message()
                 << size.z << " × " << size.x << " × " << size.y << ": work space ÷ buffer "
                 << static_cast<double>(plan.bytes()) / buffer);
    EXPECT_LE(plan.bytes(), gpu::FftPlan::estimate_bytes(size));
  }
}

}  // namespace
}  // namespace aprscope
