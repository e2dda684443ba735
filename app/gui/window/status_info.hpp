#pragma once

#include <QStatusBar>
#include <optional>
#include <vector>

#include "app/gui/document/document.hpp"

class QLabel;

namespace aprscope::gui {

/// The status bar: position in physical units, value, level and particle size under the cursor;
/// whether a preview or the result is shown; backend; memory.
class StatusInfo : public QStatusBar {
  Q_OBJECT

 public:
  explicit StatusInfo(Document& document, QWidget* parent = nullptr);

  /// `shown`: the value on screen, if it is not the data's (a preview). `cell`: text about the
  /// object there.
  /// `channels`: shown instead of a single value if several channels are visible.
  void set_position(const Index3& position, std::optional<float> shown, const QString& cell = {},
                    const std::vector<ChannelValue>& channels = {});
  /// The same of a pixel of a file that a view shows in more detail than the current item has.
  void set_detail(const Index3& pixel, const VoxelSize& voxel, float value,
                  const std::vector<ChannelValue>& channels, int level);
  void clear_position();
  void set_preview(bool preview);

  [[nodiscard]] QString position_text() const;
  [[nodiscard]] QString value_text() const;

 private:
  void show_place(const Index3& pixel, const VoxelSize& voxel);
  void update_memory();
  void update_backend();

  Document& document_;
  QLabel* position_ = nullptr;
  QLabel* value_ = nullptr;
  QLabel* badge_ = nullptr;
  QLabel* backend_ = nullptr;
  QLabel* memory_ = nullptr;
};

}  // namespace aprscope::gui
