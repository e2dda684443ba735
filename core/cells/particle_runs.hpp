#pragma once

#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

/// Particles whose cells lie side by side along y in one row of a level, as many as are alike.
struct ParticleRun {
  /// The first particle of the run; the others follow it.
  std::uint32_t begin = 0;
  /// y of the first and of the last cell.
  std::uint16_t y0 = 0;
  std::uint16_t y1 = 0;

  [[nodiscard]] std::uint32_t count() const { return std::uint32_t{1} + y1 - y0; }
};

/// A row of cells of one level.
struct CellRow {
  int level = 0;
  std::int64_t z = 0;
  std::int64_t x = 0;
};

/// The runs of all particles that are in a set, in the order of particles. Contacts are found
/// between runs, since there are several times fewer runs than particles.
class ParticleRuns {
 public:
  /// The runs of particles whose `mask` (one value a particle) is not 0 if `inside`, else of those
  /// where it is 0. Equal for any number of threads. Errors: a mask of another length, more
  /// particles than check_cell_count() allows, cancelled. Throws std::bad_alloc.
  static Result<ParticleRuns> find(const AprAccess& access, std::span<const std::uint8_t> mask,
                                   bool inside, const JobContext& context = {});

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::span<const ParticleRun> all() const { return {runs_.data(), count_}; }
  /// Numbers of the runs of a row, [begin, end).
  [[nodiscard]] ParticleRange row(const LinearAccess& cells, const CellRow& at) const {
    const std::uint64_t i = cells.first_row(at.level) +
                            static_cast<std::uint64_t>(at.z * cells.grid(at.level).x + at.x);
    const std::uint32_t* const ends = ends_.data();
    return {ends[i - 1], ends[i]};
  }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  Scratch<ParticleRun> runs_;
  // One past the last run of each row, as xz_end is for particles.
  Scratch<std::uint32_t> ends_;
  std::uint32_t count_ = 0;
};

/// A slice of the grid of one level: what one thread takes in one go.
struct CellLayer {
  int level = 0;
  std::int64_t z = 0;
};
/// The layers of all levels that have particles.
std::vector<CellLayer> layers_of(const LinearAccess& cells);

/// How cells of a layer's rows lie in the image.
struct LayerGeometry {
  LayerGeometry(const LinearAccess& cells, const CellLayer& layer);

  /// Pixels of the cells [y0, y1] of row x, clipped to the image.
  [[nodiscard]] std::uint64_t pixels(std::int64_t x, std::int64_t y0, std::int64_t y1) const;
  /// The first pixel of a cell, as an index in the order z, x, y.
  [[nodiscard]] std::uint64_t first_pixel(std::int64_t x, std::int64_t y) const;
  /// Whether cells [y0, y1] of row x touch the border of the image: an image of one slice has none
  /// along z.
  [[nodiscard]] bool on_border(std::int64_t x, std::int64_t y0, std::int64_t y1) const;

  Size3 size;
  Size3 grid;
  std::int64_t side = 1;
  std::int64_t z = 0;
};

}  // namespace aprscope
