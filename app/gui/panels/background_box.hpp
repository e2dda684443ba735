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

/// The light of an image that does not come from the specimen: the camera's offset (a number, or
/// guessed from the darkest pixels), and a background (a number or a file). A guess is computed in
/// the background for each new image, shown in the field, and used as a number in the operation.
class BackgroundBox : public QWidget {
  Q_OBJECT

 public:
  explicit BackgroundBox(JobBridge& jobs, QWidget* parent = nullptr);

  /// The data to guess the offset from; null: there is none.
  void set_target(std::shared_ptr<const Dataset> target);
  /// Shows the offset and background of an operation.
  void set_operation(const Operation& operation);
  /// Returns the operation with offset and background; a known guess is its offset.
  [[nodiscard]] Operation with_background(Operation operation) const;
  /// Whether a guess is needed but still unknown: runs and previews cannot begin.
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
  /// The guess for the target.
  std::optional<double> guess_;
  bool asked_ = false;
};

}  // namespace aprscope::gui
