#pragma once

#include "core/image/region.hpp"

namespace aprscope {
class SliceView;
}

namespace aprscope::gui {

/// What a preview of a deconvolution computes: the pixels of an image of `size` that the xy view
/// shows, in some slices around that of `middle`; not more than a preview can do.
Region preview_region(SliceView& view, const Size3& size, const Index3& middle);

}  // namespace aprscope::gui
