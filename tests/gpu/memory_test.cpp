#include "core/deconvolution/psf/back_projector.hpp"
#include "core/pipeline/backend.hpp"
#include "gpu/deconvolution/particle_deconvolution.hpp"
#include "gpu/deconvolution/pixel_deconvolution.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class MemoryTest : public test::CudaTest {
 protected:
  void TearDown() override { gpu::limit_device_memory(0); }
};

std::shared_ptr<const Dataset> dataset(const test::RandomAprOptions& options) {
  Apr apr;
  apr.access = test::random_access(options);
  apr.fields = {std::make_shared<const Field>(
      Field{"particles", test::random_values(apr.access->count(), 7, 0.0F, 1000.0F)})};
  return Dataset::create(std::move(apr));
}

// What does not fit is filtered in parts, to the same bits, and refused with numbers in the end.
TEST_F(MemoryTest, FiltersWorkInPartsWhereMemoryIsShort) {
  const auto backend = *select_backend("cuda:0");
  const Operation operations[] = {
      {"gaussian", {{"sigma", std::array<double, 3>{2, 2, 2}}}},
      {"custom",
       {{"stencil", test::counting_stencil({3, 3, 3})}, {"boundary", std::string("zero")}}},
      {"gradient", {}},
      {"median", {}},
      {"max", {{"size", std::array<double, 3>{7, 7, 7}}, {"mode", std::string("restricted")}}}};
  for (const auto& options : {test::RandomAprOptions{{300, 40, 70}, 3, 0.95, true},
                              test::RandomAprOptions{{160, 130, 33}, 4, 0.95, false}}) {
    const auto data = dataset(options);
    const std::uint64_t needed = gpu::OctetApr::estimate_bytes(*data->apr().access, 3);
    for (const Operation& operation : operations) {
      SCOPED_TRACE(operation.id);
      gpu::limit_device_memory(0);
      const auto whole = backend->run(operation, *data, {});
      ASSERT_TRUE(whole.ok()) << whole.error().message();
      const auto& expected = std::get<Apr>(*whole).main_field()->values;
      for (const std::uint64_t share : {2, 3}) {
        // Another structure makes the device forget this one.
        ASSERT_TRUE(backend->run({"gaussian", {}}, *dataset({{9, 9, 9}, 1, 0.5, true}), {}).ok());
        gpu::limit_device_memory(gpu::device_memory().used + needed / share);
        const auto parts = backend->run(operation, *data, {});
        ASSERT_TRUE(parts.ok()) << parts.error().message();
        EXPECT_TRUE(std::get<Apr>(*parts).main_field()->values == expected) << share;
        gpu::limit_device_memory(0);
      }
    }
    gpu::limit_device_memory(gpu::device_memory().used + needed / 100);
    ASSERT_TRUE(backend->run({"reconstruct", {}}, *data, {}).ok() == false);
    const auto refused = backend->run(operations[0], *dataset(options), {});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().what.find("GPU memory, but only"), std::string::npos)
        << refused.error().message();
    gpu::limit_device_memory(0);
  }
}

TEST_F(MemoryTest, PixelsArePaintedInSlicesWhereMemoryIsShort) {
  const auto backend = *select_backend("cuda:0");
  const auto data = dataset({{70, 60, 50}, 5, 0.5, true});
  for (const char* mode : {"constant", "smooth", "level"}) {
    const Operation operation{"reconstruct", {{"mode", std::string(mode)}}};
    gpu::limit_device_memory(0);
    const auto whole = backend->run(operation, *data, {});
    ASSERT_TRUE(whole.ok());
    // Room for some slices.
    gpu::limit_device_memory(gpu::device_memory().used + 60 * 50 * 4 * 9);
    const auto slices = backend->run(operation, *data, {});
    ASSERT_TRUE(slices.ok()) << slices.error().message();
    EXPECT_TRUE(std::visit(
        [](const auto& a, const auto& b) {
          if constexpr (std::is_same_v<decltype(a), decltype(b)>) return a.values == b.values;
          return false;
        },
        std::get<Volume>(*slices).pixels, std::get<Volume>(*whole).pixels));
  }
}

std::shared_ptr<const Dataset> image(const Size3& size) {
  Volume volume;
  Pixels<float> pixels(size);
  pixels.values = test::random_values(static_cast<std::uint64_t>(size.count()), 3, 1.0F, 100.0F);
  volume.pixels = std::move(pixels);
  return Dataset::create(std::move(volume));
}

