#include "core/operations/engine/slab_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Bytes for each particle of a slab while it is read or filtered (measured): y and value as read,
// both again in the slab, its share of the tree, its result.
constexpr std::uint64_t kBytesOfCell = 18;
// … for each row of each level: where it ends, as read and in the slab, and the same of the tree.
constexpr std::uint64_t kBytesOfRow = 20;
// … for each cell of the levels above: y, value and result in the file's order and in the part.
constexpr std::uint64_t kBytesOfCoarse = 24;
// Bytes that libraries and threads take besides.
constexpr std::uint64_t kAtLeast = std::uint64_t{12} << 20U;

// Slabs for each of several processes.
constexpr std::int64_t kSlabsOfProcess = 3;

// Cells and rows that lie in memory together.
struct Taken {
  std::uint64_t cells = 0;
  std::uint64_t rows = 0;
  [[nodiscard]] std::uint64_t bytes(std::uint64_t of_cell) const {
    return cells * of_cell + rows * kBytesOfRow;
  }
};

class Planner {
 public:
  Planner(const AprFileSlabs& file, std::uint64_t memory, int processes, std::uint64_t more_of_cell)
      : file_(file),
        memory_(memory),
        processes_(processes),
        bytes_of_cell_(kBytesOfCell + more_of_cell) {}

  // The plan with slabs from level `coarsest` on; nothing where that takes too much memory.
  [[nodiscard]] std::optional<SlabPlan> plan(int coarsest, std::int64_t reached) {
    const std::int64_t side = std::int64_t{1} << (file_.level_max() - coarsest);
    const std::int64_t nz = file_.size().z;
    SlabPlan out;
    out.coarsest = coarsest;
    out.around = (reached + side - 1) / side * side;
    const std::uint64_t above = coarse(coarsest).bytes(kBytesOfCoarse) + kAtLeast;
    out.bytes = above;
    out.cuts.push_back(0);
    std::int64_t thickness = (nz + side - 1) / side * side;
    // Each process has some slabs, so that all have work most of the time.
    if (processes_ > 1) {
      thickness = std::max(side, nz / (kSlabsOfProcess * processes_) / side * side);
    }
    for (std::int64_t z = 0; z < nz; z = out.cuts.back()) {
      for (;; thickness = std::max(side, thickness / 2 / side * side)) {
        const std::int64_t end = std::min(nz, z + thickness);
        if (!can_cut(coarsest, z - out.around, end + out.around)) return std::nullopt;
        const std::uint64_t taken =
            above + slab(coarsest, z - out.around, end + out.around).bytes(bytes_of_cell_);
        if (taken <= memory_) {
          out.bytes = std::max(out.bytes, taken);
          out.cuts.push_back(end);
          break;
        }
        if (thickness == side) return std::nullopt;
      }
    }
    return out;
  }

  // Cells that a plan reads in all; of several processes those that the busiest one reads.
  [[nodiscard]] std::uint64_t cost(const SlabPlan& plan) const {
    std::uint64_t cells = 2 * coarse(plan.coarsest).cells;
    for (std::size_t i = 1; i < plan.cuts.size(); ++i) {
      const Taken taken =
          slab(plan.coarsest, plan.cuts[i - 1] - plan.around, plan.cuts[i] + plan.around);
      cells += taken.cells + taken.rows;
    }
    const auto slabs = static_cast<std::uint64_t>(plan.cuts.size()) - 1;
    const auto processes = static_cast<std::uint64_t>(processes_);
    return cells / slabs * ((slabs + processes - 1) / processes);
  }

  // The memory that the thinnest slabs take; nothing where they cannot be cut.
  [[nodiscard]] std::optional<std::uint64_t> least(int coarsest, std::int64_t reached) const {
    const std::int64_t side = std::int64_t{1} << (file_.level_max() - coarsest);
    const std::int64_t around = (reached + side - 1) / side * side;
    std::uint64_t most = 0;
    for (std::int64_t z = 0; z < file_.size().z; z += side) {
      if (!can_cut(coarsest, z - around, z + side + around)) return std::nullopt;
      most = std::max(most, slab(coarsest, z - around, z + side + around).bytes(bytes_of_cell_));
    }
    return most + coarse(coarsest).bytes(kBytesOfCoarse) + kAtLeast;
  }

 private:
  [[nodiscard]] Size3 grid(int level) const {
    return level_grid(file_.size(), file_.level_max(), level);
  }

  // A slab that is thinner than it is wide has fewer levels; those from `coarsest` on must be among
  // them.
  [[nodiscard]] bool can_cut(int coarsest, std::int64_t begin, std::int64_t end) const {
    const Size3& size = file_.size();
    const std::int64_t nz = std::min(end, size.z) - std::max<std::int64_t>(begin, 0);
    return coarsest > file_.level_max() - finest_level({nz, size.x, size.y});
  }

  [[nodiscard]] Taken slab(int coarsest, std::int64_t begin, std::int64_t end) const {
    begin = std::max<std::int64_t>(begin, 0);
    end = std::min(end, file_.size().z);
    Taken taken;
    for (int l = coarsest; l <= file_.level_max(); ++l) {
      const int shift = file_.level_max() - l;
      const std::int64_t z0 = begin >> shift;
      const std::int64_t z1 = ((end - 1) >> shift) + 1;
      const Size3 n = grid(l);
      // Coarser particles are repeated at the coarsest level.
      taken.cells += l == coarsest ? static_cast<std::uint64_t>((z1 - z0) * n.x * n.y)
                                   : file_.first_in_plane(l, z1) - file_.first_in_plane(l, z0);
      taken.rows += static_cast<std::uint64_t>((z1 - z0) * n.x);
    }
    return taken;
  }

  // The levels to `coarsest`, with the interior cells there that stand for what is finer.
  [[nodiscard]] Taken coarse(int coarsest) const {
    Taken taken;
    const Size3 n = grid(coarsest);
    const std::uint64_t own = file_.first_in_plane(coarsest, n.z);
    taken.cells = own + std::min<std::uint64_t>(static_cast<std::uint64_t>(n.count()),
                                                (file_.count() - own) / 8 + 1);
    for (int l = 1; l <= coarsest; ++l) {
      taken.rows += static_cast<std::uint64_t>(grid(l).z * grid(l).x);
    }
    return taken;
  }

  const AprFileSlabs& file_;
  std::uint64_t memory_;
  int processes_;
  std::uint64_t bytes_of_cell_;
};

}  // namespace

Result<SlabPlan> plan_slabs(const AprFileSlabs& file, const SlicesReached& reached,
                            std::uint64_t memory, int processes, std::uint64_t more_of_cell) {
  Planner planner(file, memory, processes, more_of_cell);
  std::optional<SlabPlan> best;
  std::uint64_t least = 0;
  std::uint64_t needed = ~std::uint64_t{0};
  // Cells of 64 slices to cells of two.
  const int last = std::max(1, file.level_max() - 1);
  for (int coarsest = std::max(1, last - 5); coarsest <= last; ++coarsest) {
    const std::int64_t slices = reached(coarsest);
    auto plan = planner.plan(coarsest, slices);
    if (!plan) {
      needed = std::min(needed, planner.least(coarsest, slices).value_or(needed));
      continue;
    }
    const std::uint64_t cost = planner.cost(*plan);
    if (best && cost >= least) continue;
    least = cost;
    best = std::move(plan);
  }
  if (best) return *std::move(best);
  return Error{"needs at least " + format_bytes(needed) + " of memory, of which only " +
                   format_bytes(memory) + " may be used",
               file.facts().name, "allow more, or close other data"};
}

}  // namespace aprscope
