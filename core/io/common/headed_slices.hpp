#pragma once

#include <memory>

#include "core/apr/convert/slice_source.hpp"

// Private to core/io: slices for formats that keep their pixels in another format's arrays.

namespace aprscope {

/// The slices of `source` with `header` in place of its own.
std::unique_ptr<SliceSource> headed_slices(std::unique_ptr<SliceSource> source, Volume header);

}  // namespace aprscope
