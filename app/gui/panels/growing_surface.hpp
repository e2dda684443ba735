#pragma once

#include <QCheckBox>

namespace aprscope::gui {

class Document;
class MapGrowth;
class ViewsArea;

/// Whether a growing map is shown as a surface in 3-D and marked in slices, at the contour that
/// MapGrowth::State has. The marks disappear with the map.
class GrowingSurface : public QCheckBox {
  Q_OBJECT

 public:
  GrowingSurface(Document& document, ViewsArea& views, MapGrowth& growth,
                 QWidget* parent = nullptr);

 private:
  void follow();

  Document& document_;
  ViewsArea& views_;
  MapGrowth& growth_;
  bool marks_ = false;
};

}  // namespace aprscope::gui
