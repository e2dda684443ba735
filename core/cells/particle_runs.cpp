#include "core/cells/particle_runs.hpp"

#include <algorithm>
#include <string>

#include "core/base/parallel.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {
namespace {

// Rows that one thread takes in one go: a few ten thousand particles.
constexpr std::int64_t kRows = 512;

// Finds runs of rows, of which row r has the particles [xz_end[r − 1], xz_end[r]).
class RunFinder {
 public:
  RunFinder(const LinearAccess& cells, std::span<const std::uint8_t> mask, bool inside)
      : y_(cells.y().data()), ends_(cells.xz_end().data()), mask_(mask.data()), inside_(inside) {}

  [[nodiscard]] std::uint32_t count(std::int64_t row) const {
    const std::uint64_t begin = ends_[row - 1];
    const std::uint64_t end = ends_[row];
    if (begin == end) return 0;
    std::uint32_t found = is_in(begin) ? 1 : 0;
    for (std::uint64_t i = begin + 1; i < end; ++i) found += static_cast<unsigned>(begins_at(i));
    return found;
  }
  ParticleRun* write(std::int64_t row, ParticleRun* out) const {
    const std::uint64_t end = ends_[row];
    std::uint64_t i = ends_[row - 1];
    while (i < end) {
      if (!is_in(i)) {
        ++i;
        continue;
      }
      const std::uint64_t begin = i++;
      while (i < end && is_in(i) && y_[i] == y_[i - 1] + 1) ++i;
      *out++ = {static_cast<std::uint32_t>(begin), y_[begin], y_[i - 1]};
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_in(std::uint64_t i) const { return (mask_[i] != 0) == inside_; }
  [[nodiscard]] bool begins_at(std::uint64_t i) const {
    // Without branches, since membership changes often from particle to particle.
    return (static_cast<unsigned>(is_in(i)) & (static_cast<unsigned>(!is_in(i - 1)) |
                                               static_cast<unsigned>(y_[i] != y_[i - 1] + 1))) != 0;
  }

  const std::uint16_t* y_;
  const std::uint64_t* ends_;
  const std::uint8_t* mask_;
  bool inside_;
};

}  // namespace

Result<ParticleRuns> ParticleRuns::find(const AprAccess& access, std::span<const std::uint8_t> mask,
                                        bool inside, const JobContext& context) {
  const LinearAccess& cells = access.particles();
  if (Status ok = check_cell_count(cells.count()); !ok) return ok.error();
  if (mask.size() != cells.count()) {
    return Error{"the mask has " + std::to_string(mask.size()) + " values for " +
                     std::to_string(cells.count()) + " particles",
                 "particles", "compute it again"};
  }
  const RunFinder finder(cells, mask, inside);
  const auto rows = static_cast<std::int64_t>(cells.xz_end().size()) - 1;
  const std::int64_t items = (rows + kRows - 1) / kRows;
  const int threads = growth_threads(cells.count());
  ParticleRuns out;
  out.ends_ = Scratch<std::uint32_t>(rows + 1);
  std::uint32_t* const ends = out.ends_.data();
  ends[0] = 0;
  const auto each_row = [&](const auto& work) {
    return parallel_items(items, threads, context, "runs", [&](std::int64_t item, int) {
      const std::int64_t end = std::min(rows, (item + 1) * kRows);
      for (std::int64_t r = item * kRows + 1; r <= end; ++r) work(r);
    });
  };
  if (!each_row([&](std::int64_t r) { ends[r] = finder.count(r); })) return cancelled_error();
  for (std::int64_t r = 1; r <= rows; ++r) ends[r] += ends[r - 1];
  out.count_ = ends[rows];
  out.runs_ = Scratch<ParticleRun>(out.count_);
  ParticleRun* const runs = out.runs_.data();
  if (!each_row([&](std::int64_t r) { finder.write(r, runs + ends[r - 1]); })) {
    return cancelled_error();
  }
  return out;
}

std::uint64_t ParticleRuns::bytes() const {
  return static_cast<std::uint64_t>(runs_.count()) * sizeof(ParticleRun) +
         static_cast<std::uint64_t>(ends_.count()) * sizeof(std::uint32_t);
}

std::vector<CellLayer> layers_of(const LinearAccess& cells) {
  std::vector<CellLayer> layers;
  // Fine levels come first, since they take longest.
  for (int level = cells.level_last(); level >= cells.level_first(); --level) {
    if (cells.level(level).empty()) continue;
    for (std::int64_t z = 0; z < cells.grid(level).z; ++z) layers.push_back({level, z});
  }
  return layers;
}

LayerGeometry::LayerGeometry(const LinearAccess& cells, const CellLayer& layer)
    : size(cells.size()),
      grid(cells.grid(layer.level)),
      side(std::int64_t{1} << (cells.level_max() - layer.level)),
      z(layer.z) {}

std::uint64_t LayerGeometry::pixels(std::int64_t x, std::int64_t y0, std::int64_t y1) const {
  const std::int64_t deep = std::min(side, size.z - z * side);
  const std::int64_t high = std::min(side, size.x - x * side);
  const std::int64_t wide = std::min((y1 + 1) * side, size.y) - y0 * side;
  return static_cast<std::uint64_t>(deep * high * wide);
}

std::uint64_t LayerGeometry::first_pixel(std::int64_t x, std::int64_t y) const {
  return static_cast<std::uint64_t>(((z * size.x + x) * size.y + y) * side);
}

bool LayerGeometry::on_border(std::int64_t x, std::int64_t y0, std::int64_t y1) const {
  return (size.z > 1 && (z == 0 || z + 1 == grid.z)) || x == 0 || x + 1 == grid.x || y0 == 0 ||
         y1 + 1 == grid.y;
}

}  // namespace aprscope
