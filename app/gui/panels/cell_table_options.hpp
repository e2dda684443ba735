#pragma once

#include <QWidget>

#include "core/operations/schema/operation.hpp"

class QCheckBox;
class QLineEdit;

namespace aprscope::gui {

struct Item;

/// What the table of cells measures beside the image itself: channels of the file that it is from,
/// those of other files, and the walls between cells.
class CellTableOptions : public QWidget {
  Q_OBJECT

 public:
  explicit CellTableOptions(QWidget* parent = nullptr);

  /// Offers the channels of this item's file; null: there is none.
  void follow(const Item* item);
  /// The operation that measures cells, with all that. It names the file of the item itself, as its
  /// recipe does.
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
