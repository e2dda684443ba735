#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/slice_place.hpp"
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// A device that runs operations. Chosen once a job; nothing falls back half-way. If another device
/// must compute instead, that is reported before it starts: see compute_elsewhere().
class Backend {
 public:
  virtual ~Backend() = default;

  /// "CPU, 2 threads, AVX-512", "cuda:0 NVIDIA H200".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Id of the device: "cpu", "cuda:0".
  [[nodiscard]] virtual std::string id() const = 0;

  /// Success when `run` can do this; else the reason why not.
  [[nodiscard]] virtual Status supports(const Operation& operation, const Dataset& input) const = 0;

  /// Bytes that a run will take beyond the input.
  [[nodiscard]] virtual std::uint64_t estimate_bytes(const Operation& operation,
                                                     const Dataset& input) const = 0;

  /// The operation on the whole data. The result carries name, voxel size, channel and a history
  /// that ends with this step.
  virtual Result<Data> run(const Operation& operation, const Dataset& input,
                           const JobContext& context) const = 0;

  /// run() of an operation that gives labels: the values of the result are those of `input`, shared
  /// where the backend can.
  [[nodiscard]] virtual Result<std::shared_ptr<const Dataset>> find_labels(
      const Operation& operation, const Dataset& input, const JobContext& context) const;

  /// run() of an iterative operation ("deconvolve") with what its host wants to see and to say. The
  /// history of the result says the iterations done, whether it is partial, by which blur and on
  /// which backend; nothing in it differs from one run to the next.
  virtual Result<Data> iterate(const Operation& operation, const Dataset& input,
                               const IterationHooks& hooks, const JobContext& context) const;

  /// What an operation that measures (Gives::measurement) finds on the whole data, with the data's
  /// name and a history that ends with this step. Devices that cannot measure let the CPU do it,
  /// and report that.
  virtual Result<Measurement> measure(const Operation& operation, const Dataset& input,
                                      const JobContext& context) const;

  /// A renderer of maximum projections of this data: the backend's own where it is faster than
  /// Dataset::raycaster(), else that. Takes a while: call it from a worker. Errors: those of
  /// Dataset::raycaster().
  virtual Result<std::shared_ptr<const Raycaster>> raycaster(
      const std::shared_ptr<const Dataset>& input, const JobContext& context) const;

  /// Filters only: the result inside `regions` (see convolve()), all that a preview shows in one
  /// go; `out` has one value a particle, or a pixel, of the whole data and keeps what it had
  /// elsewhere. Agrees with run() bit for bit (on pixels with a large stencil but for rounding, see
  /// pixel_filter.hpp).
  virtual Status run_regions(const Operation& operation, const Dataset& input,
                             std::span<const Region> regions, std::vector<float>& out,
                             const JobContext& context) const = 0;
  /// The same of one region.
  Status run_region(const Operation& operation, const Dataset& input, const Region& region,
                    std::vector<float>& out, const JobContext& context) const {
    return run_regions(operation, input, {&region, 1}, out, context);
  }

  /// Filters of particles only: slices of the result, constant in each cell, as slice_particles()
  /// cuts them, where the device makes them without all their particles coming to the host. None:
  /// it does not, and run_regions() gives the values to cut them from. Slices lie in the image.
  virtual Result<std::optional<std::vector<Plane>>> filtered_slices(
      const Operation& operation, const Dataset& input, std::span<const SlicePlace> slices,
      const JobContext& context) const;
};

std::shared_ptr<const Backend> cpu_backend();

/// Has `other` do what `asked` cannot for this reason: `context` is told before
/// `work` runs there, and the history of particles says both devices in the place of the other's.
Result<Data> compute_elsewhere(const Backend& asked, const Backend& other,
                               const std::string& reason, const JobContext& context,
                               const std::function<Result<Data>()>& work);

}  // namespace aprscope
