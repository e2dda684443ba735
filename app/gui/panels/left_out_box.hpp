#pragma once

#include <QWidget>
#include <vector>

class QPushButton;

namespace aprscope::gui {

class Document;
class ElidedLabel;
struct Item;
class MapGrowth;

/// How many rows of the current set of projections are left out of reconstructions, how many of the
/// others cannot be used, and buttons that leave those out or give all their ticks back. A row
/// cannot be used for what the table says of it, or since a run has found pixels in its image that
/// are no numbers (see MapGrowth::refused()). Hidden for anything but a set of projections.
class LeftOutBox : public QWidget {
  Q_OBJECT

 public:
  LeftOutBox(Document& document, const MapGrowth& growth, QWidget* parent = nullptr);

 private:
  void renew();
  void leave_out();
  /// One a row: images that a run has refused; empty: none of this set.
  [[nodiscard]] std::vector<bool> refused(const Item& item) const;

  Document& document_;
  const MapGrowth& growth_;
  ElidedLabel* words_ = nullptr;
  QPushButton* leave_out_ = nullptr;
  QPushButton* use_all_ = nullptr;
};

}  // namespace aprscope::gui
