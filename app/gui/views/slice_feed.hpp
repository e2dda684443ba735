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

/// Keeps the slice views that can be seen supplied: follows the document (data, crosshair, mode,
/// preview) and has the slices made in the background. One job a view at a time, and one for all
/// views where a filter is previewed, so that it runs once; what is asked for meanwhile replaces
/// what was waiting, and a job that is overtaken gets a moment to finish, so that the picture keeps
/// moving while a slider is dragged.
class SliceFeed : public QObject {
  Q_OBJECT

 public:
  explicit SliceFeed(Document& document, QObject* parent = nullptr);

  /// Whether somebody can see the view of an axis. Nothing is made for one that is hidden; what it
  /// shows is brought up to date when it comes back.
  void set_seen(Axis axis, bool seen);
  [[nodiscard]] bool seen(Axis axis) const { return slots_[static_cast<std::size_t>(axis)].seen; }

  /// True while a picture that can be seen is missing or out of date.
  [[nodiscard]] bool busy() const;

 signals:
  void picture_ready(const aprscope::gui::SlicePicture& picture);
  /// The preview of a filter failed.
  void preview_failed(const aprscope::Error& error);

 private:
  struct Slot {
    std::optional<SliceRequest> wanted;
    /// What is on screen, where a finished picture is.
    std::optional<SliceRequest> shown;
    /// What runs, without its refinement.
    std::optional<SliceRequest> making;
    bool seen = true;
    bool running = false;
    /// The job that runs was ended because another view of it wants something newer.
    bool overtaken = false;
    /// What runs is a filter.
    bool filtering = false;
    std::uint64_t job = 0;
    QElapsedTimer since;
  };
  /// A picture that is being made, and for what.
  struct Asked {
    Axis axis = Axis::z;
    SliceRequest request;
  };

  void refresh_all();
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
};

}  // namespace aprscope::gui
