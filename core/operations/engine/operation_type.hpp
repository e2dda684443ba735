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
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// What goes out of an operation: what went in, another kind, what went in with (other) labels on
/// it, or what was measured on what went in, which stays as it is.
enum class Gives { kind_of_input, pixels, apr, labels, measurement };

/// How what is being edited can be seen before it runs. region: any part of the result, with its
/// bits; estimate: as an estimate of the whole with figures of its own (conversion); labels: as the
/// labels of the whole, over the data that stays (see LabelEngine).
enum class Previewed { none, region, estimate, labels };

/// Whether grey values of the result are those of the input, so that its contrast fits, or others.
enum class Range { of_input, own };

/// What hosts have to know of an operation beside its parameters.
struct Traits {
  Gives gives = Gives::kind_of_input;
  Previewed preview = Previewed::none;
  /// It reports each iteration, and a later step of it may go on from its result on its input.
  bool iterates = false;
  /// Whose engines run it on devices other than the CPU.
  std::string family;
  /// The id of the panel where it is edited.
  std::string panel;
  /// Of a measurement: the id of a panel that shows what it finds with its defaults, of data that
  /// it takes so.
  std::string shown_in;
  /// It makes data and has a command of its own, made from its schema; measuring has one anyway.
  bool has_command = false;
  /// It takes data that has labels only.
  bool takes_labels = false;
  /// It takes images of projections only, with their table.
  bool takes_projections = false;
  /// It makes a set of projections, which is written as a stack with its table beside it.
  bool gives_projections = false;
  /// It does not iterate, but its host may watch it and end it early with what there is.
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
  /// See Backend::iterate().
  Result<Data> (*run)(const Operation&, const Dataset&, const IterationHooks&,
                      const JobContext&) = nullptr;
  /// See Backend::run_regions(); where Traits::preview is region. `out` has its length.
  Status (*run_regions)(const Operation&, const Dataset&, std::span<const Region>,
                        std::vector<float>& out, const JobContext&) = nullptr;
  /// See Backend::measure(); where Traits::gives is measurement, in the place of `run`. Name and
  /// history are the caller's to add.
  Result<Measurement> (*measure)(const Operation&, const Dataset&, const JobContext&) = nullptr;
  /// The same of an image that is read slice by slice, with slices of about `memory` bytes kept.
  /// Null: only of what is in memory.
  Result<Measurement> (*measure_slices)(const Operation&, SliceSource&, const VoxelSize&,
                                        std::uint64_t memory, const JobContext&) = nullptr;
};

/// What an operation keeps while its quick parameters are being edited.
class Prepared {
 public:
  virtual ~Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  /// Bytes that it holds.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// Of labels that were made of it, see with_spare().
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

/// What a preview says of labels beside them.
struct LabelCounts {
  /// How many different ones there are.
  std::uint64_t cells = 0;
  /// See background_share().
  double background_share = 0.0;
};

/// An operation that gives labels, in two halves: what is dear and does not depend on the quick
/// parameters, and the rest, which a preview does again at each edit. Both throw std::bad_alloc.
struct LabelEngine {
  /// Ids of parameters that prepare() does not look at.
  std::vector<std::string> quick;
  /// Null result: nothing is worth keeping.
  Result<std::shared_ptr<const Prepared>> (*prepare)(const Operation&, const Dataset&,
                                                     const JobContext&) = nullptr;
  /// `prepared` is what prepare() gave for these parameters, but for the quick ones, and this data.
  Result<Labels> (*label)(const Operation&, const Dataset&, const Prepared* prepared,
                          const JobContext&) = nullptr;
  /// What is known of the labels that label() gave last with these arguments, without a look at
  /// them. Null, or null result: they have to be looked at, see label_counts().
  std::optional<LabelCounts> (*counts)(const Operation&, const Dataset&,
                                       const Prepared& prepared) = nullptr;
  /// What label() made these labels of, with the same arguments, for as long as `prepared` is kept;
  /// null result: of nothing smaller. Null: there are no parts.
  std::shared_ptr<const LabelParts> (*parts)(
      const Operation&, const Dataset&, const std::shared_ptr<const Prepared>& prepared) = nullptr;
};

/// All there is to an operation. Functions that are empty have the answer that is said with them.
struct OperationType {
  OperationSchema schema;
  Traits traits;
  CpuEngine cpu;
  std::shared_ptr<const FamilyPart> part;
  /// Where it gives labels, in the place of cpu.run.
  LabelEngine labels{};

  /// Of particles it takes the structure only (complete operation). Empty: their values, too.
  std::function<bool(const Operation&)> structure_only{};
  /// Why it cannot be done with these parameters (complete operation) to this data; empty: it can.
  std::function<Status(const Operation&, const Dataset&)> takes{};
  /// Whether it goes on from the result of the step before, on that step's input. Empty: no.
  std::function<bool(const Operation&)> goes_on{};
  /// A complete operation with the numbers that its words stand for on this data, so that recipe
  /// and history say what was done; as it is where there are none, or the job is cancelled. Empty:
  /// as it is. Throws std::bad_alloc.
  std::function<Operation(Operation, const Dataset&, const JobContext&)> settled{};
  /// What it makes (complete operation) of a channel and time point of a file of which it needs but
  /// a part, as of what load() gives of it. Null result: it needs all of this file. Empty: of any.
  std::function<Result<std::optional<Data>>(const Operation&, const SourceInfo&,
                                            const SourceSelection&, const JobContext&)>
      of_file{};
  /// Of a complete operation. Empty: that of the input.
  std::function<Range(const Operation&)> range{};
};

}  // namespace aprscope
