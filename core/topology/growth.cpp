#include "core/topology/growth.hpp"

#include <atomic>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Any thread may shorten the way of a cell that another one goes: each step leads down the same
// way, before and after.
std::uint32_t load(std::uint32_t& down) {
  return std::atomic_ref(down).load(std::memory_order_relaxed);
}

void settle_joints(Growth& growth, Growth::Part& part) {
  std::size_t kept = 0;
  for (const Joint& joint : part.joints) {
    const std::uint32_t a = growth.basin_of(joint.a);
    const std::uint32_t b = growth.basin_of(joint.b);
    if (a != b) part.joints[kept++] = {a, b, joint.place};
  }
  part.joints.resize(kept);
  part.joints.shrink_to_fit();
}

}  // namespace

Status check_cell_count(std::uint64_t cells) {
  if (cells < kMostCells) return {};
  return Error{"pieces are counted of fewer than " + std::to_string(kMostCells) +
                   " pixels or particles, not of " + std::to_string(cells),
               "",
               "take a part of it or fewer pixels"};
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
    // What begins a basin has its number already.
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
  parallel_each(count, thread_count(), [&](std::int64_t i, int) {
    std::uint32_t basin = begin[static_cast<std::size_t>(i)];
    for (const std::uint32_t cell : growth.parts[static_cast<std::size_t>(i)].first) {
      growth.down[cell] = kBasin | basin++;
    }
  });
  const bool done =
      parallel_items(count, thread_count(), context, "basins", [&](std::int64_t i, int) {
        settle_joints(growth, growth.parts[static_cast<std::size_t>(i)]);
      });
  return done ? Status() : cancelled_error();
}

}  // namespace aprscope
