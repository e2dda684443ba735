#pragma once

#include <QDialog>
#include <QStringList>
#include <functional>

#include "app/gui/document/document.hpp"

class QCheckBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace aprscope::gui {

/// Asks what to write (particles, pixels, picture of the views, a movie, recipe) and where; `name`
/// becomes the name of the file.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(const Item& item, const QString& name, const QString& folder,
               QWidget* parent = nullptr);

  [[nodiscard]] QString path() const;
  [[nodiscard]] ExportOptions options() const;

  /// Asks before it replaces a file; "No" leads back to what was typed.
  void accept() override;

 private:
  void follow_format();
  void browse();
  [[nodiscard]] QString ending() const;

  QRadioButton* table_ = nullptr;
  QRadioButton* apr_ = nullptr;
  QRadioButton* tiff_ = nullptr;
  QRadioButton* mrc_ = nullptr;
  QRadioButton* zarr_ = nullptr;
  QCheckBox* halves_ = nullptr;
  QRadioButton* labels_ = nullptr;
  QRadioButton* png_ = nullptr;
  QRadioButton* movie_ = nullptr;
  QSpinBox* frames_ = nullptr;
  QRadioButton* recipe_ = nullptr;
  QCheckBox* tree_ = nullptr;
  QCheckBox* smooth_ = nullptr;
  QLineEdit* path_ = nullptr;
  QPushButton* write_ = nullptr;
  /// The files that a path becomes, where that is not the path alone.
  std::function<QStringList(const QString&)> files_;
};

}  // namespace aprscope::gui
