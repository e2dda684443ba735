#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/gui/document.hpp"
#include "app/gui/slice_picture.hpp"

namespace aprscope::gui {

/// Keeps the three slice views supplied: follows the document (data, crosshair, mode, preview) and
/// has the slices made in the background. One job a view at a time; what is asked for meanwhile
/// replaces what was waiting, and a job that is overtaken gets a moment to finish, so that the
/// picture keeps moving while a slider is dragged.
class SliceFeed : public QObject {
  Q_OBJECT

 public:
  explicit SliceFeed(Document& document, QObject* parent = nullptr);

  /// True while a picture is missing or out of date.
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
    bool running = false;
    std::uint64_t job = 0;
    QElapsedTimer since;
  };

  void refresh_all();
  void refresh(Axis axis);
  void follow_crosshair(const Index3& position);
  void start(Axis axis);
  void take(Axis axis, const SliceRequest& request, const Result<SlicePicture>& picture);
  [[nodiscard]] std::optional<SliceRequest> request_for(Axis axis) const;
  [[nodiscard]] Slot& slot(Axis axis) { return slots_[static_cast<std::size_t>(axis)]; }

  Document& document_;
  std::array<Slot, 3> slots_;
  QTimer overtaken_;
  Index3 shown_{-1, -1, -1};
  std::shared_ptr<PreviewBuffer> buffer_ = std::make_shared<PreviewBuffer>();
};

}  // namespace aprscope::gui
