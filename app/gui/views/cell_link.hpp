#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <vector>

namespace aprscope::gui {

class CorrectionBar;
class Document;
class LabelChoice;
class MeasurementPreview;
class MeasurementView;

/// Ties rows of a table of labels to the labels in the views: what is chosen in one is chosen in
/// the other, a double click on a row goes to its cell, and labels that touch get colours of their
/// own.
class CellLink : public QObject {
  Q_OBJECT

 public:
  CellLink(Document& document, LabelChoice& labels, MeasurementPreview& measured,
           MeasurementView& view, QObject* parent = nullptr);

  /// "cell 7: 12.3 µm³ (border)", of the table that is shown; empty where that has none.
  [[nodiscard]] QString words_of(std::uint32_t label) const;
  /// Chooses the row that is most suspicious of those that were not visited yet, and goes there.
  void next_suspicious();

 private:
  void follow_measurement();
  void follow_curve();
  void rows_to_labels();
  void labels_to_rows();
  void go_to(std::size_t row);
  void choose_range(double low, double high);

  Document& document_;
  LabelChoice& labels_;
  MeasurementPreview& measured_;
  MeasurementView& view_;
  std::vector<std::uint32_t> visited_;
};

}  // namespace aprscope::gui
