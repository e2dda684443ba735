#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/pipeline/backend.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {
namespace {

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

  std::uint64_t estimate_bytes(const Operation& operation, const Dataset& input) const override {
    const auto whole = complete(operation);
    return whole ? type_of(*whole).cpu.bytes(*whole, input) : 0;
  }
  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    return iterate(operation, input, {}, context);
  }
  Result<std::shared_ptr<const Dataset>> find_labels(const Operation& operation,
                                                     const Dataset& input,
                                                     const JobContext& context) const override;
  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override;
  Status run_regions(const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) const override;
  Result<Measurement> measure(const Operation& operation, const Dataset& input,
                              const JobContext& context) const override;

 private:
  // The type of a complete operation.
  static const OperationType& type_of(const Operation& operation) {
    return *operations().find(operation.id);
  }
  static Status supports_complete(const Operation& operation, const Dataset& input);
};

// Runs both halves of an operation that gives labels. `copied`: bytes of the result beside labels.
Result<Labels> labelled(const OperationType& type, const Operation& op, const Dataset& input,
                        std::uint64_t copied, const JobContext& context) {
  try {
    if (Status ok = check_memory(type.cpu.bytes(op, input) + copied, input); !ok) {
      return ok.error();
    }
    std::shared_ptr<const Prepared> prepared;
    if (type.labels.prepare != nullptr) {
      auto made = type.labels.prepare(op, input, context);
      if (!made) return made.error();
      prepared = *made;
    }
    return type.labels.label(op, input, prepared.get(), context);
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, type.cpu.bytes(op, input));
  }
}

// Refuses what cannot be done, with a reason.
Status CpuBackend::supports_complete(const Operation& operation, const Dataset& input) {
  const OperationType& type = type_of(operation);
  const OperationSchema& schema = type.schema;
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
  if (type.traits.takes_labels && !input.labels()) {
    return Error{"has no labels, and " + operation.id + " takes some", input.name(),
                 "find its cells first, or open labels over it"};
  }
  if (type.traits.takes_projections && (input.is_apr() || !input.volume().projections)) {
    return Error{"is no set of projections, and " + operation.id + " takes one", input.name(),
                 "open the .star, .xmd or .cs file that names its images and their orientations"};
  }
  // Recipes name a file, and not which of its images were looked at.
  if (!type.traits.takes_projections && !input.is_apr() && input.volume().projections &&
      input.volume().projections->first_shown > 0) {
    return Error{"shows images from number " +
                     std::to_string(input.volume().projections->first_shown + 1) + " on, and " +
                     operation.id + " is for the first ones of a set",
                 input.name(), "go back to the first images, or open the stack that has these"};
  }
  if (type.takes) {
    if (Status ok = type.takes(operation, input); !ok) return ok;
  }
  if (!input.is_apr()) return {};
  const bool needs_values = !type.structure_only || !type.structure_only(operation);
  const auto field = input.apr().main_field();
  if (needs_values && (!field || field->count() != input.apr().access->count())) {
    return Error{"has no particle values", input.name(), "open a file with a particle field"};
  }
  return {};
}

Result<Data> CpuBackend::iterate(const Operation& operation, const Dataset& input,
                                 const IterationHooks& hooks, const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (Status ok = supports_complete(*op, input); !ok) return ok.error();
  const CpuEngine& engine = type_of(*op).cpu;
  if (type_of(*op).traits.gives == Gives::labels) {
    // The result has pixels of its own.
    const std::uint64_t copied = input.is_apr() ? 0 : input.volume().bytes();
    auto labels = labelled(type_of(*op), *op, input, copied, context);
    if (!labels) return labels.error();
    try {
      return with_labels(input, *std::move(labels), made_by_cpu(*op));
    } catch (const std::bad_alloc&) {
      return too_little_memory(input, copied);
    }
  }
  if (engine.run == nullptr) {
    return Error{"measures, and makes no data", op->id, "look at what it measured"};
  }
  try {
    return engine.run(*op, input, hooks, context);
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, engine.bytes(*op, input));
  }
}

Result<std::shared_ptr<const Dataset>> CpuBackend::find_labels(const Operation& operation,
                                                               const Dataset& input,
                                                               const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (Status ok = supports_complete(*op, input); !ok) return ok.error();
  auto labels = labelled(type_of(*op), *op, input, 0, context);
  if (!labels) return labels.error();
  return input.with_labels(std::make_shared<const Labels>(*std::move(labels)), made_by_cpu(*op));
}

Status CpuBackend::run_regions(const Operation& operation, const Dataset& input,
                               std::span<const Region> regions, std::vector<float>& out,
                               const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  const CpuEngine& engine = type_of(*op).cpu;
  if (engine.run_regions == nullptr) {
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
    return engine.run_regions(*op, input, regions, out, context);
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, engine.bytes(*op, input));
  }
}

Result<Measurement> CpuBackend::measure(const Operation& operation, const Dataset& input,
                                        const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (Status ok = supports_complete(*op, input); !ok) return ok.error();
  const CpuEngine& engine = type_of(*op).cpu;
  if (engine.measure == nullptr) return Error{"measures nothing", op->id, "run it for its result"};
  try {
    if (Status ok = check_memory(engine.bytes(*op, input), input); !ok) return ok.error();
    auto found = engine.measure(*op, input, context);
    if (!found) return found;
    found->name = input.name();
    if (input.is_apr()) found->history = input.apr().history;
    found->history.push_back(made_by_cpu(*op));
    return found;
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, engine.bytes(*op, input));
  }
}

}  // namespace

std::shared_ptr<const Backend> cpu_backend() {
  static const auto backend = std::make_shared<const CpuBackend>();
  return backend;
}

}  // namespace aprscope
