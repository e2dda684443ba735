#include "core/cells/carried_labels.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/particle_runs.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {
namespace {

// Paints the particles of a row of cells into a row of pixels.
void paint_row(const LinearAccess& cells, const ParticleRange& row, int shift,
               const std::vector<std::uint32_t>& labels, std::uint32_t* to) {
  const std::int64_t length = cells.size().y;
  for (std::uint64_t i = row.begin; i < row.end; ++i) {
    const std::int64_t y = std::int64_t{cells.y()[i]} << shift;
    std::fill(to + y, to + std::min(length, y + (std::int64_t{1} << shift)), labels[i]);
  }
}

// Finds the label that most pixels of a cell have.
class Majority {
 public:
  void add(std::uint32_t label, std::uint64_t pixels) {
    if (last_ < counts_.size() && counts_[last_].first == label) {
      counts_[last_].second += pixels;
      return;
    }
    const auto at =
        std::lower_bound(counts_.begin(), counts_.end(), label,
                         [](const auto& one, std::uint32_t l) { return one.first < l; });
    last_ = static_cast<std::size_t>(at - counts_.begin());
    if (at != counts_.end() && at->first == label) {
      at->second += pixels;
    } else {
      counts_.insert(at, {label, pixels});
    }
  }
  // The label with most pixels; of several the least, as labels are in ascending order.
  std::uint32_t take() {
    const auto most =
        std::max_element(counts_.begin(), counts_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::uint32_t label = most->first;
    counts_.clear();
    return label;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts_;
  std::size_t last_ = 0;
};

class Voter {
 public:
  Voter(const LinearAccess& cells, const std::vector<std::uint32_t>& labels,
        const JobContext& context)
      : size_(cells.size()), labels_(labels), context_(context) {}

  std::uint32_t label(std::int64_t side, std::int64_t z, std::int64_t x, std::int64_t y) {
    const auto end = [side](std::int64_t at, std::int64_t n) { return std::min(n, at + side); };
    for (std::int64_t pz = z; pz < end(z, size_.z) && !context_.stop_requested(); ++pz) {
      for (std::int64_t px = x; px < end(x, size_.x); ++px) {
        const std::uint32_t* const row = labels_.data() + (pz * size_.x + px) * size_.y;
        add_row(row + y, row + end(y, size_.y));
      }
    }
    if (context_.stop_requested()) return 0;
    return majority_.take();
  }

 private:
  void add_row(const std::uint32_t* at, const std::uint32_t* end) {
    while (at < end) {
      const std::uint32_t* const from = at;
      while (at < end && *at == *from) ++at;
      majority_.add(*from, static_cast<std::uint64_t>(at - from));
    }
  }

  const Size3 size_;
  const std::vector<std::uint32_t>& labels_;
  const JobContext& context_;
  Majority majority_;
};

// Findings of the objects that are left.
std::vector<LabelFinding> findings_left(const Labels& before, const Labels& now) {
  std::vector<LabelFinding> out;
  if (before.findings.empty()) return out;
  std::vector<bool> there(std::size_t{1} + now.largest, false);
  for (const std::uint32_t label : now.values) there[label] = true;
  for (const LabelFinding& one : before.findings) {
    if (one.label <= now.largest && there[one.label]) out.push_back(one);
  }
  return out;
}

}  // namespace

Result<Labels> pixel_labels(const AprAccess& access, const Labels& particles,
                            const JobContext& context) {
  const LinearAccess& cells = access.particles();
  const Size3& size = cells.size();
  Labels out;
  make_zeros(out.values, size.count());
  out.largest = particles.largest;
  out.findings = particles.findings;
  out.open = particles.open;
  const bool done = parallel_items(
      size.z, threads_for(size.count()), context, "labels", [&](std::int64_t z, int) {
        for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
          if (cells.level(level).empty()) continue;
          const int shift = cells.level_max() - level;
          for (std::int64_t x = 0; x < size.x; ++x) {
            paint_row(cells, cells.row(level, z >> shift, x >> shift), shift, particles.values,
                      out.values.data() + (z * size.x + x) * size.y);
          }
        }
      });
  if (!done) return cancelled_error();
  return out;
}

Result<Labels> particle_labels(const AprAccess& access, const Labels& pixels,
                               const JobContext& context) {
  const LinearAccess& cells = access.particles();
  if (pixels.values.size() != static_cast<std::uint64_t>(cells.size().count())) {
    return Error{"there are " + std::to_string(pixels.values.size()) + " labels for " +
                     std::to_string(cells.size().count()) + " pixels",
                 "labels", "use labels of the same image"};
  }
  Labels out;
  make_zeros(out.values, static_cast<std::int64_t>(cells.count()));
  const std::vector<CellLayer> layers = layers_of(cells);
  const bool done = parallel_items(
      static_cast<std::int64_t>(layers.size()), growth_threads(cells.count()), context, "labels",
      [&](std::int64_t item, int) {
        const CellLayer& layer = layers[static_cast<std::size_t>(item)];
        const std::int64_t side = std::int64_t{1} << (cells.level_max() - layer.level);
        Voter voter(cells, pixels.values, context);
        for (std::int64_t x = 0; x < cells.grid(layer.level).x; ++x) {
          const ParticleRange row = cells.row(layer.level, layer.z, x);
          for (std::uint64_t i = row.begin; i < row.end && !context.stop_requested(); ++i) {
            out.values[i] = voter.label(side, layer.z * side, x * side, cells.y()[i] * side);
          }
        }
      });
  if (!done) return cancelled_error();
  out.largest = *std::max_element(out.values.begin(), out.values.end());
  out.findings = findings_left(pixels, out);
  out.open = pixels.open;
  return out;
}

}  // namespace aprscope
