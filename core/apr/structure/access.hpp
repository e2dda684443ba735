#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "core/apr/structure/interior_map.hpp"
#include "core/apr/structure/linear_access.hpp"

namespace aprscope {

/// A particle found by position.
struct ParticleAt {
  int level = 0;
  std::uint64_t index = 0;
};

/// The structure of an APR: its particle cells (levels 1 … level_max), which partition the image,
/// and its tree, i.e. all interior cells (levels 0 … level_max − 1). Immutable, validated once,
/// shared by all values on it. Neighbouring cells may differ by any number of levels (tiled data
/// does), although conversion makes them differ by at most one.
class AprAccess {
 public:
  /// Checks that the cells partition the image and builds the tree.
  static Result<std::shared_ptr<const AprAccess>> create(LinearAccess particles);
  /// The same with the tree that was made together with the particles. Checks that the cells cover
  /// the image and that the tree has as many cells as they take.
  static Result<std::shared_ptr<const AprAccess>> create(LinearAccess particles, LinearAccess tree);

  [[nodiscard]] const LinearAccess& particles() const { return particles_; }
  [[nodiscard]] const LinearAccess& tree() const { return tree_; }
  /// The structure as bits, which filters read; made when it is first asked for (any thread may).
  /// Throws std::bad_alloc.
  [[nodiscard]] const InteriorMap& interior() const;

  [[nodiscard]] const Size3& size() const { return particles_.size(); }
  [[nodiscard]] int level_max() const { return particles_.level_max(); }
  /// Coarsest level that holds particles.
  [[nodiscard]] int level_min_used() const { return level_min_used_; }
  [[nodiscard]] std::uint64_t count() const { return particles_.count(); }
  /// The computational ratio: pixels ÷ particles.
  [[nodiscard]] double computational_ratio() const;
  /// Bytes that the structure holds now, including parts made on demand, such as interior().
  [[nodiscard]] std::uint64_t bytes() const;

  /// The particle whose cell holds pixel p; p must lie in the image.
  [[nodiscard]] ParticleAt find(const Index3& p) const;

 private:
  static std::shared_ptr<const AprAccess> made_of(LinearAccess particles, LinearAccess tree);

  LinearAccess particles_;
  LinearAccess tree_;
  int level_min_used_ = 1;
  mutable std::mutex interior_mutex_;
  mutable std::unique_ptr<const InteriorMap> interior_;
};

}  // namespace aprscope
