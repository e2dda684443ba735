#pragma once

#include <QComboBox>
#include <cstdint>

#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

class Document;

/// "Start from": the first estimate of a deconvolution of the current item. Besides the image and a
/// constant it offers open items that a recipe can name too: results of deconvolving the same
/// image, which the run continues, and files of the same size or structure. Other items are listed
/// with the reason why they cannot be chosen.
class StartChoice : public QComboBox {
  Q_OBJECT

 public:
  explicit StartChoice(Document& document, QWidget* parent = nullptr);

  /// The chosen item; 0: the image, or a constant.
  [[nodiscard]] std::uint64_t item() const { return currentData().toULongLong(); }
  /// Returns the operation with the chosen start.
  [[nodiscard]] Operation with_start(Operation operation) const;
  /// Shows the start of an operation: a constant or the image; also the image for any other start.
  void set_operation(const Operation& operation);

 private:
  void follow();
  void offer(std::uint64_t id);

  Document& document_;
};

}  // namespace aprscope::gui
