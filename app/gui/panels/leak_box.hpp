#pragma once

#include <QWidget>

#include "core/dataset/dataset.hpp"

class QLabel;
class QPushButton;

namespace aprscope::gui {

class Document;
class LabelChoice;

/// Where water gets into the chosen cell, or into one that is missing since it leaks; hidden where
/// nothing is known to leak. Goes there, and asks for what closes it.
class LeakBox : public QWidget {
  Q_OBJECT

 public:
  LeakBox(Document& document, LabelChoice& labels, QWidget* parent = nullptr);

 signals:
  /// `radius`: in the unit of the voxel size; closes this leak.
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
