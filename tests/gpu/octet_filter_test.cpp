#include "gpu/octet_filter.hpp"

#include "gpu/octet_arithmetic.hpp"
#include "gpu/octet_deconvolution.hpp"
#include "gpu/octet_order.hpp"
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

TEST_F(OctetFilterTest, EverySchedulingAndOrderGivesTheSameBits) {
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
      target.linear_out = nullptr;
      convolve.run(in, target);
      const auto got = download(apr, out);
      if (first.empty()) first = got;
      EXPECT_EQ(got, first);
      const gpu::DeviceBuffer<float> linear(got.size(), "test", device_->main());
      target.out = nullptr;
      target.linear_out = linear.data();
      convolve.run(in, target);
      std::vector<float> direct(got.size());
      device_->download(linear.data(), direct.data(), linear.bytes());
      EXPECT_EQ(direct, first);
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
  const gpu::Graph graph(*device_, [&] {
    target.out = b.data();
    convolve.run(a, target);
    target.out = a.data();
    convolve.run(b, target);
  });
  graph.launch();
  graph.launch();
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

TEST_F(OctetFilterTest, ARichardsonLucyStepFollowsItsFormula) {
  for (const Stencil& psf :
       {gaussian_stencil({1, 1, 1}, {5, 5, 5}), test::counting_stencil({3, 5, 7})}) {
    test::Sample s(test::random_access({{30, 41, 26}, 47, 0.6, true}));
    const gpu::OctetApr apr(s.access, device_);
    const auto observed = test::random_values(s.access->count(), 48, 1.0F, 50.0F);
    const StencilPyramid forward = pyramid_of(psf, *s.access);
    Stencil turned = psf;
    std::reverse(turned.weights.begin(), turned.weights.end());
    const StencilPyramid backward = pyramid_of(turned, *s.access);

    const auto blur = test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                         test::naive_correlation(forward));
    std::vector<float> ratio(blur.size());
    for (std::size_t i = 0; i < ratio.size(); ++i) {
      ratio[i] = static_cast<float>(static_cast<double>(observed[i]) / blur[i]);
    }
    const auto spread =
        test::naive_filter(*s.access, ratio, test::naive_tree(*s.access, ratio, Reduction::mean),
                           Boundary::reflect, test::naive_correlation(backward));

    const gpu::RichardsonLucy step(apr, forward, Boundary::reflect);
    const OctetValues u = apr.make_values();
    const OctetValues from = apr.make_values();
    const OctetValues to = apr.make_values();
    apr.upload(observed, u);
    apr.upload(s.values, from);
    step.step(u, from, to);
    const auto got = download(apr, to);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double expected = static_cast<double>(s.values[i]) * spread[i];
      ASSERT_NEAR(got[i], expected, 1e-5 * expected) << i;
    }
  }
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
  using gpu::Arithmetic;
  const std::pair<Arithmetic, float (*)(float, float)> all[] = {
      {Arithmetic::add, [](float x, float y) { return x + y; }},
      {Arithmetic::subtract, [](float x, float y) { return x - y; }},
      {Arithmetic::multiply, [](float x, float y) { return x * y; }},
      {Arithmetic::divide, [](float x, float y) { return y == 0.0F ? 0.0F : x / y; }},
      {Arithmetic::min, [](float x, float y) { return std::min(x, y); }},
      {Arithmetic::max, [](float x, float y) { return std::max(x, y); }},
      {Arithmetic::add_square, [](float x, float y) { return std::fma(y, y, x); }},
      {Arithmetic::root, [](float x, float) { return std::sqrt(x); }}};
  for (const auto& [what, expected] : all) {
    gpu::combine(what, a.data(), b.data(), out.data(), out.count(), device_->main());
    const auto got = download(apr, out);
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i], expected(s.values[i], other[i])) << i;
    }
    gpu::combine(what, a.data(), 2.5F, out.data(), out.count(), device_->main());
    const auto constant = download(apr, out);
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(constant[i], expected(s.values[i], 2.5F)) << i;
    }
  }
}

}  // namespace
}  // namespace aprscope
