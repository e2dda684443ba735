#pragma once

#include <QImage>

namespace aprscope::gui {

class CompareArea;
class ViewsArea;

/// What is seen: the maximised view, or all views; `compared` instead, unless null. A box that is
/// being chosen in the slices is no part of it.
QImage shown_picture(ViewsArea& views, CompareArea* compared);

}  // namespace aprscope::gui
