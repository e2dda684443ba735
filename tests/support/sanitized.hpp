#pragma once

namespace aprscope::test {

/// Whether every access is watched: address or thread sanitizer. Such a build runs a loop over
/// numbers five to ten times as long as the optimised one does.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Of a test that goes over many cases of one kind: all of them, with sanitizers every n-th. These
/// look for accesses and overflows, of which a path through the code has the same in every case;
/// that all results are right is what the optimised build checks. With an n that shares no divisor
/// with the lengths of nested loops, each of their values has its turn.
class SanitizedShare {
 public:
  explicit SanitizedShare(int n) : n_(kSanitized ? n : 1) {}
  [[nodiscard]] bool takes() { return count_++ % n_ == 0; }

 private:
  int n_;
  int count_ = 0;
};

}  // namespace aprscope::test
