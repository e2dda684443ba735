#pragma once

#include <QCheckBox>

namespace aprscope::gui {

class Document;
class MapGrowth;
class ViewsArea;

/// Whether a map that grows is shown as its surface in 3-D, and marked in the slices, at the
/// contour that MapGrowth::State tells; what is marked goes with the map.
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
