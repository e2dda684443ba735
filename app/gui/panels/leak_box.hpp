#pragma once

#include <QWidget>

#include "core/dataset/dataset.hpp"

class QLabel;
class QPushButton;

namespace aprscope::gui {

class Document;
class LabelChoice;

/// Where the chosen cell leaks, or a cell that is missing because it leaks. Buttons go there and
/// ask to close the hole. Hidden if no leak is known.
class LeakBox : public QWidget {
  Q_OBJECT

 public:
  LeakBox(Document& document, LabelChoice& labels, QWidget* parent = nullptr);

 signals:
  /// Asks to close a leak of this radius, in the unit of the voxel size.
  void close_asked(double radius);

 private:
  void renew();

  Document& document_;
  LabelChoice& labels_;
  QLabel* words_ = nullptr;
  QPushButton* close_ = nullptr;
  Index3 at_{0, 0, 0};
  double radius_ = 0.0;
};

}  // namespace aprscope::gui
