#pragma once

#include <QDialog>

#include "app/gui/compare/compare_export.hpp"

class QCheckBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace aprscope::gui {

/// Asks what to export of a comparison, and to which file.
class CompareExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `name`: the proposed file name without ending; `has_line`: whether there is a profile.
  CompareExportDialog(const QString& name, const QString& folder, bool has_line,
                      QWidget* parent = nullptr);

  [[nodiscard]] CompareExport choice() const;

  /// Asks before replacing a file; after "No" the dialog stays open.
  void accept() override;

 private:
  void follow_kind();
  void browse();
  [[nodiscard]] QString ending() const;

  QRadioButton* figure_ = nullptr;
  QCheckBox* difference_ = nullptr;
  QRadioButton* metrics_ = nullptr;
  QRadioButton* profile_ = nullptr;
  QRadioButton* movie_ = nullptr;
  QSpinBox* frames_ = nullptr;
  QLineEdit* path_ = nullptr;
  QPushButton* write_ = nullptr;
};

}  // namespace aprscope::gui
