#pragma once

#include <QComboBox>
#include <cstdint>

#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

class Document;

/// "Start from": the first estimate of a deconvolution of the current item. Beside the image and a
/// constant it offers the open items that a recipe can start from as well: results of deconvolving
/// this very image, which the run goes on from, and files of the same size or structure. The others
/// are listed, too, with what keeps them from being chosen.
class StartChoice : public QComboBox {
  Q_OBJECT

 public:
  explicit StartChoice(Document& document, QWidget* parent = nullptr);

  /// The item that is chosen; 0: the image, or a constant.
  [[nodiscard]] std::uint64_t item() const { return currentData().toULongLong(); }
  /// Says in the operation how it starts.
  [[nodiscard]] Operation with_start(Operation operation) const;
  /// Shows how an operation starts, where that is the image or a constant, else the image.
  void set_operation(const Operation& operation);

 private:
  void follow();
  void offer(std::uint64_t id);

  Document& document_;
};

}  // namespace aprscope::gui
