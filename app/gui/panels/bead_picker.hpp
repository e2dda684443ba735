#pragma once

#include <QObject>
#include <QPoint>
#include <array>
#include <memory>
#include <vector>

#include "app/gui/document/document.hpp"

class QWidget;

namespace aprscope {
class SliceView;
}

namespace aprscope::gui {

class ViewsArea;

/// While it is on, a click in a slice picks the nearest bead, or removes a picked one.
/// Numbered rings show picked beads near the slices. Beads belong to the item in which they
/// were picked.
class BeadPicker : public QObject {
  Q_OBJECT

 public:
  BeadPicker(Document& document, ViewsArea& views, QObject* parent = nullptr);

  void set_active(bool active);
  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] const std::vector<Index3>& beads() const { return beads_; }
  void remove(std::size_t index);
  void clear();

  /// The image in which the beads were picked; null if there are none.
  [[nodiscard]] std::shared_ptr<const Dataset> image() const { return image_; }
  /// The file whose first channel and time point this image is, unchanged; empty: there is none.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const QString& name() const { return name_; }

 signals:
  void beads_changed();
  void active_changed(bool active);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void pick(const Index3& at);
  void place_rings();
  [[nodiscard]] SliceView& view(std::size_t i) const;

  Document& document_;
  ViewsArea& views_;
  bool active_ = false;
  QPoint pressed_;
  std::vector<Index3> beads_;
  std::shared_ptr<const Dataset> image_;
  std::string file_;
  QString name_;
  std::array<QWidget*, 3> rings_{};
};

}  // namespace aprscope::gui
