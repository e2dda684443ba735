#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/data/measurement.hpp"
#include "core/image/label_parts.hpp"
#include "core/image/spare_labels.hpp"
#include "core/io/common/source_info.hpp"
#include "core/operations/engine/file_engine.hpp"
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/engine/part_memory.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The result of an operation: data of the kind of the input, of another kind, the input with
/// (other) labels, or a measurement on the input, which stays as it is.
enum class Gives { kind_of_input, pixels, apr, labels, measurement };

/// How the result can be previewed while parameters are edited. region: any part of the result,
/// with its bits; estimate: as an estimate of the whole with figures of its own (conversion);
/// labels: as the labels of the whole, over the data that stays (see LabelEngine).
enum class Previewed { none, region, estimate, labels };

/// Whether grey values of the result are those of the input, so that its contrast fits, or others.
enum class Range { of_input, own };

/// What hosts must know of an operation beside its parameters.
struct Traits {
  Gives gives = Gives::kind_of_input;
  Previewed preview = Previewed::none;
  /// Whether it reports each iteration; a later step may go on from its result on its input.
  bool iterates = false;
  /// Whose engines run it on devices other than the CPU.
  std::string family;
  /// The id of the panel where it is edited.
  std::string panel;
  /// For measurements: id of a panel that shows the result with default parameters, for data that
  /// the operation accepts so.
  std::string shown_in;
  /// Whether it makes data and has an own command, made from its schema; measuring always has one.
  bool has_command = false;
  /// Whether it takes only data that has labels.
  bool takes_labels = false;
  /// Whether it takes only images of projections, with their table.
  bool takes_projections = false;
  /// Whether it makes a set of projections, written as a stack with its table beside it.
  bool gives_projections = false;
  /// Whether its host may watch it and end it early with a partial result; it does not iterate.
  bool is_watched = false;
  /// Several processes may share its work, see IterationHooks::ranks: the first of them has the
  /// result.
  bool is_shared = false;
  /// The values of its result are lengths in Å, and 0 where there is none.
  bool gives_angstrom = false;
};

/// What operations of one family share with engines of all devices, e.g. a filter's plan.
class FamilyPart {
 public:
  virtual ~FamilyPart() = default;

 protected:
  FamilyPart() = default;
  FamilyPart(const FamilyPart&) = default;
  FamilyPart& operator=(const FamilyPart&) = default;
};

/// An operation on the CPU. Operations are complete, and inputs are of a kind that they take.
/// Throws std::bad_alloc where memory does not suffice.
struct CpuEngine {
  /// Bytes that a run takes beyond the input.
  std::uint64_t (*bytes)(const Operation&, const Dataset&) = nullptr;
  /// Runs the operation, see Backend::iterate().
  Result<Data> (*run)(const Operation&, const Dataset&, const IterationHooks&,
                      const JobContext&) = nullptr;
  /// See Backend::run_regions(); where Traits::preview is region. `out` has its length.
  Status (*run_regions)(const Operation&, const Dataset&, std::span<const Region>,
                        std::vector<float>& out, const JobContext&) = nullptr;
  /// Measures, see Backend::measure(); set instead of `run` where Traits::gives is measurement. The
  /// caller adds name and history.
  Result<Measurement> (*measure)(const Operation&, const Dataset&, const JobContext&) = nullptr;
  /// measure() of an image that is read slice by slice; keeps slices of about `memory` bytes. Null:
  /// the operation needs the image in memory.
  Result<Measurement> (*measure_slices)(const Operation&, SliceSource&, const VoxelSize&,
                                        std::uint64_t memory, const JobContext&) = nullptr;
  /// measure() of particles that are read some planes at a time, in about `memory` bytes. Null: the
  /// operation needs them in memory.
  Result<Measurement> (*measure_file)(const Operation&, AprFileSlabs&, const PartMemory& memory,
                                      const JobContext&) = nullptr;
};

