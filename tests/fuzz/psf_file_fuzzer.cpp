// Images of point-spread functions and of beads, measured as "deconvolve" does.
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/filter/stencil_file.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/read_pixels.hpp"

namespace {

using namespace aprscope;

void measure(const std::string& spec) {
  auto parameters = parse_psf_spec(spec);
  fuzz::expect(parameters.ok(), "this specification is right");
  const auto whole = complete({"deconvolve", *std::move(parameters)});
  fuzz::expect(whole.ok(), "this specification is complete");
  const auto made = make_psf(*whole, {2.0, 0.5, 0.5, "µm"}, {16, 16, 16});
  if (!made) return fuzz::expect_sentence(made.error());
  fuzz::expect(check(made->psf).ok(), "a PSF that was made can be used");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::InputFile file("psf.tif");
  const std::string& path = file.with(data, size);
  const auto info = inspect(path);
  if (!info || !fuzz::worth_reading(info->size) || info->size.count() > 1 << 14) return 0;
  const auto stencil = load_stencil(path);
  if (!stencil) fuzz::expect_sentence(stencil.error());
  measure("file:" + path);
  measure("file:" + path + ",background=off,center=off,resample=off,size=5");
  measure("beads:" + path + ",at=3/3/3;4/8/8");
  return 0;
}
