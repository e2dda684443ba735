#pragma once

#include <span>
#include <vector>

#include "core/apr/interior_map.hpp"
#include "core/filter/convolution.hpp"
#include "core/filter/slab.hpp"

namespace aprscope::detail {

/// Rows of the isotropic grid of a level: particles of the level, tree means where it is finer, and
/// what coarser particles cover, however much coarser they are.
class ParticleSource : public QuadSource {
 public:
  ParticleSource(const FilterInput& input, std::span<float> out);
  /// Other values on the same structure.
  void bind(const FilterInput& input, std::span<float> out);

  void reserve(const Slab& largest) override;
  bool open(const Slab& slab) override;
  [[nodiscard]] PairMask active(std::int64_t z, std::int64_t x) const override;
  Filled fill(std::int64_t z, std::int64_t x, float* const* rows) override;
  void store(std::int64_t z, std::int64_t x, const std::int32_t* starts, std::int64_t count,
             const float* values) override;

 private:
  // Where rows of the slab's level, and of the two above it, begin.
  struct Rows {
    const std::uint64_t* particles = nullptr;  // first particle of row 0, 1 … of the level
    const std::uint64_t* tree = nullptr;       // first interior cell …
    const std::uint64_t* coarse = nullptr;     // first particle … of the level above
    const InteriorMap::Level* own = nullptr;   // none on the finest level
    const InteriorMap::Level* above = nullptr;
    const InteriorMap::Level* grand = nullptr;
  };

  [[nodiscard]] std::size_t active_at(std::int64_t z, std::int64_t x) const;
  bool find_active();
  void find_needed();
  [[nodiscard]] std::uint64_t with_particles(std::int64_t z, std::int64_t x, std::int64_t word,
                                             std::uint64_t parents) const;
  // How many blocks hold cells of the level, and how many there are.
  struct Needed {
    std::int64_t fine = 0;
    std::int64_t count = 0;
  };
  Needed list_needed(const std::uint64_t* needed, const std::uint64_t* parents);
  [[nodiscard]] QuadRow quad_row(std::int64_t z, std::int64_t x) const;
  void fill_coarse(std::int64_t z, std::int64_t x, std::int64_t block, unsigned positions,
                   float* const* rows, int count) const;

  FilterInput input_;
  const InteriorMap& interior_;
  const FilterKernels& kernels_;
  std::span<float> out_;
  Slab slab_;
  Rows rows_;
  // Words of 64 parents a row: the slab's own, and with as many more on both sides as the radius
  // reaches into.
  std::int64_t words_ = 0;
  std::int64_t halo_words_ = 0;
  std::vector<std::uint64_t> active_;  // parents with particles to compute
  std::vector<std::uint64_t> needed_;  // parents that those depend on
  std::vector<std::uint64_t> spread_;
  std::vector<std::int32_t> blocks_;
  std::vector<std::uint8_t> positions_;
  std::vector<std::uint8_t> rest_;
};

}  // namespace aprscope::detail
