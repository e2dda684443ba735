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

/// Connects the rows of a table of projections to their images, which are slices: choosing a row
/// goes to its image, and scrolling to an image chooses its row. In a large set, only some images
/// are slices at a time; other rows read theirs. Rows without a tick are left out of
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
  /// The row whose image is being read.
  struct Wanted {
    std::uint64_t item = 0;
    std::int64_t row = 0;
  };
  std::optional<Wanted> wanted_;
};

}  // namespace aprscope::gui