TEST_F(MemoryTest, WhatIsTooLargeToDeconvolveIsTheCpusAsAWhole) {
  const auto backend = *select_backend("cuda:0");
  const Operation operation{"deconvolve", {{"iterations", std::int64_t{2}}}};
  const auto particles = dataset({{30, 41, 26}, 5, 0.6, true});
  const auto pixels = image({20, 24, 30});
  gpu::limit_device_memory(gpu::device_memory().used + 1000);
  const auto a = backend->run(operation, *particles, {});
  const auto b = backend->run(operation, *pixels, {});
  gpu::limit_device_memory(0);
  ASSERT_TRUE(a.ok()) << a.error().message();
  ASSERT_TRUE(b.ok()) << b.error().message();
  const auto& apr = std::get<Apr>(*a);
  EXPECT_NE(apr.history.back().find("[cpu instead of "), std::string::npos) << apr.history.back();
  const auto cpu_a = cpu_backend()->run(operation, *particles, {});
  const auto cpu_b = cpu_backend()->run(operation, *pixels, {});
  ASSERT_TRUE(cpu_a.ok() && cpu_b.ok());
  EXPECT_TRUE(apr.main_field()->values == std::get<Apr>(*cpu_a).main_field()->values);
  EXPECT_TRUE(std::get<Pixels<float>>(std::get<Volume>(*b).pixels).values ==
              std::get<Pixels<float>>(std::get<Volume>(*cpu_b).pixels).values);
}

// Bytes that buffers held at once while `work` ran, beyond those of before.
template <class Work>
std::uint64_t peak_bytes(const Work& work) {
  cudaMemPool_t pool = nullptr;
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  const std::uint64_t before = gpu::device_memory().used;
  std::uint64_t high = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high), cudaSuccess);
  work();
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high), cudaSuccess);
  return high - before;
}

TEST_F(MemoryTest, DeconvolutionTakesNoMoreThanItsEstimate) {
  RichardsonLucyOptions options;
  options.iterations = 1;
  options.accelerate = true;
  const auto access = test::random_access({{61, 67, 74}, 5, 0.6, true});
  const auto values = test::random_values(access->count(), 7, 1.0F, 1000.0F);
  const Size3 size = access->size();
  const auto pixels = test::random_values(static_cast<std::uint64_t>(size.count()), 7, 1.0F, 9.0F);
  for (const double skew : {0.0, 0.5}) {
    const Stencil psf = test::tailed_psf({21, 17, 19}, 2.0, skew);
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      for (const PixelBlurMethod method :
           {PixelBlurMethod::fft, PixelBlurMethod::mirrored, PixelBlurMethod::passes}) {
        EXPECT_LE(peak_bytes([&] {
                    ASSERT_TRUE(gpu::deconvolve_pixels(*device_, size, psf, boundary, method,
                                                       pixels, options, {}, {}, {})
                                    .ok());
                  }),
                  gpu::pixel_deconvolution_bytes(size, psf, boundary, method, options));
      }
      for (const bool lean : {false, true}) {
        FullPsfOptions full;
        full.near = 5;
        full.lean = lean;
        full.boundary = boundary;
        EXPECT_LE(peak_bytes([&] {
                    ASSERT_TRUE(gpu::deconvolve_particles_fully(device_, access, psf, full, values,
                                                                options, {}, {}, {})
                                    .ok());
                  }),
                  gpu::full_deconvolution_bytes(*access, psf, full, options))
            << (lean ? "lean" : "full") << ", skew " << skew;
      }
    }
  }
}

TEST_F(MemoryTest, IterationsWithABackProjectorTakeNoMoreThanTheirEstimate) {
  RichardsonLucyOptions options;
  options.iterations = 2;
  options.unmatched = 1;
  options.accelerate = true;
  const auto access = test::random_access({{61, 67, 74}, 5, 0.6, true});
  const auto values = test::random_values(access->count(), 7, 1.0F, 1000.0F);
  const Size3 size = access->size();
  const auto pixels = test::random_values(static_cast<std::uint64_t>(size.count()), 7, 1.0F, 9.0F);
  const Stencil psf = test::tailed_psf({9, 9, 9}, 1.5);
  const Stencil kernel = wiener_butterworth(psf, {0.01, 0.1, 10}, {21, 17, 19}).value();
  // With zeros beyond the image, ones become something else; else not.
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    for (const PixelBlurMethod method : {PixelBlurMethod::mirrored, PixelBlurMethod::passes}) {
      const BackProjectorScheme back{kernel, PixelBlurMethod::mirrored, {}};
      EXPECT_LE(peak_bytes([&] {
                  ASSERT_TRUE(gpu::deconvolve_pixels(*device_, size, psf, boundary, method, pixels,
                                                     options, {}, {}, {}, &back)
                                  .ok());
                }),
                gpu::pixel_deconvolution_bytes(size, psf, boundary, method, options) +
                    gpu::pixel_back_projector_bytes(size, kernel.size, boundary, back.method));
    }
    FullPsfOptions full;
    full.near = 5;
    full.boundary = boundary;
    const BackProjectorScheme back{kernel, PixelBlurMethod::fft, full};
    EXPECT_LE(peak_bytes([&] {
                ASSERT_TRUE(gpu::deconvolve_particles(device_, access, psf, StencilMode::restricted,
                                                      boundary, values, options, {}, {}, {}, &back)
                                .ok());
              }),
              gpu::particle_deconvolution_bytes(*access, psf, boundary, options) +
                  gpu::particle_back_projector_bytes(*access, kernel.size, false, boundary));
  }
}

}  // namespace
}  // namespace aprscope
