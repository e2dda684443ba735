#pragma once

namespace aprscope::test {

/// Whether every access is watched: address or thread sanitizer. Such a build runs a loop over
/// numbers five to ten times as long as the optimised one does.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Of a test that goes over many cases of one kind: all of them, with sanitizers every n-th. Those
/// look for bad accesses and overflows; that each result is right is for the optimised build, which
/// takes all cases. An n that divides no inner loop's length takes other values of it each time;
/// combinations, and a value that has fewer than n cases, may be left out.
class SanitizedShare {
 public:
  explicit SanitizedShare(int n) : n_(kSanitized ? n : 1) {}
  [[nodiscard]] bool takes() { return count_++ % n_ == 0; }

 private:
  int n_;
  int count_ = 0;
};

}  // namespace aprscope::test
