#pragma once

#include <QWidget>

#include "core/operations/schema/operation.hpp"

class QCheckBox;
class QLineEdit;

namespace aprscope::gui {

struct Item;

/// Further measurements for the table of cells: channels of the same file, channels of other files,
/// and the walls between cells.
class CellTableOptions : public QWidget {
  Q_OBJECT

 public:
  explicit CellTableOptions(QWidget* parent = nullptr);

  /// Offers the channels of this item's file; null: there is no item.
  void follow(const Item* item);
  /// Returns the measuring operation with these choices. It names the item's own file in the same
  /// way as the recipe does.
  [[nodiscard]] Operation chosen(Operation cells, const Item& item) const;

 signals:
  void changed();

 private:
  void choose_files();

  QCheckBox* all_ = nullptr;
  QLineEdit* files_ = nullptr;
  QCheckBox* walls_ = nullptr;
};

}  // namespace aprscope::gui
