#include "gpu/deconvolution/far_field.hpp"

#include <algorithm>

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "gpu/octet/octet_kernel.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class FarFieldTest : public test::CudaTest {
 protected:
  // Near and far part on the device.
  [[nodiscard]] std::vector<float> blurred(const test::Sample& s, const FullPsfParts& parts,
                                           const FullPsfOptions& full, bool flip) const {
    const gpu::OctetApr apr(s.access, device_);
    const gpu::OctetKernel near(apr, parts.kernels.near, StencilMode::restricted, full.boundary);
    const auto far = full.lean ? gpu::make_lean_far_field(apr, parts.kernels.far, middle_size(full),
                                                          full.boundary)
                               : gpu::make_dense_far_field(apr, parts.kernels.far, full.boundary);
    const gpu::OctetValues in = apr.make_values();
    const gpu::OctetValues out = apr.make_values();
    apr.upload(s.values, in);
    near.run(in, flip, out);
    far->add(in, flip, out);
    std::vector<float> values(s.values.size());
    apr.download(out, values);
    return values;
  }
};

// Grids that are folded (even kernel, reflected) and padded ones; odd, thin and deep structures.
TEST_F(FarFieldTest, BothSchemesAreThoseOfTheCpu) {
  for (const Size3& size : {Size3{24, 32, 20}, Size3{13, 17, 27}, Size3{1, 30, 41},
                            Size3{37, 66, 23}, Size3{19, 1, 50}}) {
    for (const bool balanced : {true, false}) {
      const test::Sample s(test::random_access({size, 11, 0.6, balanced}));
      for (const bool lean : {false, true}) {
        for (const double skew : {0.0, 0.5}) {
          for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
            FullPsfOptions full;
            full.near = 5;
            full.middle = 3;
            full.lean = lean;
            full.boundary = boundary;
            const Stencil psf =
                test::tailed_psf({size.z == 1 ? 1 : 15, size.x == 1 ? 1 : 17, 19}, 2.5, skew);
            const auto parts = split_full_psf(psf, full);
            ASSERT_TRUE(parts.ok());
            const auto cpu = make_full_psf_blur(s.access, psf, full);
            ASSERT_TRUE(cpu.ok()) << cpu.error().message();
            for (const bool flip : {false, true}) {
              SCOPED_TRACE(testing::Message()
                           << size.z << " × " << size.x << " × " << size.y
                           << (lean ? ", lean" : ", full") << ", skew " << skew
                           << (boundary == Boundary::zero ? ", zero" : ", reflect")
                           << (flip ? ", flipped" : ""));
              std::vector<float> wanted(s.values.size());
              ASSERT_TRUE((flip ? (*cpu)->adjoint(s.values, wanted, {})
                                : (*cpu)->forward(s.values, wanted, {}))
                              .ok());
              const std::vector<float> got = blurred(s, *parts, full, flip);
              const float largest = *std::max_element(s.values.begin(), s.values.end());
              for (std::size_t i = 0; i < got.size(); ++i) {
                ASSERT_NEAR(got[i], wanted[i], 3e-6F * largest) << i;
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
