#include <algorithm>
#include <cmath>

#include "app/cli/bench/experiment.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "core/image/scenes.hpp"

namespace aprscope::cli {
namespace {

const char* const kName = "cylinders";

struct Case {
  const char* name;
  double wall;       // pixels
  int count;         // of cylinders
  double rel_error;  // E
  bool curve;        // with a curve of the error
};

struct Data {
  Pixels<float> truth;
  Volume image;
  Stencil psf;
};

// Blurs the scene with σ = 2 and adds as much noise as gives the image the PSNR that the paper
// starts from (after scaling by the best factor).
Result<Data> make_data(const Case& what, std::uint64_t seed, Session& session) {
  constexpr double kPsnr = 21.04;
  CylinderScene scene;
  scene.seed = seed;
  scene.wall = what.wall;
  scene.count = what.count;
  scene.background = 100.0F;
  scene.signal = 1000.0F;
  Data data;
  data.truth = hollow_cylinders(scene, session.context());
  auto psf = gaussian_psf({2.0, 2.0, 2.0}, {13, 13, 13}, scene.size);
  if (!psf) return psf.error();
  data.psf = std::move(psf->psf);
  const auto blur = make_pixel_blur(scene.size, data.psf, Boundary::reflect);
  if (!blur) return blur.error();
  Pixels<float> image(scene.size);
  if (Status done = (*blur)->forward(data.truth.values, image.values, session.context()); !done) {
    return done.error();
  }
  // Noise adds to Σ image² alone; the best factor is Σ truth · image ÷ Σ image².
  double truths = 0.0;
  double squares = 0.0;
  double products = 0.0;
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const double a = data.truth.values[i];
    const double b = image.values[i];
    truths += a * a;
    squares += b * b;
    products += a * b;
  }
  const auto n = static_cast<double>(image.values.size());
  const double left = truths - n * std::pow(scene.signal, 2) / std::pow(10.0, 0.1 * kPsnr);
  const double wanted = left > 0.0 ? products * products / left : squares;
  add_gaussian_noise(image, std::sqrt(std::max(wanted - squares, 0.0) / n), seed);
  data.image.pixels = std::move(image);
  data.image.name = kName;
  return data;
}

class CylinderCase {
 public:
  CylinderCase(const Case& what, const ExperimentOptions& options, Session& session, Json& out)
      : what_(what), options_(options), session_(session), out_(out) {}

  Status run() {
    auto made = make_data(what_, options_.seed, session_);
    if (!made) return made.error();
    data_ = *std::move(made);
    const auto& pixels = std::get<Pixels<float>>(data_.image.pixels);
    ConversionParameters parameters;
    parameters.rel_error = static_cast<float>(what_.rel_error);
    const auto apr = convert(data_.image, parameters, session_.context());
    if (!apr) return apr.error();
    auto facts = Json::object();
    facts["wall"] = what_.wall;
    facts["count"] = what_.count;
    facts["rel_error"] = what_.rel_error;
    facts["computational_ratio"] = apr->access->computational_ratio();
    out_["facts"][label()] = std::move(facts);

    const auto input = score(data_.truth, pixels, session_.context());
    if (!input) return input.error();
    out_["rows"].push_back(input_row(label(), "input", *input, 1.0));

    Method method;
    method.psf = "13³";
    method.name = "pixels";
    method.observed = pixels.values;
    method.blur = [&]() -> Result<std::unique_ptr<BlurModel>> {
      return make_pixel_blur(pixels.size, data_.psf, Boundary::reflect);
    };
    method.image = [&](std::span<const float> values) -> Result<Pixels<float>> {
      Pixels<float> image;
      image.size = pixels.size;
      image.values.assign(values.begin(), values.end());
      return image;
    };
    if (Status done = add(method); !done) return done;
    method.name = "apr";
    method.ratio = apr->access->computational_ratio();
    method.observed = field_values(*apr);
    method.structure_bytes = apr->access->bytes();
    method.blur = [&]() -> Result<std::unique_ptr<BlurModel>> {
      return make_particle_blur(apr->access, data_.psf, StencilMode::restricted, Boundary::reflect);
    };
    method.image = reconstructor(*apr, session_);
    return add(method);
  }

 private:
  [[nodiscard]] std::string label() const { return std::string(kName) + ", " + what_.name; }

  Status add(const Method& method) {
    if (!wants(options_, method.name)) return {};
    Status done = add_method(label(), method, data_.truth, options_, session_, out_);
    if (!done) return done;
    return what_.curve && options_.curve > 0 ? add_curve(method) : Status();
  }

  // Adds the error after 1, 2, 5, 10, 20 … iterations, and after every 50.
  Status add_curve(const Method& method) {
    Json points = Json::array();
    Status failed;
    const auto watch = [&](int i, std::span<const float> values) {
      const bool early = i == 1 || i == 2 || i == 5 || i == 10 || i == 20 || i == 30;
      if (!failed || !(early || i % 50 == 0)) return;
      const auto image = method.image(values);
      if (!image) {
        failed = image.error();
        return;
      }
      points.push_back({{"iteration", i}, {"error", relative_error(data_.truth, *image)}});
    };
    const auto run = run_method(method, options_.curve, session_, watch);
    if (!run) return run.error();
    if (!failed) return failed;
    out_["curves"][label() + ", " + method.name] = std::move(points);
    return {};
  }

  Case what_;
  const ExperimentOptions& options_;
  Session& session_;
  Json& out_;
  Data data_;
};

}  // namespace

Status cylinders_experiment(const ExperimentOptions& options, Session& session, Json& out) {
  // The paper's case comes first: thickness and number of walls are chosen so that, with the noise
  // that gives the paper's PSNR, the image also has the paper's SSIM (0.716). The other cases:
  // walls wide enough to be resolved, cells too coarse for edges, thin walls.
  const Case cases[] = {{"walls of 2.1 pixels", 2.1, 15, 0.05, true},
                        {"walls of 4 pixels", 4.0, 18, 0.05, true},
                        {"walls of 4 pixels, loose bound", 4.0, 18, 1.0, false},
                        {"walls of 1.5 pixels", 1.5, 18, 0.05, false},
                        {"walls of 1.5 pixels, loose bound", 1.5, 18, 1.0, false}};
  for (const Case& what : cases) {
    if (Status done = CylinderCase(what, options, session, out).run(); !done) return done;
  }
  return {};
}

}  // namespace aprscope::cli
