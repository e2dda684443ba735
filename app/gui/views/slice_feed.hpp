#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/document/document.hpp"
#include "app/gui/views/slice_picture.hpp"

namespace aprscope::gui {

/// Supplies the visible slice views: follows the document (data, crosshair, mode, preview) and
/// makes slices in the background. One job at a time per view; a filter's preview is one job for
/// all views, so that the filter runs once. A new request replaces a waiting one. A running job
/// that is obsolete gets a moment to finish, so that the picture follows while a slider is
/// dragged.
class SliceFeed : public QObject {
  Q_OBJECT

 public:
  explicit SliceFeed(Document& document, QObject* parent = nullptr);

  /// Whether the view of an axis is visible. Hidden views get no pictures; they are updated when
  /// they become visible again.
  void set_seen(Axis axis, bool seen);
  [[nodiscard]] bool seen(Axis axis) const { return slots_[static_cast<std::size_t>(axis)].seen; }

  /// True while the picture of a visible view is missing or out of date.
  [[nodiscard]] bool busy() const;

 signals:
  void picture_ready(const aprscope::gui::SlicePicture& picture);
  /// The preview of a filter failed.
  void preview_failed(const aprscope::Error& error);

 private:
  struct Slot {
    std::optional<SliceRequest> wanted;
    /// The request of the finished picture on screen.
    std::optional<SliceRequest> shown;
    /// The request of the running job, without its refinement.
    std::optional<SliceRequest> making;
    bool seen = true;
    bool running = false;
    /// The running job was ended because another of its views wants something newer.
    bool overtaken = false;
    /// The running job previews a filter.
    bool filtering = false;
    std::uint64_t job = 0;
    QElapsedTimer since;
  };
  /// A request, and the view that asks for it.
  struct Asked {
    Axis axis = Axis::z;
    SliceRequest request;
  };

  void refresh_all();
  void follow_data();
  void refresh(Axis axis);
  void follow_crosshair(const Index3& position);
  void start_waiting();
  void start(const std::vector<Axis>& axes);
  void take(const std::vector<Asked>& asked, const Result<std::vector<SlicePicture>>& pictures);
  void show(const Asked& asked, const SlicePicture& picture);
  void add_channels(const Item& item, SliceRequest& request) const;
  [[nodiscard]] std::optional<SliceRequest> request_for(Axis axis) const;
  [[nodiscard]] Slot& slot(Axis axis) { return slots_[static_cast<std::size_t>(axis)]; }

  Document& document_;
  std::array<Slot, 3> slots_;
  QTimer overtaken_;
  Index3 shown_{-1, -1, -1};
  std::shared_ptr<PreviewBuffer> buffer_ = std::make_shared<PreviewBuffer>();
  /// The item that the buffer is of, and the part of its file.
  std::uint64_t buffered_ = 0;
  SourceSelection part_;
};

}  // namespace aprscope::gui
