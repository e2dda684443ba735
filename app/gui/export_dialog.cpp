#include "app/gui/export_dialog.hpp"

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

#include "app/gui/may_replace.hpp"

namespace aprscope::gui {
namespace {

QString file_name(QString name) {
  for (const char* bad : {"/", "\\", ":", "*", "?", "\"", "<", ">", "|", "›"}) {
    name.replace(QString::fromUtf8(bad), QStringLiteral(" "));
  }
  return name.simplified().replace(QLatin1Char(' '), QLatin1Char('_'));
}

}  // namespace

ExportDialog::ExportDialog(const Item& item, const QString& name, const QString& folder,
                           QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Export %1").arg(name));
  setObjectName(QStringLiteral("export_dialog"));
  setMinimumWidth(500);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 18, 18, 14);
  layout->setSpacing(8);
  apr_ = new QRadioButton(tr("Particles (.apr)"), this);
  tree_ = new QCheckBox(tr("with the tree of mean values"), this);
  tiff_ = new QRadioButton(
      item.is_apr() ? tr("Pixels reconstructed from the particles (.tif)") : tr("Pixels (.tif)"),
      this);
  smooth_ = new QCheckBox(tr("smooth instead of one value a cell"), this);
  png_ = new QRadioButton(tr("Picture of the views (.png)"), this);
  recipe_ = new QRadioButton(tr("Recipe: the steps that lead here (.json)"), this);
  path_ = new QLineEdit(this);
  path_->setObjectName(QStringLiteral("export_path"));
  path_->setText(QDir(folder).filePath(file_name(name)));
  auto* browse_button = new QPushButton(tr("Browse …"), this);
  const auto indented = [&](QCheckBox* box) {
    auto* row = new QHBoxLayout;
    row->addSpacing(24);
    row->addWidget(box);
    layout->addLayout(row);
  };
  layout->addWidget(apr_);
  indented(tree_);
  layout->addWidget(tiff_);
  indented(smooth_);
  layout->addWidget(png_);
  layout->addWidget(recipe_);
  layout->addSpacing(10);
  auto* row = new QHBoxLayout;
  row->addWidget(path_, 1);
  row->addWidget(browse_button);
  layout->addLayout(row);
  layout->addSpacing(6);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  write_ = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
  write_->setDefault(true);
  layout->addWidget(buttons);

  apr_->setEnabled(item.is_apr());
  smooth_->setVisible(item.is_apr());
  tree_->setVisible(item.is_apr());
  recipe_->setEnabled(!item.recipe.steps.empty());
  (item.is_apr() ? apr_ : tiff_)->setChecked(true);
  for (QRadioButton* format : {apr_, tiff_, png_, recipe_}) {
    connect(format, &QRadioButton::toggled, this, &ExportDialog::follow_format);
  }
  connect(browse_button, &QPushButton::clicked, this, &ExportDialog::browse);
  connect(path_, &QLineEdit::textChanged, this,
          [this](const QString& text) { write_->setEnabled(!text.trimmed().isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  follow_format();
}

QString ExportDialog::ending() const {
  return apr_->isChecked()    ? QStringLiteral("apr")
         : tiff_->isChecked() ? QStringLiteral("tif")
         : png_->isChecked()  ? QStringLiteral("png")
                              : QStringLiteral("json");
}

// The ending follows the format, unless the user typed an ending of their own for it.
void ExportDialog::follow_format() {
  tree_->setEnabled(apr_->isChecked());
  smooth_->setEnabled(tiff_->isChecked());
  const QFileInfo info(path_->text());
  const QString old = info.suffix().toLower();
  QString stem = path_->text();
  for (const char* known : {"apr", "tif", "tiff", "png", "json"}) {
    if (old == QLatin1String(known)) stem.chop(old.size() + 1);
  }
  path_->setText(stem + QLatin1Char('.') + ending());
}

void ExportDialog::browse() {
  const QString chosen = QFileDialog::getSaveFileName(this, tr("Export to"), path_->text(),
                                                      QStringLiteral("*.") + ending(), nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
  if (!chosen.isEmpty()) {
    path_->setText(chosen);
    follow_format();
  }
}

QString ExportDialog::path() const {
  const QString text = path_->text().trimmed();
  return QFileInfo(text).suffix().isEmpty() ? text + QLatin1Char('.') + ending() : text;
}

void ExportDialog::accept() {
  if (may_replace(this, path())) QDialog::accept();
}

ExportOptions ExportDialog::options() const { return {tree_->isChecked(), smooth_->isChecked()}; }

}  // namespace aprscope::gui
