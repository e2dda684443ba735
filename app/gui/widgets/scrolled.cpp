#include "app/gui/widgets/scrolled.hpp"

#include <QScrollArea>

namespace aprscope::gui {

QWidget* scrolled(QWidget* panel) {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  // Widgets inside take the keyboard; the area scrolls to them.
  area->setFocusPolicy(Qt::NoFocus);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(panel);
  return area;
}

}  // namespace aprscope::gui
