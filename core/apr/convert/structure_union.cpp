#include "core/apr/convert/structure_union.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/apr/convert/cell_lists.hpp"
#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

void add_bits(const BitGrid& from, BitGrid& to) {
  const Size3& n = to.size();
  parallel_for(n.z, sweep_threads(n), [&](std::int64_t z) {
    const std::uint64_t* const in = from.row(z, 0);
    std::uint64_t* const out = to.row(z, 0);
    for (std::int64_t w = 0; w < n.x * to.words(); ++w) out[w] |= in[w];
  });
}

// The children of interior cells that are not interior themselves.
BitGrid particles_below(const BitGrid& parents, const BitGrid& interior) {
  BitGrid out(interior.size());
  const Size3& n = out.size();
  parallel_for(n.z, sweep_threads(n), [&](std::int64_t z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      const std::uint64_t* const above = parents.row(z / 2, x / 2);
      for (std::int64_t w = 0; w < out.words(); ++w) {
        out.row(z, x)[w] = children_word(above, parents.words(), w) & ~interior.row(z, x)[w];
      }
      out.row(z, x)[out.words() - 1] &= out.last_word_mask();
    }
  });
  return out;
}

}  // namespace

StructureUnion::StructureUnion(const Size3& size) : size_(size), level_max_(finest_level(size)) {
  for (int l = 0; l < level_max_; ++l) interior_.emplace_back(level_grid(size, level_max_, l));
}

Status StructureUnion::add(const AprAccess& one, const JobContext& context) {
  const LinearAccess& tree = one.tree();
  if (!(one.size() == size_)) {
    return Error{"channels that differ in size cannot share a structure", "conversion",
                 "convert them with structures of their own"};
  }
  for (int l = 0; l < level_max_; ++l) {
    if (context.stop_requested()) return cancelled_error();
    BitGrid& to = interior_[static_cast<std::size_t>(l)];
    const Size3& n = to.size();
    parallel_for(n.z, sweep_threads(n), [&](std::int64_t z) {
      for (std::int64_t x = 0; x < n.x; ++x) {
        std::uint64_t* const bits = to.row(z, x);
        const ParticleRange cells = tree.row(l, z, x);
        for (std::uint64_t i = cells.begin; i < cells.end; ++i) {
          const std::uint16_t y = tree.y()[i];
          bits[y >> 6U] |= std::uint64_t{1} << (y & 63U);
        }
      }
    });
  }
  return {};
}

void StructureUnion::add(const CellSet& one) {
  const std::vector<BitGrid> coarser = interior_grids(one, size_, level_max_);
  for (std::size_t l = 0; l < coarser.size(); ++l) add_bits(coarser[l], interior_[l]);
  add_bits(one.refined, interior_.back());
}

CellSet StructureUnion::cells() const {
  CellSet out;
  out.cells.resize(interior_.size());
  for (std::size_t l = 1; l < interior_.size(); ++l) {
    out.cells[l] = particles_below(interior_[l - 1], interior_[l]);
  }
  out.refined = interior_.back();
  return out;
}

Result<std::shared_ptr<const AprAccess>> StructureUnion::access(const JobContext& context) const {
  const CellSet set = cells();
  auto particles = particles_of(set, size_, level_max_, context.part(0.0, 0.6));
  if (!particles) return cancelled_error();
  auto tree = interior_of(set, size_, level_max_, context.part(0.6, 0.9));
  if (!tree) return cancelled_error();
  return AprAccess::create(*std::move(particles), *std::move(tree));
}

}  // namespace aprscope
