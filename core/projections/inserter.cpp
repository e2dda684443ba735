#include "core/projections/inserter.hpp"

#include <utility>

namespace aprscope {

std::unique_ptr<MapSolver> Inserter::solver() const { return make_cpu_solver(); }

Result<std::unique_ptr<HeldSums>> Inserter::hold(int half) {
  auto sums = take(half);
  if (!sums) return sums.error();
  return hold_in_memory(*std::move(sums));
}

}  // namespace aprscope
