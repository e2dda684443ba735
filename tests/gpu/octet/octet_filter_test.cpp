#include "gpu/octet/octet_filter.hpp"

#include "gpu/octet/octet_arithmetic.hpp"
#include "gpu/octet/octet_order.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

using gpu::OctetConvolution;
using gpu::OctetValues;

class OctetFilterTest : public test::CudaTest {
 protected:
  [[nodiscard]] static std::vector<float> download(const gpu::OctetApr& apr,
                                                   const OctetValues& values) {
    std::vector<float> out(apr.access().count());
    apr.download(values, out);
    return out;
  }
};

StencilPyramid pyramid_of(const Stencil& stencil, const AprAccess& access) {
  return *StencilPyramid::create(stencil, StencilMode::restricted, false, access.level_max());
}

TEST_F(OctetFilterTest, EverySchedulingGivesTheSameBits) {
  const test::Sample s(test::random_access({{70, 45, 83}, 41, 0.65, true}));
  const gpu::OctetApr apr(s.access, device_);
  const OctetValues in = apr.make_values();
  apr.upload(s.values, in);
  for (const std::int64_t n : {3, 5, 7}) {
    const StencilPyramid pyramid = pyramid_of(test::counting_stencil({n, n, n}), *s.access);
    gpu::Target target;
    std::vector<float> first;
    for (const auto schedule :
         {OctetConvolution::Schedule::fused, OctetConvolution::Schedule::beside}) {
      const OctetConvolution convolve(apr, pyramid, Boundary::reflect, schedule);
      const OctetValues out = apr.make_values();
      target.out = out.data();
      convolve.run(in, target);
      const auto got = download(apr, out);
      if (first.empty()) first = got;
      EXPECT_EQ(got, first);
    }
  }
}

// Chains never leave the device's order: the second filter must see a sound tree and zeros beyond
// the image.
TEST_F(OctetFilterTest, AChainEqualsTheSameStepsFromTheHost) {
  const test::Sample s(test::random_access({{37, 29, 51}, 43, 0.6, true}));
  const gpu::OctetApr apr(s.access, device_);
  const StencilPyramid pyramid = pyramid_of(test::counting_stencil({5, 5, 5}), *s.access);
  const OctetConvolution convolve(apr, pyramid, Boundary::zero);
  const OctetValues a = apr.make_values();
  const OctetValues b = apr.make_values();
  apr.upload(s.values, a);
  gpu::Target target;
  for (int i = 0; i < 2; ++i) {
    target.out = b.data();
    convolve.run(a, target);
    target.out = a.data();
    convolve.run(b, target);
  }
  const auto resident = download(apr, a);
  std::vector<float> values = s.values;
  for (int i = 0; i < 4; ++i) {
    const OctetValues in = apr.make_values();
    const OctetValues out = apr.make_values();
    apr.upload(values, in);
    target.out = out.data();
    convolve.run(in, target);
    values = download(apr, out);
  }
  EXPECT_EQ(resident, values);
}

TEST_F(OctetFilterTest, ArithmeticIsElementwise) {
  const test::Sample s(test::random_access({{19, 23, 31}, 51, 0.6, true}));
  const gpu::OctetApr apr(s.access, device_);
  const auto other = test::random_values(s.values.size(), 52, -5.0F, 5.0F, true);
  const OctetValues a = apr.make_values();
  const OctetValues b = apr.make_values();
  const OctetValues out = apr.make_values();
  apr.upload(s.values, a);
  apr.upload(other, b);
  gpu::add_square(a.data(), b.data(), out.data(), out.count(), device_->main());
  const auto sums = download(apr, out);
  gpu::square_root(a.data(), out.data(), out.count(), device_->main());
  const auto roots = download(apr, out);
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    ASSERT_EQ(sums[i], std::fma(other[i], other[i], s.values[i])) << i;
    ASSERT_EQ(roots[i], std::sqrt(s.values[i])) << i;
  }
}

}  // namespace
}  // namespace aprscope
