#include "core/base/parallel.hpp"

#include <exception>
#include <mutex>

#include <omp.h>

namespace aprscope::detail {
namespace {

// Catches exceptions, which must not leave a parallel region, and keeps the first one.
class FirstException {
 public:
  template <class Call>
  void guard(const Call& call) noexcept {
    try {
      call();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

// The OpenMP library keeps a team for each thread that has begun a region. If the next region asks
// for another number of threads it ends some or starts new ones, and a thread that cannot be
// started ends the program. So each thread always asks for the same number, once it was seen to be
// startable; threads that a piece of work does not need stay idle.
int team_of_this_thread() {
  thread_local int asked = 1;
  thread_local int team = 1;
  const int wanted = thread_count();
  if (wanted != asked) {
    team = wanted < team ? wanted : startable_threads(wanted);
    asked = wanted;
  }
  return team;
}

}  // namespace

void run_team(int threads, TeamTask task, void* self) {
  const bool alone = threads <= 1 || omp_in_parallel() != 0;
  const int team = alone ? 1 : team_of_this_thread();
  if (team <= 1) return task(self, 0, 1);
  FirstException exception;
#pragma omp parallel num_threads(team)
  {
    const int working = std::min(threads, omp_get_num_threads());
    const int thread = omp_get_thread_num();
    if (thread < working) exception.guard([&] { task(self, thread, working); });
  }
  exception.rethrow();
}

}  // namespace aprscope::detail
