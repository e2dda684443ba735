#include "gpu/convert/image_conversion.hpp"

#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "gpu/convert/image_half_grid.hpp"
#include "gpu/convert/image_smoother.hpp"
#include "gpu/convert/threshold_samples.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class ImageConversionTest : public test::CudaTest {
 protected:
  void TearDown() override { gpu::limit_device_memory(0); }

  std::vector<float> fetch(const float* from, std::int64_t count) const {
    std::vector<float> out(static_cast<std::size_t>(count));
    device_->download(from, out.data(), out.size() * sizeof(float));
    return out;
  }
};

TEST_F(ImageConversionTest, GradientAndScaleHaveTheBitsOfTheCpu) {
  for (const Size3& size : {Size3{40, 50, 70}, Size3{7, 33, 45}, Size3{133, 21, 18},
                            Size3{1, 40, 35}, Size3{150, 9, 11}}) {
    for (const float lambda : {0.0F, 0.2F, 3.0F, 60.0F}) {
      for (const int slab : {1, 3, 8}) {
        SCOPED_TRACE(testing::Message() << size.z << " x " << size.x << " x " << size.y << " λ "
                                        << lambda << " slab " << slab);
        const Volume image = test::blobs<std::uint16_t>(size, 100.0, 5000.0);
        const auto& pixels = std::get<Pixels<std::uint16_t>>(image.pixels).values;
        ConversionParameters p;
        p.lambda = lambda;
        p.psfz = 3.0F;
        const auto expected = compute_gradient_scale(image, p);
        ASSERT_TRUE(expected.ok());
        const auto raw = device_->upload(std::span<const std::uint16_t>(pixels), "test");
        const SmootherPlan plan(size, static_cast<double>(lambda));
        HalfOptions options = half_options(size, SampleKind::u16, p);
        options.mask = -1e9F;
        gpu::ImageSmoother smoother(plan, SampleKind::u16, slab, device_->main());
        gpu::ImageHalfGrid half(options, smoother, size, plan.norm, slab * 4 + 1, device_->main());
        const int blocks = static_cast<int>(plan.blocks.size());
        for (int b = 0; b < blocks; b += slab) {
          const int end = std::min(blocks, b + slab);
          smoother.run(b, end, {raw.data(), static_cast<int>(size.z)});
          half.run(plan.blocks[static_cast<std::size_t>(end - 1)].end);
        }
        if (!options.windows.any()) half.fill_scale(half.mean_less_least());
        const float noise = plan.noise(fetch(smoother.largest(), 1).front());
        auto gradient = fetch(half.gradient(), options.half.count());
        for (float& g : gradient) g = g > noise ? g : 0.0F;
        const auto scale = fetch(half.scale(), options.half.count());
        for (std::size_t i = 0; i < gradient.size(); ++i) {
          ASSERT_EQ(gradient[i], expected->gradient.values[i]) << "gradient " << i;
          ASSERT_EQ(scale[i], expected->scale.values[i]) << "scale " << i;
        }
      }
    }
  }
}

TEST_F(ImageConversionTest, ThresholdsHaveTheBitsOfTheCpu) {
  for (const std::int64_t count :
       {std::int64_t{1}, std::int64_t{1000}, std::int64_t{100001}, 2 * kThresholdSamples + 12345}) {
    const auto n = static_cast<std::uint64_t>(count);
    auto gradient = test::random_values(n, 5, -20.0F, 100.0F);
    auto scale = test::random_values(n, 6, 0.0F, 5.0F);
    for (float& s : scale) s = s * s * s * s * s;
    const auto device_gradient = device_->upload(std::span<const float>(gradient), "test");
    const auto device_scale = device_->upload(std::span<const float>(scale), "test");
    const Thresholds expected = masked_thresholds({gradient.data(), scale.data(), count, 3.0F});
    const Thresholds got =
        gpu::device_thresholds(device_gradient.data(), device_scale.data(), count, 3.0F, *device_);
    EXPECT_EQ(got.sigma_th, expected.sigma_th) << count;
    EXPECT_EQ(got.grad_th, expected.grad_th) << count;
  }
  const auto none = device_->upload(std::span<const float>(std::vector<float>(10, -1.0F)), "test");
  const Thresholds nothing = gpu::device_thresholds(none.data(), none.data(), 10, 0.0F, *device_);
  EXPECT_EQ(nothing.sigma_th, 0.0F);
  EXPECT_EQ(nothing.grad_th, 0.0F);
}

TEST_F(ImageConversionTest, WithLittleMemoryItWorksInSlabsAndGivesTheSame) {
  for (const Size3& size : {Size3{400, 60, 70}, Size3{301, 64, 64}}) {
    const Volume image = test::blobs<std::uint16_t>(size, 100.0, 5000.0);
    const ConversionParameters p;
    const auto expected = convert(image, p);
    ASSERT_TRUE(expected.ok());
    const std::uint64_t whole = gpu::ImageConversion::estimate_bytes(size, SampleKind::u16, p);
    const std::uint64_t used = gpu::device_memory().used;
    // Less and less, down to a refusal.
    bool refused = false;
    int in_slabs = 0;
    for (std::uint64_t limit = whole; !refused; limit -= whole / 40) {
      gpu::limit_device_memory(used + limit);
      const auto got = gpu::guarded([&]() -> Result<Apr> {
        const gpu::ImageConversion plan(*device_, size, SampleKind::u16, p);
        EXPECT_EQ(plan.resident(), limit == whole);
        in_slabs += plan.resident() ? 0 : 1;
        // The limit holds for the plan alone: particles come on top.
        return gpu::convert_on_device(*device_, image, p, {});
      });
      if (!got.ok()) {
        refused = true;
        EXPECT_NE(got.error().what.find("GPU memory, but only"), std::string::npos)
            << got.error().message();
        break;
      }
      EXPECT_TRUE(got->access->particles() == expected->access->particles()) << limit;
      EXPECT_TRUE(got->main_field()->values == expected->main_field()->values) << limit;
      if (limit < whole / 39) break;
    }
    EXPECT_GT(in_slabs, 2);
    EXPECT_TRUE(refused);
  }
}

}  // namespace
}  // namespace aprscope
