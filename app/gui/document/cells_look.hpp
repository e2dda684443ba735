#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSlider;
class QVBoxLayout;

namespace aprscope::gui {

class Document;
class LabelChoice;

/// How cells are drawn over slices and in 3-D, and whose cells.
class CellsLook : public QWidget {
  Q_OBJECT

 public:
  CellsLook(Document& document, LabelChoice& labels, QWidget* parent);

  /// The cells of the image itself.
  void show_own();
  /// The data whose cells could lie over this changed.
  void list_others();

 signals:
  /// Cells of other data are to be seen.
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
