#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// A row of a list of cells, and how far it was walked.
struct CellLane {
  std::uint64_t at = 0;
  std::uint64_t end = 0;

  CellLane() = default;
  /// The cells of a range of `ys` from y on.
  CellLane(const ParticleRange& range, std::span<const std::uint16_t> ys, std::int64_t y)
      : at(range.begin), end(range.end) {
    if (y <= 0) return;
    const auto from = ys.begin();
    at = static_cast<std::uint64_t>(std::lower_bound(from + static_cast<std::ptrdiff_t>(at),
                                                     from + static_cast<std::ptrdiff_t>(end), y) -
                                    from);
  }
  /// Whether the row has y, which rises from call to call.
  bool walk_to(std::span<const std::uint16_t> ys, std::int64_t y) {
    while (at < end && ys[at] < y) ++at;
    return at < end && ys[at] == y;
  }
};

/// What lies at a place of a row of cells of one side.
enum class CellKind : std::uint8_t { particle, larger, divided, outside };

/// A row of the cells of one level, walked along y: its particles, cells that are divided further,
/// and the larger particles that cover the rest of it.
class RowLanes {
 public:
  /// Turns to a row; `first`: the y from which on it is walked; may be below 0.
  void open(const AprAccess& access, int level, std::int64_t z, std::int64_t x, std::int64_t first);

  /// y rises from call to call, or stays; outside of the row too.
  CellKind look(const AprAccess& access, std::int64_t y) {
    if (!inside_ || y < 0 || y >= width_) return CellKind::outside;
    if (y < end_) return CellKind::larger;
    if (particles_.walk_to(access.particles().y(), y)) return CellKind::particle;
    return look_beside(access, y);
  }
  /// The same where it is known that there is no particle of this level.
  CellKind look_beside(const AprAccess& access, std::int64_t y) {
    if (!inside_ || y < 0 || y >= width_) return CellKind::outside;
    if (y < end_) return CellKind::larger;
    if (divided_.walk_to(access.tree().y(), y)) return CellKind::divided;
    find_larger(access, y);
    return CellKind::larger;
  }
  /// The number of what was found last, by its kind.
  [[nodiscard]] std::uint64_t particle() const { return particles_.at; }
  [[nodiscard]] std::uint64_t larger() const { return larger_; }

 private:
  void find_larger(const AprAccess& access, std::int64_t y);

  int level_ = 0;
  bool inside_ = false;
  std::int64_t width_ = 0;
  std::int64_t z_ = 0;
  std::int64_t x_ = 0;
  CellLane particles_;
  CellLane divided_;
  // Particles of the next coarser level.
  CellLane above_;
  // The larger particle that was found last, and where it ends.
  std::int64_t end_ = 0;
  std::uint64_t larger_ = 0;
};

}  // namespace aprscope
