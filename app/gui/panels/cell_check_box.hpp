#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>

#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

class QPushButton;

namespace aprscope::gui {

class Document;
class SteadyLabel;

/// Finds cells on particles and on the image that they were made from, and says what the conversion
/// changed. Seen where the current item is particles and such an image is in the data list.
class CellCheckBox : public QWidget {
  Q_OBJECT

 public:
  CellCheckBox(Document& document, QWidget* parent);

  /// How cells are found; what was said of other ways is forgotten.
  void set_operation(const Operation& operation);

 private:
  void renew();
  void check();
  void forget();

  Document& document_;
  Operation operation_;
  QPushButton* button_ = nullptr;
  SteadyLabel* finding_ = nullptr;
  /// What was asked of, and so what is said is of; nobody keeps it for that.
  std::weak_ptr<const Dataset> particles_;
  std::weak_ptr<const Dataset> pixels_;
  std::uint64_t job_ = 0;
  /// Counts what was asked: the answer to an older question is not shown.
  std::uint64_t newest_ = 0;
};

}  // namespace aprscope::gui
