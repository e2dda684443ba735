#pragma once

#include <cstdint>
#include <span>

namespace aprscope {

/// What values, all finite, lie between, and whether all are whole numbers.
template <class T>
struct ValueRange {
  T least{};
  T most{};
  bool whole = true;
};

/// Of at least one value; all threads take part. −0 is 0.
template <class T>
ValueRange<T> value_range(std::span<const T> values);

}  // namespace aprscope