/// Intermediate results that an operation keeps while its quick parameters are edited.
class Prepared {
 public:
  virtual ~Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  /// Bytes that it holds.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// Memory of labels that were made of it, see with_spare().
  [[nodiscard]] SpareLabels& spare() const { return spare_; }

 protected:
  Prepared() = default;

 private:
  mutable SpareLabels spare_;
};

/// Labels that were made of `prepared`, which gets their memory back when the last who looks at
/// them lets go of them, if it is there by then.
std::shared_ptr<const Labels> with_spare(Labels labels,
                                         const std::shared_ptr<const Prepared>& prepared);

/// Numbers that a preview shows beside labels.
struct LabelCounts {
  /// How many different ones there are.
  std::uint64_t cells = 0;
  /// Share of the image that is background, see background_share().
  double background_share = 0.0;
};

/// An operation that gives labels, in two halves: the expensive part, which does not depend on
/// quick parameters, and the rest, which a preview repeats at each edit. Both throw std::bad_alloc.
struct LabelEngine {
  /// Ids of parameters that prepare() does not look at.
  std::vector<std::string> quick;
  /// Computes the first half; null result: nothing is worth keeping.
  Result<std::shared_ptr<const Prepared>> (*prepare)(const Operation&, const Dataset&,
                                                     const JobContext&) = nullptr;
  /// `prepared` is what prepare() gave for these parameters, but for the quick ones, and this data.
  Result<Labels> (*label)(const Operation&, const Dataset&, const Prepared* prepared,
                          const JobContext&) = nullptr;
  /// Counts of the labels that label() gave last with these arguments, without looking at the
  /// labels. Null, or none: they must be looked at, see label_counts().
  std::optional<LabelCounts> (*counts)(const Operation&, const Dataset&,
                                       const Prepared& prepared) = nullptr;
  /// The parts that label() merged into these labels, with the same arguments, for as long as
  /// `prepared` is kept; null result, or null: there are no parts.
  std::shared_ptr<const LabelParts> (*parts)(
      const Operation&, const Dataset&, const std::shared_ptr<const Prepared>& prepared) = nullptr;
};

/// Everything about an operation. Each std::function says what it means if it is empty.
struct OperationType {
  OperationSchema schema;
  Traits traits;
  CpuEngine cpu;
  std::shared_ptr<const FamilyPart> part;
  /// How to make labels; used instead of cpu.run where it gives labels.
  LabelEngine labels{};
  /// From file to file; empty: it needs the particles in memory.
  FileEngine file{};

  /// Whether it takes only the structure of particles (complete operation). Empty: values, too.
  std::function<bool(const Operation&)> structure_only{};
  /// Success, or why it cannot run with these parameters (complete) on this data; empty: it can.
  std::function<Status(const Operation&, const Dataset&)> takes{};
  /// Whether it continues from the result of the step before, on that step's input. Empty: no.
  std::function<bool(const Operation&)> goes_on{};
  /// Replaces words such as "automatic" of a complete operation by their numbers for this data, so
  /// that recipe and history say what was done; unchanged where there are none, or the job is
  /// cancelled. Empty: unchanged. Throws std::bad_alloc.
  std::function<Operation(Operation, const Dataset&, const JobContext&)> settled{};
  /// Runs on a channel and time point of a file of which it needs only a part; the same result as
  /// on what load() gives. None: it needs all of this file. Empty: always all.
  std::function<Result<std::optional<Data>>(const Operation&, const SourceInfo&,
                                            const SourceSelection&, const JobContext&)>
      of_file{};
  /// Whether it measures with these parameters (complete) in parts where CpuEngine has functions
  /// for that. Empty: it does.
  std::function<bool(const Operation&)> measures_parts{};
  /// Range of grey values of the result (complete operation). Empty: that of the input.
  std::function<Range(const Operation&)> range{};
};

}  // namespace aprscope
