#pragma once

#include <cstdio>
#include <cstdlib>

#include "core/base/result.hpp"

namespace aprscope::fuzz {

/// Ends the program as a crash does, so that the input is kept as a finding: what is promised to
/// hold for every input does not.
inline void expect(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// An error says what is wrong.
inline void expect_sentence(const Error& error) {
  expect(!error.what.empty(), "an error says what is wrong");
  expect(error.message().size() < 1U << 16U, "a message stays short enough to read");
}

}  // namespace aprscope::fuzz
