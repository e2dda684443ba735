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

/// Connects rows of a table to labels in the views: the same ones are chosen in both,
/// a double click on a row goes to its cell, and labels that touch get different
/// colours.
class CellLink : public QObject {
  Q_OBJECT

 public:
  CellLink(Document& document, LabelChoice& labels, MeasurementPreview& measured,
           MeasurementView& view, QObject* parent = nullptr);

  /// The cell's row of the shown table in words: "cell 7: 12.3 µm³ (border)"; empty without one.
  [[nodiscard]] QString words_of(std::uint32_t label) const;
  /// Chooses the most suspicious row that the user has not visited yet, and goes to its cell.
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
