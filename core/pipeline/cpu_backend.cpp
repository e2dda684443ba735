#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "core/apr/reconstruction.hpp"
#include "core/base/system.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/filter/filter_runner.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope {
namespace {

Error too_little_memory(const Dataset& input, std::uint64_t needed, std::uint64_t left) {
  return {"needs about " + format_bytes(needed) + " of memory, but only " + format_bytes(left) +
              " are free",
          input.name(), "close other data or use a smaller image"};
}

Status check_memory(std::uint64_t needed, const Dataset& input) {
  const std::uint64_t left = available_bytes();
  if (left == 0 || needed <= left) return {};
  return too_little_memory(input, needed, left);
}

Status check_finite(const Dataset& input) {
  const NonFinite bad = input.non_finite();
  if (bad.count == 0) return {};
  return Error{non_finite_text(bad), input.name(), "replace them, or scale the image, first"};
}

// A sub-image of `level`, whose pixels are larger.
VoxelSize scaled(VoxelSize voxel, double factor) {
  voxel.z *= factor;
  voxel.x *= factor;
  voxel.y *= factor;
  return voxel;
}

// Values that grew beyond the largest float must not go on as if they were results.
Status check_result(const std::vector<float>& values, const Operation& operation,
                    const Dataset& input) {
  const auto bad = std::count_if(values.begin(), values.end(),
                                 [](float value) { return !std::isfinite(value); });
  if (bad == 0) return {};
  return Error{operation.id + " makes " + std::to_string(bad) +
                   " values that are too large for 32 bit floats",
               input.name(), "scale the image or the weights down"};
}

// The input with other values, as f32; of an APR with `line` as its last line of history.
Data with_values(const Dataset& input, std::vector<float> values, std::string line) {
  if (input.is_apr()) return with_field(input.apr(), std::move(values), std::move(line));
  return filtered_image(input.volume(), std::move(values));
}

// The device belongs to the provenance; the number of threads does not, since it changes nothing in
// the result.
std::string made_by_cpu(const Operation& operation) { return describe(operation) + " [cpu]"; }

class CpuBackend final : public Backend {
 public:
  std::string name() const override {
    const int threads = thread_count();
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") +
           (use_avx512() ? "AVX-512" : "AVX2");
  }
  std::string id() const override { return "cpu"; }

  Status supports(const Operation& operation, const Dataset& input) const override {
    const auto whole = complete(operation);
    if (!whole) return whole.error();
    return supports_complete(*whole, input);
  }

  std::uint64_t estimate_bytes(const Operation& operation, const Dataset& input) const override;
  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override;
  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override;
  Status run_region(const Operation& operation, const Dataset& input, const Region& region,
                    std::vector<float>& out, const JobContext& context) const override;

