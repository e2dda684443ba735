#pragma once

#include "core/image/labels.hpp"

namespace aprscope {

/// The same objects with numbers from 1 on without gaps, in the order of their first pixel or
/// particle; findings get the new numbers. Throws std::bad_alloc.
Labels renumbered(Labels labels);

}  // namespace aprscope
