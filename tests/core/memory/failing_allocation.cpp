#include "tests/core/memory/failing_allocation.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Allocations until the one that fails; far off while nobody asks for it.
constexpr std::int64_t kNever = INT64_MAX / 2;
std::atomic<std::int64_t> left{kNever};
std::atomic<bool> lasting_failure{false};
std::atomic<bool> failed{false};

bool fails() {
  const std::int64_t before = left.fetch_sub(1);
  if (before > 1 || (before < 1 && !lasting_failure)) return false;
  failed = true;
  return true;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (fails()) return nullptr;
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

namespace aprscope::test {

FailingAllocation::FailingAllocation(std::int64_t number, bool lasting) {
  failed = false;
  lasting_failure = lasting;
  left = number;
}

FailingAllocation::~FailingAllocation() {
  left = kNever;
  lasting_failure = false;
}

bool FailingAllocation::came() { return failed; }

}  // namespace aprscope::test

// NOLINTBEGIN: the replaceable allocation functions, whose names and forms the standard gives
void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#if !defined(__SANITIZE_ADDRESS__)  // which has its own
// What memory without a first value is made by.
extern "C" int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  if (fails()) return ENOMEM;
  *memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  return *memory == nullptr ? ENOMEM : 0;
}
#endif
// NOLINTEND
