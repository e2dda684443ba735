#pragma once

#include <QObject>
#include <array>
#include <cstdint>
#include <memory>

#include "app/gui/views/views_area.hpp"

namespace aprscope::gui {

/// Whether the views have painted what they are to show, for whoever goes on only then. UI thread
/// only.
class PaintedViews : public QObject {
  Q_OBJECT

 public:
  PaintedViews(Document& document, ViewsArea& views, QObject* parent);

  /// Whether all views that can be seen have painted the present data as it is to be seen: with the
  /// preview, if there is one. Of the 3-D view a coarse picture is enough.
  [[nodiscard]] bool all() const;

 private:
  [[nodiscard]] std::shared_ptr<const Raycaster> volume() const;
  [[nodiscard]] bool volume_painted() const;

  Document& document_;
  ViewsArea& views_;
  VolumePreview& volume_preview_;
  /// Frames that each slice view had painted when it was given its picture.
  std::array<std::uint64_t, 3> frames_before_{};
  /// What the last picture in the 3-D view is of.
  std::weak_ptr<const Raycaster> painted_;
};

}  // namespace aprscope::gui
