// Images of point-spread functions and of beads, measured as "deconvolve" does.
#include "core/deconvolution/psf/psf.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/filter/stencil_file.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/read_pixels.hpp"

namespace {

using namespace aprscope;

const VoxelSize kVoxel{2.0, 0.5, 0.5, "µm"};

// Whether the image becomes large on the grid of kVoxel. Half a GiB is allowed there, which takes
// seconds: one such input in sixteen is enough.
bool is_slow(const SourceInfo& info, std::size_t bytes) {
  const auto unit = psf_micrometres(info.voxel.unit);
  if (!unit) return false;
  const double voxel = info.voxel.z * info.voxel.x * info.voxel.y * *unit * *unit * *unit;
  const double resampled =
      static_cast<double>(info.size.count()) * voxel / (kVoxel.z * kVoxel.x * kVoxel.y);
  return resampled > 1 << 17 && bytes % 16 != 0;
}

void measure(const std::string& spec) {
  auto parameters = parse_psf_spec(spec);
  fuzz::expect(parameters.ok(), "this specification is right");
  const auto whole = complete({"deconvolve", *std::move(parameters)});
  fuzz::expect(whole.ok(), "this specification is complete");
  const auto made = make_psf(*whole, kVoxel, {16, 16, 16});
  if (!made) return fuzz::expect_sentence(made.error());
  fuzz::expect(check(made->psf).ok(), "a PSF that was made can be used");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::InputFile file("psf.tif");
  const std::string& path = file.with(data, size);
  const auto info = inspect(path);
  if (!info || !fuzz::worth_reading(info->size) || info->size.count() > 1 << 14) return 0;
  if (is_slow(*info, size)) return 0;
  const auto stencil = load_stencil(path);
  if (!stencil) fuzz::expect_sentence(stencil.error());
  measure("file:" + path);
  measure("file:" + path + ",background=off,center=off,resample=off,size=5");
  measure("beads:" + path + ",at=3/3/3;4/8/8");
  return 0;
}
