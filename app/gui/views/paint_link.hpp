#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "app/gui/document/item_list.hpp"
#include "core/image/level_set.hpp"

namespace aprscope {
class MipView;
}  // namespace aprscope

namespace aprscope::gui {

class LevelSetChoice;
class PaintChoice;

/// Colours the surface in the 3-D view by the chosen item, with limits that suit the values on this
/// surface.
class PaintLink : public QObject {
  Q_OBJECT

 public:
  PaintLink(ItemList& items, LevelSetChoice& level_set, PaintChoice& choice, MipView& view,
            QObject* parent);

 private:
  void follow();

  ItemList& items_;
  LevelSetChoice& level_set_;
  PaintChoice& choice_;
  MipView& view_;
  /// The data whose surface the view colours; null: it colours none.
  std::shared_ptr<const Dataset> shape_;
  std::shared_ptr<const Dataset> values_;
  std::optional<LevelSet> at_;
};

}  // namespace aprscope::gui
