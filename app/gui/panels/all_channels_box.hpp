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

 private:
  void follow_item();

  Document& document_;
};

}  // namespace aprscope::gui
