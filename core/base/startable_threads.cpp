#include <cstdlib>
#include <string>
#include <vector>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/log.hpp"
#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Address space that a thread may take beside its stack: guard pages, thread records.
constexpr std::uint64_t kBesideStack = 1U << 20U;
// Threads may take 1 / kShareOfThreads of the free address space; the rest is for data.
constexpr std::uint64_t kShareOfThreads = 4;

// Attributes of the threads that the OpenMP library starts.
class Attributes {
 public:
  Attributes() {
    ok_ = pthread_attr_init(&attributes_) == 0;
    if (!ok_) return;
    for (const char* name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"}) {
      if (const char* text = std::getenv(name)) set_stack(text);
    }
  }
  ~Attributes() {
    if (ok_) pthread_attr_destroy(&attributes_);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  [[nodiscard]] const pthread_attr_t* get() const { return ok_ ? &attributes_ : nullptr; }
  [[nodiscard]] std::uint64_t stack() const {
    std::size_t bytes = 0;
    return ok_ && pthread_attr_getstacksize(&attributes_, &bytes) == 0 ? bytes : 8U << 20U;
  }

 private:
  // "512", "512 k", "2M": kilobytes unless a letter says otherwise (OpenMP 5.0, section 6.7).
  void set_stack(const char* text) {
    char* end = nullptr;
    std::uint64_t size = std::strtoull(text, &end, 10);
    while (*end == ' ') ++end;
    const std::string letters = "bkmg";
    const auto power = *end == '\0' ? 1 : letters.find(static_cast<char>(*end | 0x20));
    if (power == std::string::npos || size >= 1U << 20U) return;
    for (std::size_t i = 0; i < power; ++i) size *= 1024;
    // A size that is too small is refused here, as the OpenMP library does; the default stays.
    (void)pthread_attr_setstacksize(&attributes_, size);
  }

  pthread_attr_t attributes_{};
  bool ok_ = false;
};

// Threads for which a limit on the address space (ulimit -v) has room.
std::uint64_t threads_in_limit(std::uint64_t stack) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  const std::uint64_t used = virtual_bytes();
  const std::uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  return left / kShareOfThreads / (stack + kBesideStack);
}

// How many of `count` threads start when all of them live at once.
int started_at_once(int count, const pthread_attr_t* attributes) {
  std::vector<pthread_t> threads;
  threads.reserve(static_cast<std::size_t>(count));
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&gate);
  const auto wait = [](void* mutex) -> void* {
    pthread_mutex_lock(static_cast<pthread_mutex_t*>(mutex));
    pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex));
    return nullptr;
  };
  for (int i = 0; i < count; ++i) {
    pthread_t thread{};
    if (pthread_create(&thread, attributes, wait, &gate) != 0) break;
    threads.push_back(thread);
  }
  pthread_mutex_unlock(&gate);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return static_cast<int>(threads.size());
}

}  // namespace

int startable_threads(int wanted) {
  const Attributes attributes;
  const std::uint64_t room = threads_in_limit(attributes.stack());
  const int asked = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(wanted, 1)) - 1, room));
  int more = 0;
  try {
    more = started_at_once(asked, attributes.get());
  } catch (const std::bad_alloc&) {
  }
  // If some threads could not be started, those that could took all memory: ask for fewer.
  if (more < asked) more /= static_cast<int>(kShareOfThreads);
  if (more + 1 < wanted) {
    log(LogLevel::info, "there is room for " + std::to_string(more + 1) + " of " +
                            std::to_string(wanted) + " threads");
  }
  return more + 1;
}

}  // namespace aprscope
