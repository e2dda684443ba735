#pragma once

#include <QObject>
#include <cstddef>
#include <vector>

class QAction;

namespace aprscope::gui {

class Document;
struct Item;
class MeasurementPreview;
class MeasurementView;

/// Ties the rows of a table of projections to their images, which are slices: a row goes to its
/// image, and an image that is reached by the wheel chooses its row. Rows have a tick: those
/// without are left out of reconstructions.
class ProjectionLink : public QObject {
  Q_OBJECT

 public:
  ProjectionLink(Document& document, MeasurementPreview& measured, MeasurementView& view,
                 QObject* parent = nullptr);

 private:
  void add_actions();
  void rows_to_slice();
  void slice_to_rows();
  void show_ticks();
  void tick(const std::vector<std::size_t>& rows, bool on);
  [[nodiscard]] bool applies() const;

  Document& document_;
  MeasurementView& view_;
  std::vector<QAction*> actions_;
};

}  // namespace aprscope::gui
