#pragma once

#include <QWidget>
#include <vector>

class QPushButton;

namespace aprscope::gui {

class Document;
class ElidedLabel;
struct Item;
class MapGrowth;

/// Tells how many rows of the current set of projections are left out of reconstructions, and how
/// many others cannot be used. Its buttons leave those out, or use all rows again. A row cannot be
/// used because of its entries in the table, or since a run has found pixels in its image that are
/// not finite numbers (see MapGrowth::refused()). Hidden for other data.
class LeftOutBox : public QWidget {
  Q_OBJECT

 public:
  LeftOutBox(Document& document, const MapGrowth& growth, QWidget* parent = nullptr);

 private:
  void renew();
  void leave_out();
  /// For each row, whether a run has refused its image; empty: no row of this set.
  [[nodiscard]] std::vector<bool> refused(const Item& item) const;

  Document& document_;
  const MapGrowth& growth_;
  ElidedLabel* words_ = nullptr;
  QPushButton* leave_out_ = nullptr;
  QPushButton* use_all_ = nullptr;
};

}  // namespace aprscope::gui
