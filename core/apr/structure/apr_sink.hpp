#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/apr/structure/apr.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Facts about an APR that are known before its cells and values.
struct AprOutline {
  /// Name, parameters and history of the APR; without structure and fields.
  Apr facts;
  Size3 size{1, 1, 1};
  int level_max = 1;
  std::uint64_t particles = 0;
  /// Number of interior cells; 0: without a tree.
  std::uint64_t tree_cells = 0;
  /// The name of its field, and the type of the values as FieldValues counts them.
  std::string field;
  int type = 0;
  /// Its cells, and those of its tree, are those of the part before, and are not put again.
  bool same_cells = false;
};

/// Takes an APR that is never whole in memory, piece by piece: the outline; the cells, particles
/// first, in order; the values in any order, each once. Errors of all calls: disk full, cancelled.
class AprSink {
 public:
  virtual ~AprSink() = default;

  enum class Part { particles, tree };

  virtual Status begin(const AprOutline& outline) = 0;
  /// The next cells of a part and one past the last cell of each of their rows, counted in all, as
  /// in LinearAccess but for the 0 that it begins with.
  virtual Status cells(Part part, std::span<const std::uint16_t> y,
                       std::span<const std::uint64_t> ends) = 0;
  /// Values of the particles from `begin` on, of the type of the outline.
  virtual Status values(std::uint64_t begin, const void* values, std::uint64_t count) = 0;
  /// Means of the interior cells from `begin` on.
  virtual Status means(std::uint64_t begin, std::span<const float> means) = 0;
};

}  // namespace aprscope
