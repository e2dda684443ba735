#pragma once

#include <QComboBox>
#include <cstdint>

namespace aprscope::gui {

class Document;

/// "Ground truth": what the result of a deconvolution of the current item should be, where that is
/// known. Offers the other open items of the same size; it changes nothing in the result.
class TruthChoice : public QComboBox {
  Q_OBJECT

 public:
  explicit TruthChoice(Document& document, QWidget* parent = nullptr);

  /// The chosen item; 0: none.
  [[nodiscard]] std::uint64_t item() const { return currentData().toULongLong(); }

 private:
  void follow();

  Document& document_;
};

}  // namespace aprscope::gui
