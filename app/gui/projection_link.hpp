#pragma once

#include <QObject>

namespace aprscope::gui {

class Document;
class MeasurementPreview;
class MeasurementView;

/// Ties the rows of a table of projections to their images, which are slices: a row goes to its
/// image, and an image that is reached by the wheel chooses its row.
class ProjectionLink : public QObject {
  Q_OBJECT

 public:
  ProjectionLink(Document& document, MeasurementPreview& measured, MeasurementView& view,
                 QObject* parent = nullptr);

 private:
  void rows_to_slice();
  void slice_to_rows();
  [[nodiscard]] bool applies() const;

  Document& document_;
  MeasurementView& view_;
};

}  // namespace aprscope::gui
