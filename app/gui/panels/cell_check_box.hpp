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

/// Finds cells on particles and on the image that they were made from, and tells what the
/// conversion changed. Visible if the current item is particles and such an image is in the list.
class CellCheckBox : public QWidget {
  Q_OBJECT

 public:
  CellCheckBox(Document& document, QWidget* parent);

  /// The operation that finds cells; forgets the result of another operation.
  void set_operation(const Operation& operation);

 private:
  void renew();
  void check();
  void forget();

  Document& document_;
  Operation operation_;
  QPushButton* button_ = nullptr;
  SteadyLabel* finding_ = nullptr;
  /// The data that the shown result belongs to; weak, so that it is not kept alive for this.
  std::weak_ptr<const Dataset> particles_;
  std::weak_ptr<const Dataset> pixels_;
  std::uint64_t job_ = 0;
  /// Counts requests, so that the result of an older one is ignored.
  std::uint64_t newest_ = 0;
};

}  // namespace aprscope::gui
