#include "core/cells/label_cleaning.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/cells/crofton.hpp"
#include "core/cells/label_patch.hpp"
#include "core/cells/label_shape.hpp"
#include "core/cells/renumbered.hpp"

namespace aprscope {
namespace {

std::uint32_t most_frequent(std::array<std::uint32_t, 27>& around, std::size_t count,
                            std::uint32_t own) {
  std::sort(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(count));
  std::uint32_t best = own;
  auto most = std::count(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(count), own);
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i;
    while (end < count && around[end] == around[i]) ++end;
    const auto n = static_cast<std::ptrdiff_t>(end - i);
    if (n > most) {
      most = n;
      best = around[i];
    }
    i = end;
  }
  return best;
}

void smooth_slice(const LabelPixels& labels, std::int64_t z, std::uint32_t* to) {
  const Size3 n = labels.size;
  const std::uint32_t* rows[9];
  for (std::int64_t x = 0; x < n.x; ++x) {
    std::size_t count = 0;
    for (std::int64_t nz = std::max<std::int64_t>(0, z - 1); nz <= std::min(n.z - 1, z + 1); ++nz) {
      for (std::int64_t nx = std::max<std::int64_t>(0, x - 1); nx <= std::min(n.x - 1, x + 1);
           ++nx) {
        rows[count++] = labels.values.data() + (nz * n.x + nx) * n.y;
      }
    }
    const std::uint32_t* const own = labels.values.data() + (z * n.x + x) * n.y;
    for (std::int64_t y = 0; y < n.y; ++y) {
      const std::int64_t y0 = std::max<std::int64_t>(0, y - 1);
      const std::int64_t y1 = std::min(n.y - 1, y + 1);
      std::array<std::uint32_t, 27> around;
      std::size_t found = 0;
      std::uint32_t differ = 0;
      for (std::size_t r = 0; r < count; ++r) {
        for (std::int64_t ny = y0; ny <= y1; ++ny) {
          differ |= rows[r][ny] ^ own[y];
          around[found++] = rows[r][ny];
        }
      }
      to[x * n.y + y] = differ == 0 ? own[y] : most_frequent(around, found, own[y]);
    }
  }
}

// Sorted labels of the objects that go.
std::vector<std::uint32_t> dropped(const LabelRecords& records, const Size3& size,
                                   const VoxelSize& voxel, const Cleaning& how) {
  const CroftonWeights weights(voxel);
  std::vector<std::uint32_t> out;
  for (const LabelSums& one : records.sums) {
    const LabelShape shape = label_shape(one, size, voxel, weights);
    if (shape.volume < how.least_volume || (how.drop_border && shape.touches_border)) {
      out.push_back(one.label);
    }
  }
  return out;
}

void drop(Labels& labels, const std::vector<std::uint32_t>& gone) {
  if (gone.empty()) return;
  LabelSlots slots(gone.back());
  for (const std::uint32_t label : gone) slots.find_or_add(label);
  const auto count = static_cast<std::int64_t>(labels.values.size());
  const auto goes = [&](std::uint32_t label) {
    return label != 0 && label <= gone.back() && slots.find(label) != LabelSlots::kNone;
  };
  parallel_stretches(count, threads_for(count), [&](std::int64_t begin, std::int64_t end, int) {
    std::uint32_t last = 0;
    bool last_goes = false;
    for (std::int64_t i = begin; i < end; ++i) {
      std::uint32_t& label = labels.values[static_cast<std::size_t>(i)];
      if (label != last) {
        last = label;
        last_goes = goes(label);
      }
      if (last_goes) label = 0;
    }
  });
  std::erase_if(labels.findings, [&](const LabelFinding& one) {
    return std::binary_search(gone.begin(), gone.end(), one.label);
  });
}

// Pixels of the image that one object gains: background in its holes.
Result<std::vector<std::size_t>> holes_in(const Labels& labels, const LabelSums& of,
                                          const Size3& size, const JobContext& context) {
  BoxMask mask(of.box);
  const Region& box = of.box;
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return static_cast<std::size_t>((z * size.x + x) * size.y + y);
  };
  std::vector<std::size_t> out;
  for (const bool fills : {false, true}) {
    BoxMask holes;
    if (fills) {
      auto found = holes_of(mask, size.z == 1, context);
      if (!found) return found.error();
      holes = *std::move(found);
    }
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          const std::size_t i = mask.index(z, x, y);
          const std::uint32_t label = labels.values[at(z, x, y)];
          if (!fills) {
            mask.set[i] = label == of.label ? 1 : 0;
          } else if (holes.set[i] != 0 && label == 0) {
            out.push_back(at(z, x, y));
          }
        }
      }
    }
  }
  return out;
}

Status fill(Labels& labels, const LabelRecords& records, const std::vector<std::uint32_t>& gone,
            const Size3& size, const JobContext& context) {
  std::vector<const LabelSums*> kept;
  for (const LabelSums& one : records.sums) {
    if (!std::binary_search(gone.begin(), gone.end(), one.label)) kept.push_back(&one);
  }
  std::vector<std::vector<std::size_t>> gains(kept.size());
  const bool done = parallel_items(static_cast<std::int64_t>(kept.size()), thread_count(), context,
                                   "holes", [&](std::int64_t i, int) {
                                     auto found = holes_in(
                                         labels, *kept[static_cast<std::size_t>(i)], size, context);
                                     if (found)
                                       gains[static_cast<std::size_t>(i)] = *std::move(found);
                                   });
  if (!done) return cancelled_error();
  // Objects inside of others have smaller boxes: they come last, and win.
  std::vector<std::size_t> order(kept.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return kept[a]->box.size().count() > kept[b]->box.size().count();
  });
  std::vector<std::uint32_t> changed;
  for (const std::size_t i : order) {
    for (const std::size_t at : gains[i]) labels.values[at] = kept[i]->label;
    if (!gains[i].empty()) changed.push_back(kept[i]->label);
  }
  std::sort(changed.begin(), changed.end());
  std::erase_if(labels.findings, [&](const LabelFinding& one) {
    return std::binary_search(changed.begin(), changed.end(), one.label);
  });
  return {};
}

}  // namespace

Result<std::vector<std::uint32_t>> majority_smoothed(const LabelPixels& labels, int passes,
                                                     const JobContext& context) {
  std::vector<std::uint32_t> now(labels.values.begin(), labels.values.end());
  std::vector<std::uint32_t> next(passes > 0 ? now.size() : 0);
  const std::int64_t slice = labels.size.x * labels.size.y;
  for (int pass = 0; pass < passes; ++pass) {
    const bool done = parallel_items(
        labels.size.z, threads_for(labels.size.count()),
        context.part(static_cast<double>(pass) / passes, (pass + 1.0) / passes), "smoothing",
        [&](std::int64_t z, int) {
          smooth_slice({labels.size, now, labels.largest}, z, next.data() + z * slice);
        });
    if (!done) return cancelled_error();
    std::swap(now, next);
  }
  return now;
}

Result<Labels> cleaned(Labels labels, const LabelRecords& records, const Size3& size,
                       const VoxelSize& voxel, const Cleaning& how, const JobContext& context) {
  const auto gone = dropped(records, size, voxel, how);
  drop(labels, gone);
  if (how.fill_holes) {
    if (Status ok = fill(labels, records, gone, size, context.part(0.1, 0.9)); !ok) {
      return ok.error();
    }
  }
  if (context.stop_requested()) return cancelled_error();
  if (how.relabel) return renumbered(std::move(labels));
  return labels;
}

}  // namespace aprscope
