#pragma once

#include <QCheckBox>

namespace aprscope::gui {

class Document;

/// Whether a panel's operation also runs on all channels that are shown. Visible only while the
/// current item is shown with several; all such boxes have the same state.
class AllChannelsBox : public QCheckBox {
  Q_OBJECT

 public:
  explicit AllChannelsBox(Document& document, QWidget* parent = nullptr);

  /// Whether the current item is shown with several channels.
  [[nodiscard]] bool has_several() const { return several_; }

 signals:
  void several_changed();

 private:
  void follow_item();

  Document& document_;
  bool several_ = false;
};

}  // namespace aprscope::gui
