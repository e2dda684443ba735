#pragma once

#include <QDialog>

#include "app/gui/document/job_bridge.hpp"
#include "core/io/image_source.hpp"

class QTreeWidget;
class QTreeWidgetItem;

namespace aprscope::gui {

/// Asks which volumes of an HDF5 file to open. Shows each with its size, type and, once it is read,
/// a thumbnail of its middle slice. The proposed volume is selected. Those that lie beside each
/// other can be opened as one image.
class DatasetDialog : public QDialog {
  Q_OBJECT

 public:
  DatasetDialog(const SourceInfo& info, JobBridge& background, QWidget* parent = nullptr);

  /// The selected volumes, as "file.h5:/path".
  [[nodiscard]] QStringList paths() const;

 signals:
  /// All of them as one image; the dialog is closed.
  void together_requested();

 private:
  void describe(QTreeWidgetItem* row, const std::string& dataset);

  SourceInfo info_;
  JobBridge& background_;
  QTreeWidget* list_ = nullptr;
};

}  // namespace aprscope::gui
