#pragma once

#include <QDialog>
#include <QStringList>
#include <functional>

#include "app/gui/document/document.hpp"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace aprscope::gui {

/// Asks what to export (particles, pixels, a picture of the views, a movie, a recipe) and to which
/// file; `name` is the proposed file name.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(const Item& item, const QString& name, const QString& folder,
               QWidget* parent = nullptr);

  [[nodiscard]] QString path() const;
  [[nodiscard]] ExportOptions options() const;

  /// Asks before replacing a file; after "No" the dialog stays open.
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
  QComboBox* zarr_version_ = nullptr;
  QCheckBox* zarr_parts_ = nullptr;
  QCheckBox* halves_ = nullptr;
  QRadioButton* labels_ = nullptr;
  QRadioButton* png_ = nullptr;
  QRadioButton* movie_ = nullptr;
  QSpinBox* frames_ = nullptr;
  QRadioButton* recipe_ = nullptr;
  QCheckBox* tree_ = nullptr;
  QCheckBox* parts_ = nullptr;
  QCheckBox* smooth_ = nullptr;
  QLineEdit* path_ = nullptr;
  QPushButton* write_ = nullptr;
  /// For a path, the files that are written if it is not just the path itself.
  std::function<QStringList(const QString&)> files_;
};

}  // namespace aprscope::gui
