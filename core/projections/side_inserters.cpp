#include "core/projections/side_inserters.hpp"

#include <future>
#include <new>
#include <utility>

namespace aprscope {

Error no_memory_for_sums() {
  return {"not enough memory for the sums of a map", "reconstruction",
          "close other data, limit the resolution or use less padding"};
}

Status SideInserters::insert(const std::function<Status(std::size_t)>& insert) {
  // Memory that runs out must not unwind past the others, who read what the caller has.
  const auto guarded = [&insert](std::size_t i) -> Status {
    try {
      return insert(i);
    } catch (const std::bad_alloc&) {
      return no_memory_for_sums();
    }
  };
  std::vector<std::future<Status>> running;
  Status done;
  try {
    running.reserve(others_.size());
    for (std::size_t i = 0; i < others_.size(); ++i) {
      running.push_back(others_[i].start([&guarded, i] { return guarded(i + 1); }));
    }
    done = guarded(0);
  } catch (const std::bad_alloc&) {
    done = no_memory_for_sums();
  }
  for (auto& other : running) {
    Status ok = other.get();
    if (done && !ok) done = std::move(ok);
  }
  return done;
}

}  // namespace aprscope