 private:
  static Status supports_complete(const Operation& operation, const Dataset& input);
  static Result<Data> convert_image(const Operation& operation, const Dataset& input,
                                    const JobContext& context);
  static Result<Data> reconstruct_image(const Operation& operation, const Dataset& input,
                                        const JobContext& context);
  static Result<Data> filter(const Operation& operation, const Dataset& input,
                             const JobContext& context);
};

// Refuses what cannot be done, with a reason.
Status CpuBackend::supports_complete(const Operation& operation, const Dataset& input) {
  const OperationSchema& schema = *find_schema(operation.id);
  const DataKind kind = input.is_apr() ? DataKind::apr : DataKind::pixels;
  if (std::find(schema.inputs.begin(), schema.inputs.end(), kind) == schema.inputs.end()) {
    if (input.is_apr()) {
      return Error{"is an APR already, and " + operation.id + " takes a pixel image", input.name(),
                   "choose the image, or reconstruct the pixels first"};
    }
    return Error{"is a pixel image, and " + operation.id + " takes an APR", input.name(),
                 "convert it first"};
  }
  const Size3 size = input.size();
  if (size.z < 1 || size.x < 1 || size.y < 1) {
    return Error{"is empty", input.name(), "choose an image with pixels"};
  }
  if (!input.is_apr()) return {};
  const bool needs_values =
      operation.id != "reconstruct" || parameter<std::string>(operation, "mode") != "level";
  const auto field = input.apr().main_field();
  if (needs_values && (!field || field->count() != input.apr().access->count())) {
    return Error{"has no particle values", input.name(), "open a file with a particle field"};
  }
  return {};
}

std::uint64_t CpuBackend::estimate_bytes(const Operation& operation, const Dataset& input) const {
  if (operation.id == "deconvolve") {
    const auto whole_operation = complete(operation);
    if (!whole_operation) return 0;
    const auto plan = plan_deconvolution(*whole_operation, input.voxel(), input.size());
    return plan ? deconvolution_bytes(*plan, input) : 0;
  }
  const auto pixels = static_cast<std::uint64_t>(std::max<std::int64_t>(0, input.size().count()));
  constexpr std::uint64_t f32 = sizeof(float);
  if (!input.is_apr()) {
    const bool real = std::holds_alternative<Pixels<float>>(input.volume().pixels);
    // Conversion: gradient, scale and levels on the half grid, then particles at a computational
    // ratio of 4. Filters: result, f32 copy, passes of a separable stencil.
    if (!is_filter(operation)) return pixels * 3;
    return pixels * f32 * (real ? 2 : 3);
  }
  const AprAccess& access = *input.apr().access;
  if (operation.id == "reconstruct") return pixels * f32 * 3 / 2;
  // Result, f32 values, tree, and the row lists of a convolution.
  return access.count() * f32 * 3 + access.tree().count() * f32;
}

Result<Data> CpuBackend::convert_image(const Operation& operation, const Dataset& input,
                                       const JobContext& context) {
  const Volume& volume = input.volume();
  auto apr = convert(volume, conversion_parameters(operation, volume.voxel), context);
  if (!apr) return apr.error();
  apr->name = volume.name;
  name_channel(*apr);
  apr->history = {made_by_cpu(operation)};
  return Data{*std::move(apr)};
}

Result<Data> CpuBackend::reconstruct_image(const Operation& operation, const Dataset& input,
                                           const JobContext& context) {
  const Apr& apr = input.apr();
  const auto& mode = parameter<std::string>(operation, "mode");
  const auto level = static_cast<int>(parameter<std::int64_t>(operation, "at_level"));
  if (level != 0 && mode != "constant") {
    return Error{"an image of one level exists in mode constant only", "reconstruct",
                 "use mode constant or at_level 0"};
  }
  if (level > apr.access->level_max()) {
    return Error{"has no level " + std::to_string(level), input.name(),
                 "use 1 to " + std::to_string(apr.access->level_max())};
  }
  Result<Pixels<float>> pixels = Pixels<float>();
  if (level != 0) {
    pixels = reconstruct_at_level(*apr.access, input.particle_values(), input.tree_mean(), level,
                                  context);
  } else if (mode == "level") {
    pixels = reconstruct(*apr.access, {}, ReconstructionMode::level, whole(input.size()), context);
  } else {
    const auto how = mode == "smooth" ? ReconstructionMode::smooth : ReconstructionMode::constant;
    pixels = reconstruct(*apr.access, input.particle_values(), how, whole(input.size()), context);
  }
  if (!pixels) return pixels.error();
  // Values that are those of particles keep the particles' type; interpolated ones are f32.
  const bool exact = level == 0 && mode == "constant";
  Volume out = image_like(apr, mode == "level" ? typed<std::uint8_t>(*std::move(pixels))
                               : exact         ? typed_as(*apr.main_field(), *std::move(pixels))
                                               : AnyPixels(*std::move(pixels)));
  if (level != 0) out.voxel = scaled(apr.voxel, std::exp2(apr.access->level_max() - level));
  return Data{std::move(out)};
}

Result<Data> CpuBackend::filter(const Operation& operation, const Dataset& input,
                                const JobContext& context) {
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  std::vector<float> values(input.is_apr() ? input.apr().access->count()
                                           : static_cast<std::size_t>(input.size().count()));
  if (Status done = run_filter(*plan, input, whole(input.size()), values, context); !done) {
    return done.error();
  }
  if (Status ok = check_result(values, operation, input); !ok) return ok.error();
  return with_values(input, std::move(values), made_by_cpu(operation));
}

Result<Data> CpuBackend::run(const Operation& operation, const Dataset& input,
                             const JobContext& context) const {
  const auto whole_operation = complete(operation);
  if (!whole_operation) return whole_operation.error();
  const Operation& op = *whole_operation;
  if (op.id == "deconvolve") return iterate(op, input, {}, context);
  if (Status ok = supports_complete(op, input); !ok) return ok.error();
  const std::uint64_t needed = estimate_bytes(op, input);
  if (Status ok = check_memory(needed, input); !ok) return ok.error();
  try {
    if (op.id != "reconstruct" || parameter<std::string>(op, "mode") == "smooth") {
      if (Status ok = check_finite(input); !ok) return ok.error();
    }
    if (context.stop_requested()) return cancelled_error();
    return op.id == "convert"       ? convert_image(op, input, context)
           : op.id == "reconstruct" ? reconstruct_image(op, input, context)
                                    : filter(op, input, context);
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, needed, available_bytes());
  }
}

Result<Data> CpuBackend::iterate(const Operation& operation, const Dataset& input,
                                 const IterationHooks& hooks, const JobContext& context) const {
  auto op = complete(operation);
  if (!op) return op.error();
  if (op->id != "deconvolve") return run(*op, input, context);
  if (Status ok = supports_complete(*op, input); !ok) return ok.error();
  try {
    if (Status ok = check_finite(input); !ok) return ok.error();
    *op = with_offset(*std::move(op), input);
    const auto plan = plan_deconvolution(*op, input.voxel(), input.size(), hooks.psf);
    if (!plan) return plan.error();
    if (Status ok = check_memory(deconvolution_bytes(*plan, input), input); !ok) return ok.error();
    auto outcome = deconvolve(*plan, input, hooks, context);
    if (!outcome) return outcome.error();
    return deconvolved_data(input, hooks, *op, *plan, *std::move(outcome), id());
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, estimate_bytes(*op, input), available_bytes());
  }
}

Status CpuBackend::run_region(const Operation& operation, const Dataset& input,
                              const Region& region, std::vector<float>& out,
                              const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (!is_filter(*op)) {
    return Error{"cannot be computed for a part of the image", op->id, "run it on the whole"};
  }
  if (Status ok = supports_complete(*op, input); !ok) return ok;
  const auto count = input.is_apr() ? input.apr().access->count()
                                    : static_cast<std::uint64_t>(input.size().count());
  try {
    if (out.empty()) out.resize(count);
    if (out.size() != count) {
      return Error{"the buffer for the result has the wrong length", op->id, ""};
    }
    if (Status ok = check_finite(input); !ok) return ok;
    const auto plan = plan_filter(*op, input.voxel(), input.size());
    if (!plan) return plan.error();
    return run_filter(*plan, input, region, out, context);
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, estimate_bytes(*op, input), available_bytes());
  }
}

}  // namespace

std::shared_ptr<const Backend> cpu_backend() {
  static const auto backend = std::make_shared<const CpuBackend>();
  return backend;
}

}  // namespace aprscope
