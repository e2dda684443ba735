#include "core/topology/growth.hpp"

#include <atomic>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

// Relaxed loads suffice: a thread may shorten the path that another thread follows, but a shortened
// path leads to the same end.
std::uint32_t load(std::uint32_t& down) {
  return std::atomic_ref(down).load(std::memory_order_relaxed);
}

void settle_joints(Growth& growth, std::vector<Joint>& joints) {
  std::size_t kept = 0;
  for (const Joint& joint : joints) {
    const std::uint32_t a = growth.basin_of(joint.a);
    const std::uint32_t b = growth.basin_of(joint.b);
    if (a != b) joints[kept++] = {a, b, joint.place};
  }
  joints.resize(kept);
}

// Sorts joints by place (counting sort).
std::vector<Joint> sorted(const std::vector<Joint>& joints) {
  std::vector<std::uint64_t> next;
  for (const Joint& joint : joints) {
    if (next.size() < joint.place + std::size_t{2}) next.resize(joint.place + std::size_t{2});
    ++next[joint.place + std::size_t{1}];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Joint> out(joints.size());
  for (const Joint& joint : joints) out[next[joint.place]++] = joint;
  return out;
}

// Drops joints of basins [first, first + count) that are joined already.
void drop_needless(std::vector<Joint>& joints, std::uint32_t first, std::size_t count) {
  DisjointSets sets(count);
  std::size_t kept = 0;
  for (const Joint& joint : joints) {
    const std::uint32_t a = joint.a - first;
    const std::uint32_t b = joint.b - first;
    const bool own = a < count && b < count;
    if (own && !sets.unite(a, b)) continue;
    joints[kept++] = joint;
  }
  joints.resize(kept);
  joints.shrink_to_fit();
}

}  // namespace

int growth_threads(std::uint64_t cells) {
  constexpr std::int64_t kGrain = std::int64_t{1} << 13U;
  return threads_for(static_cast<std::int64_t>(cells), kGrain);
}

Status check_cell_count(std::uint64_t cells) {
  if (cells < kMostCells) return {};
  return Error{"pieces are counted of fewer than " + std::to_string(kMostCells) +
                   " pixels or particles, not of " + std::to_string(cells),
               "", "take a part of it or fewer pixels"};
}

std::uint64_t Growth::basins() const {
  std::uint64_t sum = has_exterior ? 1 : 0;
  for (const Part& part : parts) sum += part.first.size();
  return sum;
}

std::uint32_t Growth::basin_of(std::uint32_t cell) {
  std::uint32_t end = cell;
  while ((end & kBasin) == 0) end = load(down[end]);
  while ((cell & kBasin) == 0) {
    const std::uint32_t next = load(down[cell]);
    // The first cell of a basin already holds its number.
    if (next != end) std::atomic_ref(down[cell]).store(end, std::memory_order_relaxed);
    cell = next;
  }
  return end & ~kBasin;
}

Status number_basins(Growth& growth, const JobContext& context) {
  std::vector<std::uint32_t> begin(growth.parts.size());
  std::uint32_t next = growth.has_exterior ? 1 : 0;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    begin[i] = next;
    next += static_cast<std::uint32_t>(growth.parts[i].first.size());
  }
  const auto count = static_cast<std::int64_t>(begin.size());
  const int threads = growth_threads(growth.down.size());
  parallel_each(count, threads, [&](std::int64_t i, int) {
    std::uint32_t basin = begin[static_cast<std::size_t>(i)];
    for (const std::uint32_t cell : growth.parts[static_cast<std::size_t>(i)].first) {
      growth.down[cell] = kBasin | basin++;
    }
  });
  const bool done = parallel_items(count, threads, context, "basins", [&](std::int64_t i, int) {
    auto& part = growth.parts[static_cast<std::size_t>(i)];
    settle_joints(growth, part.joints);
    part.joints = sorted(part.joints);
    drop_needless(part.joints, begin[static_cast<std::size_t>(i)], part.first.size());
  });
  return done ? Status() : cancelled_error();
}

}  // namespace aprscope
