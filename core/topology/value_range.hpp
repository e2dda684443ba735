#pragma once

#include <cstdint>
#include <span>

namespace aprscope {

/// The range of finite values, and whether all of them are whole numbers.
template <class T>
struct ValueRange {
  T least{};
  T most{};
  bool whole = true;
};

/// The range of at least one value; all threads take part. −0 counts as 0.
template <class T>
ValueRange<T> value_range(std::span<const T> values);

}  // namespace aprscope
