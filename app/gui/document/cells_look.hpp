#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSlider;
class QVBoxLayout;

namespace aprscope::gui {

class Document;
class LabelChoice;

/// Settings of how cells are drawn over slices and in 3-D, and of which item.
class CellsLook : public QWidget {
  Q_OBJECT

 public:
  CellsLook(Document& document, LabelChoice& labels, QWidget* parent);

  /// Goes back to the cells of the current item.
  void show_own();
  /// Updates the list of other items whose cells can be drawn over the current one.
  void list_others();

 signals:
  /// The user chose to see the cells of another item.
  void others_chosen();

 private:
  void build_in_slices(QVBoxLayout& rows);
  void build_in_3d(QVBoxLayout& rows);
  void build_others(QVBoxLayout& rows);
  void renew();

  Document& document_;
  LabelChoice& labels_;
  QCheckBox* shown_ = nullptr;
  QCheckBox* outline_ = nullptr;
  QSlider* fill_ = nullptr;
  QComboBox* in_3d_ = nullptr;
  QCheckBox* whole_only_ = nullptr;
  QWidget* others_ = nullptr;
  QComboBox* labels_of_ = nullptr;
};

}  // namespace aprscope::gui
