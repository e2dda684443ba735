#include "app/cli/bench/bench_deconvolution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/cli/shared/data_io.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/printed.hpp"
#include "core/base/process.hpp"
#include "core/base/system.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/filter/correlation_plan.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/io/write.hpp"
#include "core/operations/schema/json_reader.hpp"
#include "core/operations/schema/parameter_json.hpp"

namespace aprscope::cli {
namespace {

// Seconds an iteration of another implementation (LibAPR 2.1.0, restricted, two threads) for the
// same job: particles of 256³ at a computational ratio of 20, a PSF of 13³, on two cores.
constexpr double kReferenceSeconds = 0.79;
constexpr std::int64_t kReferenceSide = 256;

// skewed: without symmetry or factors that an implementation could exploit.
enum class Psf { skewed, symmetric, separable };

// One way to deconvolve; each is measured in a process of its own.
struct Way {
  const char* name;
  const char* stencil;
  bool particles;
  Psf psf;
  PixelBlurMethod method;
};
constexpr Way kWays[] = {
    {"pixels_fft", "13x13x13", false, Psf::skewed, PixelBlurMethod::fft},
    {"pixels_passes", "13x13x13 separable", false, Psf::separable, PixelBlurMethod::passes},
    {"particles_dense", "13x13x13", true, Psf::skewed, PixelBlurMethod::automatic},
    {"pixels_cosine", "13x13x13 symmetric", false, Psf::symmetric, PixelBlurMethod::mirrored},
    {"particles_symmetric", "13x13x13 symmetric", true, Psf::symmetric, PixelBlurMethod::automatic},
    {"particles_separable", "13x13x13 separable", true, Psf::separable, PixelBlurMethod::automatic},
};

// A PSF of 13³ of this kind.
Stencil stencil_of(Psf kind) {
  if (kind == Psf::symmetric) return symmetric_stencil(13);
  Stencil psf = gaussian_stencil({2, 2, 2}, {13, 13, 13}).normalized();
  if (kind == Psf::separable) return psf;
  for (std::size_t i = 0; i < psf.weights.size(); ++i) {
    psf.weights[i] *= 1.0 + 0.2 * std::sin(static_cast<double>(i * i % 1013));
  }
  return psf.normalized();
}

struct AloneOptions {
  std::string input;
  std::string way;
  std::string result;
  int repeats = 5;
  int iterations = 5;
};

const Way* find_way(const std::string& name) {
  for (const Way& way : kWays) {
    if (name == way.name) return &way;
  }
  return nullptr;
}

// The values to deconvolve, and the model of their blur.
struct BlurJob {
  std::unique_ptr<BlurModel> model;
  std::vector<float> values;
  std::uint64_t products = 0;  // of an iteration; 0 for transforms
};

Result<BlurJob> make_job(const Way& way, Apr apr, const JobContext& context) {
  const auto field = apr.main_field();
  if (!field || field->count() != apr.access->count()) {
    return Error{"has no particle values", apr.name, "open a file with a particle field"};
  }
  const Stencil psf = stencil_of(way.psf);
  BlurJob job;
  job.values = field->to_float();
  Result<std::unique_ptr<BlurModel>> model = std::unique_ptr<BlurModel>();
  if (way.particles) {
    const auto pyramid =
        StencilPyramid::create(psf, StencilMode::restricted, false, apr.access->level_max());
    if (!pyramid) return pyramid.error();
    job.products = 2 * products_of(*apr.access, *pyramid);
    model = make_particle_blur(apr.access, psf, StencilMode::restricted, Boundary::reflect);
  } else {
    const Size3 size = apr.access->size();
    auto pixels =
        reconstruct(*apr.access, job.values, ReconstructionMode::constant, whole(size), context);
    if (!pixels) return pixels.error();
    job.values = std::move(pixels->values);
    if (way.method == PixelBlurMethod::passes) {
      job.products = 2 * static_cast<std::uint64_t>(plan_correlation(psf).products * size.count());
    }
    apr = {};
    model = make_pixel_blur(size, psf, Boundary::reflect, way.method);
  }
  if (!model) return model.error();
  job.model = *std::move(model);
  return job;
}

Status measure_alone(const AloneOptions& options, Session& session) {
  const Way* const way = find_way(options.way);
  if (way == nullptr) return Error{"is no way to deconvolve", options.way, ""};
  auto data = load_input({options.input, 0, 0, ""}, session);
  if (!data) return data.error();
  Apr apr = std::get<Apr>(*std::move(data));
  auto report = Json::object();
  report["particles"] = apr.access->count();
  report["pixels"] = apr.access->size().count();
  auto job = make_job(*way, std::move(apr), session.context());
  if (!job) return job.error();
  report["products"] = job->products;
  report["description"] = job->model->description();
  RichardsonLucyOptions iterations;
  iterations.iterations = options.iterations;
  Json seconds = Json::array();
  // Run 0 is not counted, as it touches all memory for the first time.
  for (int i = 0; i <= options.repeats; ++i) {
    const auto done =
        richardson_lucy(*job->model, job->values, iterations, nullptr, {}, {}, session.context());
    if (!done) return done.error();
    if (i > 0) seconds.push_back(done->seconds / done->iterations);
  }
  report["iteration_seconds"] = std::move(seconds);
  report["peak_rss_bytes"] = peak_resident_bytes();
  return write_text_atomically(options.result, dump(report, 0));
}

// The measurements that a child process reports.
struct Measured {
  std::vector<double> seconds;
  std::uint64_t particles = 0;
  std::uint64_t pixels = 0;
  std::uint64_t peak = 0;
  std::uint64_t products = 0;
  std::string description;
  [[nodiscard]] double median() const { return seconds[seconds.size() / 2]; }
};

// A folder for the files of one case.
class CaseFolder {
 public:
  CaseFolder() {
    std::error_code code;
    std::string name = (std::filesystem::temp_directory_path(code) / "aprscope-XXXXXX").string();
    if (!code && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~CaseFolder() {
    std::error_code code;
    if (!path_.empty()) std::filesystem::remove_all(path_, code);
  }
  CaseFolder(const CaseFolder&) = delete;
  CaseFolder& operator=(const CaseFolder&) = delete;

  [[nodiscard]] bool made() const { return !path_.empty(); }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

Result<Measured> measure_in_child(const Way& way, const CaseFolder& folder, const BenchTable& table,
                                  const Session& session) {
  const std::string result = folder.file("result.json");
  Status ran =
      run_program({"/proc/self/exe", "bench-deconvolution-alone", folder.file("case.apr"), "--way",
                   way.name, "--repeats", std::to_string(table.repeats()), "--result", result,
                   "--threads", std::to_string(session.options().threads), "--quiet"},
                  session.context());
  if (!ran) return ran.error();
  const auto text = read_text(result);
  if (!text) return text.error();
  const auto json = parse_json(*text, result);
  if (!json) return json.error();
  Measured out;
  std::optional<Error> wrong;
  JsonReader in(*json, result, wrong);
  in.read("iteration_seconds", out.seconds);
  in.read("particles", out.particles);
  in.read("pixels", out.pixels);
  in.read("peak_rss_bytes", out.peak);
  in.read("products", out.products);
  in.read("description", out.description);
  if (wrong) return *wrong;
  if (out.seconds.empty()) return Error{"holds no times", result, "try it again"};
  std::sort(out.seconds.begin(), out.seconds.end());
  return out;
}

// Saves the case to a file for child processes; a synthetic image is converted before.
Status save_case(const BenchCase& item, const std::string& path, Session& session) {
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  return write_apr((*apr)->apr(), path, {}, session.context());
}

}  // namespace

Status bench_deconvolution(const BenchCase& item, BenchTable& table, Session& session) {
  const CaseFolder folder;
  if (!folder.made()) {
    return Error{"a temporary folder cannot be made", "benchmark", "set TMPDIR to one that can be"};
  }
  if (Status saved = save_case(item, folder.file("case.apr"), session); !saved) return saved;
  double pixel_seconds = 0.0;
  std::uint64_t pixel_peak = 0;
  for (const Way& way : kWays) {
    const auto measured = measure_in_child(way, folder, table, session);
    if (!measured) return measured.error();
    if (pixel_seconds == 0.0) {
      pixel_seconds = measured->median();
      pixel_peak = measured->peak;
    }
    Row row{item.name, way.name, way.stencil, "restricted"};
    row.particles = measured->particles;
    row.pixels = measured->pixels;
    row.bytes = measured->peak;
    row.pixel_seconds = pixel_seconds;
    row.products = measured->products;
    table.add(row, {measured->median(), measured->seconds.front()});
    Json& json = session.report()["rows"].back();
    json["seconds_max"] = measured->seconds.back();
    json["pixel_memory_ratio"] =
        static_cast<double>(pixel_peak) / static_cast<double>(measured->peak);
    const double ratio =
        static_cast<double>(measured->pixels) / static_cast<double>(measured->particles);
    const bool comparable = way.particles && ratio > 18.0 && ratio < 22.0 &&
                            measured->pixels == kReferenceSide * kReferenceSide * kReferenceSide;
    json["ratio_to_reference"] =
        comparable ? Json(kReferenceSeconds / measured->median()) : Json(nullptr);
    json["how"] = measured->description;
  }
  return {};
}

std::string deconvolution_notes(const Json& report) {
  std::string text =
      "\nSeconds are those of one iteration of Richardson–Lucy with a PSF of 13³, reflecting "
      "borders; ÷ pixels is relative to FFT on pixels (pixels_fft), which is padded; a symmetric "
      "PSF "
      "acts on cosine transforms (pixels_cosine), which are not. Memory is the peak of a "
      "process "
      "that does nothing else. The reference is LibAPR 2.1.0 on two cores of another machine, 0.79 "
      "s an iteration at 256³ and a computational ratio of 20. Lines are transformed in two steps "
      "of "
      "lengths for which FFTW has code of its own, chosen by rule, so that results repeat.\n\n"
      "| case | what | how | slowest ms | memory of pixels_fft ÷ memory | reference ÷ seconds |\n"
      "|---|---|---|--:|--:|--:|\n";
  for (const Json& row : report.at("rows")) {
    const Json& reference = row.at("ratio_to_reference");
    text += "| " + row.at("case").get<std::string>() + " | " + row.at("op").get<std::string>() +
            " | " + row.at("how").get<std::string>() + " | " +
            printed("%.1f", row.at("seconds_max").get<double>() * 1e3) + " | " +
            printed("%.1f", row.at("pixel_memory_ratio").get<double>()) + " | " +
            (reference.is_null() ? "" : printed("%.0f", reference.get<double>())) + " |\n";
  }
  return text;
}

void add_bench_deconvolution_alone(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("bench-deconvolution-alone",
                                     "One row of bench deconvolution, in a process of its own");
  command->group("");
  auto options = std::make_shared<AloneOptions>();
  command->add_option("IN", options->input)->required();
  command->add_option("--way", options->way)->required();
  command->add_option("--repeats", options->repeats);
  command->add_option("--result", options->result)->required();
  command->callback([options, &chosen] {
    chosen.run = [options](Session& session) { return measure_alone(*options, session); };
  });
}

}  // namespace aprscope::cli
