#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <sys/mman.h>

#include "core/base/parallel.hpp"

namespace aprscope {

/// Huge pages are made several times faster than as many plain ones, if all of their bytes are
/// used, and keep the addresses of memory that is swept again and again.
enum class Pages { plain, huge };

namespace detail {

// Whether a sanitizer watches the heap, and nothing else.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kHeapIsWatched = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kHeapIsWatched = true;
#else
inline constexpr bool kHeapIsWatched = false;
#endif
#else
inline constexpr bool kHeapIsWatched = false;
#endif

/// Gives the memory of a Scratch back.
struct ScratchFree {
  /// Bytes of a mapping of its own; 0: it is of the heap.
  std::size_t mapped = 0;
  void operator()(void* p) const {
    if (mapped > 0) {
      (void)::munmap(p, mapped);
    } else {
      std::free(p);
    }
  }
};

/// Memory for a Scratch. Huge pages are a mapping of their own: the heap of glibc up to 2.37 hardly
/// ever reuses what was aligned to so much, so that a loop of such blocks, of sizes that differ,
/// takes several times the memory that is in use. Throws std::bad_alloc.
inline std::unique_ptr<void, ScratchFree> scratch_memory(std::size_t bytes, Pages pages) {
  constexpr std::size_t kHuge = std::size_t{1} << 21U;
  constexpr std::size_t kPage = 4096;
  // Only whole huge pages are asked for: the rest of the block stays in small pages.
  const std::size_t huge = pages == Pages::huge ? bytes / kHuge * kHuge : 0;
  const bool own = huge > 0 && !kHeapIsWatched;
  void* memory = nullptr;
  std::size_t mapped = 0;
  if (own) {
    mapped = (bytes + kPage - 1) / kPage * kPage;
    void* const room =
        ::mmap(nullptr, mapped + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    const std::size_t before = (kHuge - reinterpret_cast<std::uintptr_t>(room) % kHuge) % kHuge;
    char* const first = static_cast<char*>(room) + before;
    if (before > 0) (void)::munmap(room, before);
    if (before < kHuge) (void)::munmap(first + mapped, kHuge - before);
    memory = first;
  } else if (::posix_memalign(&memory, huge > 0 ? kHuge : 64, bytes) != 0) {
    throw std::bad_alloc();
  }
  // madvise() is only a hint: if it fails, the memory is slower but correct.
  if (huge > 0) (void)::madvise(memory, huge, MADV_HUGEPAGE);
  return std::unique_ptr<void, ScratchFree>(memory, ScratchFree{mapped});
}

}  // namespace detail

/// A block of memory that is not cleared when it is made, because the first writer clears pages in
/// parallel. Throws std::bad_alloc as a vector does.
template <class T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::int64_t count, Pages pages = Pages::plain) : count_(count) {
    const std::size_t bytes = std::max<std::size_t>(static_cast<std::size_t>(count) * sizeof(T), 1);
    auto made = detail::scratch_memory(bytes, pages);
    const detail::ScratchFree back = made.get_deleter();
    memory_ = Memory(static_cast<T*>(made.release()), back);
  }

  /// The same in the memory of `spare`, whose pages need not be made again, if it is large enough;
  /// those that are left over go back to the system.
  template <class U>
  static Scratch in_memory_of(Scratch<U> spare, std::int64_t count) {
    constexpr std::size_t kPage = 4096;
    const std::size_t room = static_cast<std::size_t>(spare.count()) * sizeof(U);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (room < std::max<std::size_t>(bytes, 1)) {
      spare = Scratch<U>();
      return Scratch(count, Pages::huge);
    }
    Scratch out;
    const detail::ScratchFree back = spare.memory_.get_deleter();
    out.memory_ = Memory(reinterpret_cast<T*>(spare.memory_.release()), back);
    out.count_ = count;
    char* const first = reinterpret_cast<char*>(out.memory_.get());
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    // Only whole pages can be given back to the system.
    const std::uintptr_t left = (begin + bytes + kPage - 1) / kPage * kPage;
    const std::uintptr_t end = (begin + room) / kPage * kPage;
    if (left < end) (void)::madvise(first + (left - begin), end - left, MADV_DONTNEED);
    return out;
  }

  [[nodiscard]] T* data() { return memory_.get(); }
  [[nodiscard]] const T* data() const { return memory_.get(); }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t size() const { return count_; }

 private:
  template <class U>
  friend class Scratch;
  using Memory = std::unique_ptr<T, detail::ScratchFree>;
  Memory memory_;
  std::int64_t count_ = 0;
};

/// Reserves memory for `count` values of an empty vector, in huge pages. Throws std::bad_alloc.
template <class T>
void reserve_huge(std::vector<T>& values, std::int64_t count) {
  constexpr std::uintptr_t kPage = 4096;
  values.reserve(static_cast<std::size_t>(count));
  auto* const first = reinterpret_cast<char*>(values.data());
  // Only whole pages can be advised about.
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t begin = (address + kPage - 1) / kPage * kPage;
  const std::uintptr_t end =
      (address + static_cast<std::uintptr_t>(count) * sizeof(T)) / kPage * kPage;
  if (begin < end) (void)::madvise(first + (begin - address), end - begin, MADV_HUGEPAGE);
}

/// Has all threads make the pages of memory that was reserved and not written to, which takes
/// longer than filling them. What is there is undefined afterwards, except that new pages are
/// zeros.
inline void make_pages(void* memory, std::int64_t size) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::int64_t kStretch = std::int64_t{1} << 21U;
  auto* const raw = static_cast<char*>(memory);
  // Threads share out whole pages, so begin at the first page boundary.
  const auto skipped =
      static_cast<std::int64_t>((kPage - reinterpret_cast<std::uintptr_t>(raw) % kPage) % kPage);
  char* const first = raw + skipped;
  const std::int64_t bytes = size - skipped;
  if (bytes <= 2 * kStretch) return;
  (void)::madvise(first, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  const std::int64_t stretches = (bytes + kStretch - 1) / kStretch;
  parallel_each(stretches, thread_count(), [&](std::int64_t i, int) {
    for (std::int64_t at = i * kStretch; at < std::min(bytes, (i + 1) * kStretch);
         at += static_cast<std::int64_t>(kPage)) {
      *static_cast<volatile char*>(first + at) = 0;
    }
  });
}

/// Makes an empty vector `count` zeros long, see make_pages(). Throws std::bad_alloc.
template <class T>
void make_zeros(std::vector<T>& values, std::int64_t count) {
  values.reserve(static_cast<std::size_t>(count));
  make_pages(values.data(), count * static_cast<std::int64_t>(sizeof(T)));
  values.resize(static_cast<std::size_t>(count));
}

}  // namespace aprscope
