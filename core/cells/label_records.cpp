#include "core/cells/label_records.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/cells/record_update.hpp"

namespace aprscope {
namespace {

// Vertices of a slab. Slabs must not depend on the threads, or sums of real numbers would, too.
constexpr std::int64_t kSlabVertices = std::int64_t{1} << 19;

struct PairHash {
  std::size_t operator()(const std::pair<std::uint32_t, std::uint32_t>& pair) const {
    const std::uint64_t key = (static_cast<std::uint64_t>(pair.first) << 32U) | pair.second;
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 20U);
  }
};

// The sums of all slabs: these may finish in any order, but are added in ascending order.
class Gathered {
 public:
  Gathered(std::uint32_t largest, std::size_t channels, std::int64_t first)
      : slots_(largest), intensities_(channels), next_(first) {}

  void take(std::int64_t number, SlabSums slab) {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(number, std::move(slab));
    for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_;
         it = waiting_.erase(it), ++next_) {
      add(it->second);
    }
  }

  LabelRecords sorted() {
    std::vector<std::size_t> order(sums_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return sums_[a].label < sums_[b].label; });
    LabelRecords out;
    out.intensities.resize(intensities_.size());
    out.sums.reserve(order.size());
    for (const std::size_t i : order) {
      // An object that was asked for but has no voxels any more gets no record.
      if (sums_[i].voxels == 0) continue;
      out.sums.push_back(sums_[i]);
      for (std::size_t c = 0; c < intensities_.size(); ++c) {
        out.intensities[c].push_back(intensities_[c][i]);
      }
    }
    out.contacts.reserve(contacts_.size());
    for (const auto& [pair, faces] : contacts_) {
      out.contacts.push_back({pair.first, pair.second, faces});
    }
    std::sort(out.contacts.begin(), out.contacts.end(),
              [](const LabelContact& one, const LabelContact& two) {
                return std::pair(one.a, one.b) < std::pair(two.a, two.b);
              });
    return out;
  }

 private:
  void add(const SlabSums& slab) {
    for (std::size_t i = 0; i < slab.sums.size(); ++i) {
      const std::uint32_t slot = slots_.find_or_add(slab.sums[i].label);
      if (slot == sums_.size()) {
        sums_.emplace_back();
        sums_.back().label = slab.sums[i].label;
        for (auto& channel : intensities_) channel.emplace_back();
      }
      sums_[slot].add(slab.sums[i]);
      for (std::size_t c = 0; c < intensities_.size(); ++c) {
        intensities_[c][slot].add(slab.intensities[c][i]);
      }
    }
    for (const LabelContact& one : slab.contacts) {
      auto& faces = contacts_[{one.a, one.b}];
      for (std::size_t k = 0; k < faces.size(); ++k) faces[k] += one.faces[k];
    }
  }

  std::mutex mutex_;
  std::map<std::int64_t, SlabSums> waiting_;
  LabelSlots slots_;
  std::vector<LabelSums> sums_;
  std::vector<std::vector<IntensitySums>> intensities_;
  std::unordered_map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::int64_t, 3>, PairHash>
      contacts_;
  std::int64_t next_ = 0;
};

Status check_size(const Size3& size) {
  if (std::max({size.z, size.x, size.y}) <= kLongestSide) return {};
  return Error{"is longer than " + std::to_string(kLongestSide) +
                   " pixels along one side, more than what is measured in it can count",
               "the label image", "measure parts of it"};
}

// `box`: of vertices.
Result<LabelRecords> scanned(const LabelPixels& labels, std::span<const AnyPixels* const> channels,
                             const Region& box, std::span<const std::uint32_t> only,
                             const JobContext& context) {
  if (Status ok = check_size(labels.size); !ok) return ok.error();
  const std::int64_t across = labels.size.x + 1;
  const std::int64_t rows = std::max<std::int64_t>(1, kSlabVertices / (labels.size.y + 1));
  const std::int64_t first_row = box.begin.z * across + box.begin.x;
  const std::int64_t last_row = (box.end.z - 1) * across + box.end.x;
  const std::int64_t first = first_row / rows;
  const std::int64_t count = (last_row + rows - 1) / rows - first;
  const int threads = threads_for(box.size().count());
  std::vector<std::optional<LabelScan>> scans(static_cast<std::size_t>(threads));
  Gathered all(labels.largest, channels.size(), first);
  const bool done =
      parallel_items(count, threads, context, "cells", [&](std::int64_t i, int thread) {
        auto& scan = scans[static_cast<std::size_t>(thread)];
        if (!scan) scan.emplace(labels, channels, only);
        const std::int64_t begin = (first + i) * rows;
        all.take(first + i,
                 scan->slab(std::max(begin, first_row), std::min(begin + rows, last_row), box));
      });
  if (!done) return cancelled_error();
  return all.sorted();
}

}  // namespace

Result<LabelRecords> label_records(const LabelPixels& labels,
                                   std::span<const AnyPixels* const> channels,
                                   const JobContext& context) {
  const Size3 n = labels.size;
  return scanned(labels, channels, {{0, 0, 0}, {n.z + 1, n.x + 1, n.y + 1}}, {}, context);
}

Result<LabelRecords> updated_records(LabelRecords before, const LabelPixels& labels,
                                     std::span<const AnyPixels* const> channels, const Region& box,
                                     std::span<const std::uint32_t> changed,
                                     const JobContext& context) {
  const std::vector<std::uint32_t> which = labels_in_order(changed);
  if (which.empty()) return before;
  Region where = box_of_changed(before, box, which);
  // The vertices of its voxels.
  where.end = {where.end.z + 1, where.end.x + 1, where.end.y + 1};
  LabelPixels looked_at = labels;
  looked_at.largest = std::max(labels.largest, which.back());
  const auto found = scanned(looked_at, channels, where, which, context);
  if (!found) return found.error();
  return with_changed(std::move(before), *found, which);
}

}  // namespace aprscope
