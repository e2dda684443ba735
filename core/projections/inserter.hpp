#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/frequency_tiles.hpp"
#include "core/projections/insertion_plan.hpp"
#include "core/projections/map_solver.hpp"

namespace aprscope {

/// Adds planes to the sums G and W. One thread at a time.
class Inserter {
 public:
  virtual ~Inserter() = default;
  Inserter(const Inserter&) = delete;
  Inserter& operator=(const Inserter&) = delete;

  /// Images worth giving at a time: the same for any share of the tiles.
  [[nodiscard]] virtual std::int64_t batch() const = 0;
  /// The tiles that it sums, where there was no room for all of its plan's: the first of them.
  /// Empty: all of its plan's.
  [[nodiscard]] virtual TileRange fitting() const { return {}; }
  /// Memory for so many floats of images that insert() reads fastest, which may outlive it;
  /// ordinary memory unless it says so. Throws std::bad_alloc.
  [[nodiscard]] virtual std::shared_ptr<float[]> image_room(std::size_t floats) const {
    return std::make_shared_for_overwrite<float[]>(floats);
  }
  /// Adds images (side² values each) with their terms, by samples that are sorted by image.
  /// `images` may be overwritten when the call returns. Errors: device, cancelled: the sums are
  /// then of no use.
  virtual Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                        std::span<const InsertionSample> samples, const JobContext& context) = 0;
  /// Copies the sums of some of its tiles of a half, by their numbers in plan.tiles,
  /// plan.tiles.stride() floats each, of all images that were inserted so far.
  virtual Status sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) = 0;
  /// All its sums of a half, tile after tile, which the inserter does not keep: nothing is inserted
  /// afterwards.
  virtual Result<std::vector<float>> take(int half) = 0;
  /// What makes maps where it works, which may outlive it; unless it says so, the processor.
  [[nodiscard]] virtual std::unique_ptr<MapSolver> solver() const;
  /// As take(), for that solver, of an inserter of all tiles. Where there is no room for them with
  /// the solver it is an error, and take() has them.
  virtual Result<std::unique_ptr<HeldSums>> hold(int half);

 protected:
  Inserter() = default;
};

/// Makes an inserter for a plan, or for the first of its tiles (see Inserter::fitting()). Errors:
/// no memory, no device.
using InserterFactory =
    std::function<Result<std::unique_ptr<Inserter>>(const InsertionPlan&, const JobContext&)>;

/// Images that the processor takes at a time, of planes of so many floats each, into sums of so
/// many.
std::int64_t cpu_batch(std::int64_t plane_floats, std::int64_t sums_floats);

/// On the processor: a tile a task, no locks, the same bits for any number of threads.
Result<std::unique_ptr<Inserter>> make_cpu_inserter(const InsertionPlan& plan,
                                                    const JobContext& context);

}  // namespace aprscope
