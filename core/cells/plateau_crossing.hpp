#pragma once

#include "core/cells/descent.hpp"

namespace aprscope::flood {

/// Leads pixels of plateaus (kInner) to the nearest lower border, counted in steps inside the
/// plateau; of equally good steps chance() takes one. Behind the border kOdd or kEven are added to
/// ways. What is left as kInner has no way out: a flat minimum. Equal for any number of threads.
/// False: cancelled. Throws std::bad_alloc.
template <class T, bool kBright>
bool cross_plateaus(const Descent<T, kBright>& descent);

}  // namespace aprscope::flood
