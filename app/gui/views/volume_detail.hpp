#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/document/document.hpp"
#include "app/gui/views/detail_feed.hpp"
#include "render/mip_view.hpp"

namespace aprscope::gui {

/// Reads what the 3-D view looks at from the file, where the current item is an overview of it: the
/// finer the more it is zoomed in, as far as memory and time allow. In the background, once the
/// camera rests; until it is there the overview shows. UI thread only.
class VolumeDetail : public QObject {
  Q_OBJECT

 public:
  /// `file` knows the file of the current item; it and `mip` must outlive this.
  VolumeDetail(Document& document, DetailFeed& file, MipView& mip, QObject* parent);

  /// The view shows another part, or other data.
  void look_again();
  /// True while something that is looked at is missing.
  [[nodiscard]] bool busy() const { return soon_.isActive() || reading_.has_value(); }
  /// Cells that may be read at once.
  void set_most_cells(std::int64_t cells) { most_cells_ = cells; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Cells of a level of the full image, of the item's channel and time point.
  struct Part {
    SourceSelection selection;
    int level = 0;
    Region cells;
    /// The channels that the view shows over each other; none: the item's own alone.
    std::vector<int> channels;
  };
  static bool covers(const Part& has, const Part& needed);
  [[nodiscard]] bool wanted() const;
  [[nodiscard]] std::optional<Part> in_sight(double margin) const;
  void ask();
  void read(const Part& part);
  void stop_reading();
  void remove();

  Document& document_;
  DetailFeed& file_;
  MipView& mip_;
  QTimer soon_;
  std::optional<Part> shown_;
  std::optional<Part> reading_;
  /// Requests so far: only the newest one counts.
  std::uint64_t asked_ = 0;
  std::uint64_t job_ = 0;
  using Detail = std::shared_ptr<const MipDetail>;
  /// Reads a part; null: the file has no such levels.
  static Result<Detail> load(const SourceInfo& info, const Part& part, int finer,
                             const Backend& backend, const JobContext& context);

  /// Of these channels the file cannot be read.
  std::optional<Part> gave_up_;
  /// Those that take a second or two to read, and a gigabyte at the most.
  std::int64_t most_cells_ = std::int64_t{1} << 26;
};

}  // namespace aprscope::gui
