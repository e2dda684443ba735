#pragma once

#include "render/mip_view.hpp"
#include "render/slice_view.hpp"

namespace aprscope {

/// Makes `to` look from where `from` looks. Emits nothing, so two views can follow each other.
void copy_camera(const MipView& from, MipView& to);
void copy_camera(const SliceView& from, SliceView& to);

/// Lets two views follow each other for as long as both live.
void link_cameras(MipView& a, MipView& b);
void link_cameras(SliceView& a, SliceView& b);

}  // namespace aprscope
