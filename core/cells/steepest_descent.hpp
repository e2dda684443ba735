#pragma once

#include <span>

#include "core/cells/basins.hpp"
#include "core/cells/descent.hpp"

namespace aprscope::flood {

/// Sets the way of each pixel to the step to the lowest of its lower neighbours (of equally low
/// ones to the nearest, then by chance()), or to a code: kMinimum where all neighbours are higher,
/// kInner where none is lower but some are as high, kOutside at +infinity, kMarked at markers, to
/// which all their neighbours lead. Equal for any number of threads. False: cancelled. Throws
/// std::bad_alloc.
template <class T, bool kBright>
bool descend_steepest(const Descent<T, kBright>& descent, std::span<const FloodMarker> markers);

}  // namespace aprscope::flood
