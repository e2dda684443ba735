#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

class QLabel;
class QPushButton;

namespace aprscope::gui {

class JobBridge;
class OperationForm;

/// What in an image is no light of the specimen: the camera's offset, as a number or guessed from
/// the darkest pixels, and a background, as a number or a file. A guess is made in the background
/// for every image that is chosen, shown in the field, and becomes a number in the operation.
class BackgroundBox : public QWidget {
  Q_OBJECT

 public:
  explicit BackgroundBox(JobBridge& jobs, QWidget* parent = nullptr);

  /// The data that a guess is made from; null: there is none.
  void set_target(std::shared_ptr<const Dataset> target);
  /// Shows those parameters of an operation.
  void set_operation(const Operation& operation);
  /// The operation with them; a guess that is known is its offset.
  [[nodiscard]] Operation with_background(Operation operation) const;
  /// A guess is wanted and not known yet: no run and no preview can begin.
  [[nodiscard]] bool pending() const;

 signals:
  void changed();

 private:
  void edited();
  void guess();
  void show_guess();
  void choose_file();
  [[nodiscard]] bool guesses() const;

  JobBridge& jobs_;
  OperationForm* form_ = nullptr;
  QPushButton* file_ = nullptr;
  QLabel* note_ = nullptr;
  std::shared_ptr<const Dataset> target_;
  /// Of the target.
  std::optional<double> guess_;
  bool asked_ = false;
};

}  // namespace aprscope::gui
