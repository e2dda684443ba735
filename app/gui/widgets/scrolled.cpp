#include "app/gui/widgets/scrolled.hpp"

#include <QScrollArea>

namespace aprscope::gui {

QWidget* scrolled(QWidget* panel) {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  // What is in it takes the keyboard, and is scrolled to.
  area->setFocusPolicy(Qt::NoFocus);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(panel);
  return area;
}

}  // namespace aprscope::gui
