#pragma once

#include <QCheckBox>

namespace aprscope::gui {

class Document;

/// Whether what a panel does is done to all channels that are seen. It is there only while the
/// current item is shown with several; all such boxes agree.
class AllChannelsBox : public QCheckBox {
  Q_OBJECT

 public:
  explicit AllChannelsBox(Document& document, QWidget* parent = nullptr);

 private:
  void follow_item();

  Document& document_;
};

}  // namespace aprscope::gui
