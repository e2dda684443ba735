#pragma once

#include <QObject>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QAction;

namespace aprscope::gui {

class Document;
struct Item;
class MeasurementPreview;
class MeasurementView;

/// Ties the rows of a table of projections to their images, which are slices: a row goes to its
/// image, and an image that is reached by the wheel chooses its row. Of a large set some images are
/// slices at a time; a row of others brings those. Rows have a tick: those without are left out of
/// reconstructions.
class ProjectionLink : public QObject {
  Q_OBJECT

 public:
  ProjectionLink(Document& document, MeasurementPreview& measured, MeasurementView& view,
                 QObject* parent = nullptr);

 private:
  void add_actions();
  void rows_to_slice();
  void slice_to_rows();
  void go_to(std::int64_t row);
  void show_ticks();
  void tick(const std::vector<std::size_t>& rows, bool on);
  [[nodiscard]] bool applies() const;

  Document& document_;
  MeasurementView& view_;
  std::vector<QAction*> actions_;
  /// A row whose image is being read.
  struct Wanted {
    std::uint64_t item = 0;
    std::int64_t row = 0;
  };
  std::optional<Wanted> wanted_;
};

}  // namespace aprscope::gui
