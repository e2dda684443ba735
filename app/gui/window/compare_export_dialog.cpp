#include "app/gui/window/compare_export_dialog.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "app/gui/widgets/may_replace.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "core/base/process.hpp"

namespace aprscope::gui {

CompareExportDialog::CompareExportDialog(const QString& name, const QString& folder, bool has_line,
                                         QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Export the comparison"));
  setObjectName(QStringLiteral("compare_export_dialog"));
  setMinimumWidth(520);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 18, 18, 14);
  layout->setSpacing(8);
  const auto indented = [&](QWidget* first, QWidget* second = nullptr) {
    auto* row = new QHBoxLayout;
    row->addSpacing(24);
    row->addWidget(first, second == nullptr ? 1 : 0);
    if (second != nullptr) row->addWidget(second);
    if (second != nullptr) row->addStretch(1);
    layout->addLayout(row);
  };
  figure_ = new QRadioButton(tr("Figure of the slices with scale bar and captions (.png)"), this);
  difference_ = new QCheckBox(tr("with the difference B − A"), this);
  difference_->setChecked(true);
  metrics_ = new QRadioButton(tr("Table of the metrics, of time and memory (.csv)"), this);
  profile_ = new QRadioButton(tr("Table of the line profile (.csv)"), this);
  profile_->setEnabled(has_line);
  profile_->setToolTip(has_line ? QString() : tr("Draw a line in a slice first"));
  const bool video = find_program("ffmpeg").has_value();
  movie_ = new QRadioButton(video ? tr("Movie of both projections turning (.mp4, .webm, or a "
                                       "folder of .png)")
                                  : tr("Both projections turning (a folder of .png)"),
                            this);
  movie_->setToolTip(video ? QString()
                           : tr("Videos need the program ffmpeg, which is not installed"));
  frames_ = new WholeField(2, 2000, this);
  frames_->setValue(120);
  frames_->setSuffix(tr(" pictures a turn"));
  figure_->setObjectName(QStringLiteral("export_figure"));
  metrics_->setObjectName(QStringLiteral("export_metrics"));
  profile_->setObjectName(QStringLiteral("export_profile"));
  movie_->setObjectName(QStringLiteral("export_movie"));
  frames_->setObjectName(QStringLiteral("export_frames"));
  path_ = new QLineEdit(QDir(folder).filePath(name), this);
  path_->setObjectName(QStringLiteral("export_path"));
  auto* browse_button = new QPushButton(tr("Browse …"), this);
  layout->addWidget(figure_);
  indented(difference_);
  layout->addWidget(metrics_);
  layout->addWidget(profile_);
  layout->addWidget(movie_);
  indented(frames_, new QLabel(this));
  layout->addSpacing(10);
  auto* row = new QHBoxLayout;
  row->addWidget(path_, 1);
  row->addWidget(browse_button);
  layout->addLayout(row);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  write_ = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
  write_->setDefault(true);
  layout->addWidget(buttons);
  figure_->setChecked(true);
  for (QRadioButton* kind : {figure_, metrics_, profile_, movie_}) {
    connect(kind, &QRadioButton::toggled, this, &CompareExportDialog::follow_kind);
  }
  connect(browse_button, &QPushButton::clicked, this, &CompareExportDialog::browse);
  connect(path_, &QLineEdit::textChanged, this,
          [this](const QString& text) { write_->setEnabled(!text.trimmed().isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &CompareExportDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  follow_kind();
}

QString CompareExportDialog::ending() const {
  if (figure_->isChecked()) return QStringLiteral(".png");
  if (!movie_->isChecked()) return QStringLiteral(".csv");
  return find_program("ffmpeg") ? QStringLiteral(".mp4") : QString();
}

void CompareExportDialog::follow_kind() {
  difference_->setEnabled(figure_->isChecked());
  frames_->setEnabled(movie_->isChecked());
  QString stem = path_->text();
  for (const char* known : {".png", ".csv", ".mp4", ".webm"}) {
    if (stem.endsWith(QLatin1String(known), Qt::CaseInsensitive)) {
      stem.chop(static_cast<int>(qstrlen(known)));
      break;
    }
  }
  path_->setText(stem + ending());
}

void CompareExportDialog::browse() {
  const QString filter = ending().isEmpty() ? QString() : QStringLiteral("*") + ending();
  const QString chosen = QFileDialog::getSaveFileName(this, tr("Export to"), path_->text(), filter,
                                                      nullptr, QFileDialog::DontConfirmOverwrite);
  if (!chosen.isEmpty()) path_->setText(chosen);
}

CompareExport CompareExportDialog::choice() const {
  CompareExport what;
  what.kind = figure_->isChecked()    ? CompareExport::Kind::figure
              : metrics_->isChecked() ? CompareExport::Kind::metrics
              : profile_->isChecked() ? CompareExport::Kind::profile
                                      : CompareExport::Kind::movie;
  what.path = path_->text().trimmed();
  const bool bare = QFileInfo(what.path).suffix().isEmpty();
  // For a movie, a name without an ending is a folder.
  if (bare && what.kind != CompareExport::Kind::movie) what.path += ending();
  what.with_difference = difference_->isChecked();
  what.frames = frames_->value();
  return what;
}

void CompareExportDialog::accept() {
  if (may_replace(this, choice().path)) QDialog::accept();
}

}  // namespace aprscope::gui
