#pragma once

#include <span>
#include <vector>

#include "core/apr/structure/interior_map.hpp"
#include "core/filter/filter_input.hpp"
#include "core/filter/quad_masks.hpp"
#include "core/filter/slab.hpp"

namespace aprscope::detail {

/// Rows of the isotropic grid of a level: particles of the level, tree means where it is finer, and
/// what coarser particles cover, however much coarser they are.
class ParticleSource : public QuadSource {
 public:
  /// Where `means` is not empty (one value a cell of the tree), a sweep over the whole finest level
  /// writes the means of the interior cells above it that have eight children there.
  ParticleSource(const FilterInput& input, std::span<float> out, std::span<float> means = {});
  /// Switches to other values on the same structure.
  void bind(const FilterInput& input, std::span<float> out);

  void reserve(const Slab& largest) override;
  bool open(const Slab& slab) override;
  [[nodiscard]] const std::uint64_t* active(std::int64_t z, std::int64_t x) const override {
    return masks_.active(z, x);
  }
  [[nodiscard]] std::int64_t next_active(std::int64_t z, std::int64_t x) const override {
    return masks_.next_active(z, x);
  }
  [[nodiscard]] std::int64_t next_needed(std::int64_t z, std::int64_t x) const override {
    return masks_.next_needed(z, x);
  }
  Filled fill(std::int64_t z, std::int64_t x, float* const* rows) override;
  void store(std::int64_t z, std::int64_t x, const std::int32_t* starts, std::int64_t count,
             const RunValues& values) override;

 private:
  // Where rows of the slab's level, and of the two above it, begin.
  struct Rows {
    const std::uint64_t* particles = nullptr;  // first particle of row 0, 1 … of the level
    const std::uint64_t* tree = nullptr;       // first interior cell …
    const std::uint64_t* coarse = nullptr;     // first particle … of the level above
    const std::uint64_t* families = nullptr;   // first interior cell … of the level above
    const InteriorMap::Level* own = nullptr;   // none on the finest level
    const InteriorMap::Level* above = nullptr;
    const InteriorMap::Level* grand = nullptr;
  };

  void limit_words();
  bool find_active();
  bool find_active(std::int64_t z, std::int64_t x, std::uint64_t* to) const;
  void find_quad(std::int64_t z, std::int64_t x);
  void fill_coarse(std::int64_t z, std::int64_t x, const CoarseCells& cells, float* const* rows);
  std::uint32_t find_coarse(std::int64_t z, std::int64_t x, std::int64_t word,
                            std::uint32_t missing, float* values) const;

  FilterInput input_;
  const InteriorMap& interior_;
  const FilterKernels& kernels_;
  std::span<float> out_;
  std::span<float> means_;
  Slab slab_;
  Rows rows_;
  QuadRow quad_;       // the one that is filled
  QuadResult result_;  // … and that is stored
  QuadMasks masks_;    // parents with particles to compute, and those that they depend on
  // Parents of a row, as bits: those of wanted cells; those in blocks that may be read; those in
  // blocks so close to an end of the row that cells beyond it are needed.
  std::vector<std::uint64_t> wanted_;
  std::vector<std::uint64_t> inside_;
  std::vector<std::uint64_t> ends_;
  // The slab's own parents with all children: only the last of a row may lack some.
  std::vector<std::uint64_t> families_;
  std::vector<CoarseCells> rest_;
  // Values of the cells two levels above the slab's, as far as they lie in particles and were asked
  // for: four quads share them. 32 a word of parents, with a bit for each that is known; of two
  // planes of quads.
  std::vector<float> coarse_;
  std::vector<std::uint32_t> coarse_known_;
  std::int64_t coarse_plane_ = -1;
};

}  // namespace aprscope::detail
