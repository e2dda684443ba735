#include <algorithm>
#include <cmath>

#include "app/cli/bench/experiment.hpp"
#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "core/deconvolution/psf/psf_models.hpp"
#include "core/image/scenes.hpp"

namespace aprscope::cli {
namespace {

const char* const kName = "microtubules";

struct Data {
  Pixels<float> truth;
  Volume image;
  Stencil psf;
};

// Filaments in a wide-field microscope with background light and Poisson noise. The PSF is as large
// as the image; the scene is mirrored beyond its borders.
Result<Data> make_data(std::uint64_t seed, Session& session) {
  const JobContext& context = session.context();
  MicrotubuleScene scene;
  scene.seed = seed;
  scene.count = 28;
  scene.thickness = 330.0;
  Data data;
  data.truth = microtubules(scene, context);
  Microscope microscope;
  microscope.wavelength = 500.0;
  const VoxelSize voxel{0.115, 0.064, 0.064, "µm"};
  auto psf = born_wolf_psf(microscope, voxel, largest_psf_size(scene.size), scene.size, context);
  if (!psf) return psf.error();
  data.psf = std::move(psf->psf);
  auto blur = make_pixel_blur(scene.size, data.psf, Boundary::reflect, PixelBlurMethod::mirrored);
  if (!blur) return blur.error();
  Pixels<float> image(scene.size);
  if (Status done = (*blur)->forward(data.truth.values, image.values, context); !done) {
    return done.error();
  }
  const float brightest = *std::max_element(image.values.begin(), image.values.end());
  for (float& v : image.values) v = std::max(v, 0.0F) / brightest;
  constexpr double kPhotons = 2000.0;  // where the image is brightest
  add_poisson_noise(image, kPhotons, seed);
  for (float& v : image.values) v *= static_cast<float>(kPhotons);
  data.image.pixels = std::move(image);
  data.image.voxel = voxel;
  data.image.name = kName;
  return data;
}

std::string cube(int n) {
  const std::string side = std::to_string(n);
  return side + "³";
}

}  // namespace

Status microtubules_experiment(const ExperimentOptions& options, Session& session, Json& out) {
  const auto data = make_data(options.seed, session);
  if (!data) return data.error();
  const auto& pixels = std::get<Pixels<float>>(data->image.pixels);
  const Size3& size = pixels.size;
  double bound = 0.0;
  const auto apr = convert_to_ratio(data->image, 5.0, bound, session);
  if (!apr) return apr.error();
  auto facts = Json::object();
  facts["size"] = {size.z, size.x, size.y};
  facts["seed"] = options.seed;
  facts["psf_size"] = {data->psf.size.z, data->psf.size.x, data->psf.size.y};
  facts["computational_ratio"] = apr->access->computational_ratio();
  facts["particles"] = apr->access->count();
  facts["rel_error"] = bound;
  out["facts"][kName] = std::move(facts);

  const auto input = score(data->truth, pixels, session.context());
  if (!input) return input.error();
  out["rows"].push_back(input_row(kName, "input", *input, 1.0));
  {
    const auto image = reconstructor(*apr, session)(field_values(*apr));
    if (!image) return image.error();
    const auto scores = score(data->truth, *image, session.context());
    if (!scores) return scores.error();
    out["rows"].push_back(
        input_row(kName, "apr-input", *scores, apr->access->computational_ratio()));
  }

  const auto add = [&](const Method& method) {
    return add_method(kName, method, data->truth, options, session, out);
  };
  Method method;
  method.name = "pixels";
  method.psf = "full";
  method.observed = pixels.values;
  method.blur = [&] { return make_pixel_blur(size, data->psf, Boundary::reflect); };
  method.image = [&](std::span<const float> values) -> Result<Pixels<float>> {
    Pixels<float> image;
    image.size = size;
    image.values.assign(values.begin(), values.end());
    return image;
  };
  if (Status done = add(method); !done) return done;
  // The same with padding, as a PSF that is not even would need.
  method.name = "pixels-padded";
  method.blur = [&] {
    return make_pixel_blur(size, data->psf, Boundary::reflect, PixelBlurMethod::fft);
  };
  if (Status done = add(method); !done) return done;

  method.observed = field_values(*apr);
  method.structure_bytes = apr->access->bytes();
  method.ratio = apr->access->computational_ratio();
  method.image = reconstructor(*apr, session);
  const auto full = [&](const std::string& name, int near, bool lean, int middle) {
    method.name = name;
    method.psf = "full";
    method.coverage = 1.0;
    method.blur = [&, near, lean, middle]() -> Result<std::unique_ptr<BlurModel>> {
      FullPsfOptions scheme;
      scheme.near = near;
      scheme.lean = lean;
      scheme.middle = middle;
      auto made = make_full_psf_blur(apr->access, data->psf, scheme);
      if (!made) return made.error();
      return std::unique_ptr<BlurModel>(*std::move(made));
    };
    return add(method);
  };
  if (Status done = full("apr-full", 0, false, 0); !done) return done;
  for (const int near : {3, 5, 7, 9, 11}) {
    if (Status done = full("apr-near-" + std::to_string(near), near, false, 0); !done) {
      return done;
    }
  }
  if (Status done = full("apr-lean", 0, true, 0); !done) return done;
  for (const int truncation : {11, 21, 41}) {
    const Size3 cut{truncation, truncation, truncation};
    method.name = "apr-" + std::to_string(truncation);
    method.psf = cube(truncation);
    method.coverage = psf_coverage(data->psf, cut);
    const Stencil psf = truncate_psf(data->psf, cut);
    method.blur = [&apr, psf] {
      return make_particle_blur(apr->access, psf, StencilMode::restricted, Boundary::reflect);
    };
    if (Status done = add(method); !done) return done;
  }
  // The largest of the truncated PSFs, computed with a far part as the full PSF is.
  method.name = "apr-41-far";
  method.blur =
      [&apr, psf = truncate_psf(data->psf, {41, 41, 41})]() -> Result<std::unique_ptr<BlurModel>> {
    auto made = make_full_psf_blur(apr->access, psf, {});
    if (!made) return made.error();
    return std::unique_ptr<BlurModel>(*std::move(made));
  };
  return add(method);
}

}  // namespace aprscope::cli
