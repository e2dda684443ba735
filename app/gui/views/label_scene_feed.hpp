#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>

#include "core/base/result.hpp"
#include "core/cells/label_scene.hpp"

namespace aprscope {
class MipView;
}  // namespace aprscope

namespace aprscope::gui {

class Document;
class LabelChoice;

/// Supplies the 3-D view with the labels to show. Follows the document and the drawing settings,
/// and builds scenes in the background; the newest request wins.
class LabelSceneFeed : public QObject {
  Q_OBJECT

 public:
  LabelSceneFeed(Document& document, LabelChoice& choice, MipView& view, QObject* parent);

  /// True while a scene is missing or out of date.
  [[nodiscard]] bool busy() const { return soon_.isActive() || job_ != 0; }

 private:
  void follow();
  void renew();
  void take(const Result<std::shared_ptr<const LabelScene>>& made);
  void stop();

  Document& document_;
  LabelChoice& choice_;
  MipView& view_;
  /// A short delay, so that slices are made first.
  QTimer soon_;
  /// Counts requests, so that the result of an older one is ignored.
  std::uint64_t newest_ = 0;
  std::uint64_t job_ = 0;
};

}  // namespace aprscope::gui
