#include "app/gui/window/export_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
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
#include <array>
#include <initializer_list>

#include "app/gui/document/channels.hpp"
#include "app/gui/widgets/may_replace.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/parts_words.hpp"
#include "core/base/process.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/measurement_write.hpp"
#include "core/operations/project/half_map_files.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope::gui {
namespace {

constexpr int kMostFrames = 2000;

bool has_ffmpeg() { return find_program("ffmpeg").has_value(); }

QString file_name(QString name) {
  for (const char* bad : {"/", "\\", ":", "*", "?", "\"", "<", ">", "|", "›"}) {
    name.replace(QString::fromUtf8(bad), QStringLiteral(" "));
  }
  return name.simplified().replace(QLatin1Char(' '), QLatin1Char('_'));
}

// Whether other channels and time points can be made as the item was. Objects that were corrected
// by hand are of this one alone.
bool has_other_parts(const Item& item) {
  return !item.is_measurement() && item.file_channels * item.file_times > 1 &&
         !item.recipe.input.empty() && !item.dataset->labels();
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
  parts_ = new QCheckBox(all_parts_words(item.file_channels, item.file_times), this);
  parts_->setObjectName(QStringLiteral("export_all_parts"));
  zarr_parts_ = new QCheckBox(parts_->text(), this);
  zarr_parts_->setObjectName(QStringLiteral("export_zarr_parts"));
  for (QCheckBox* box : {parts_, zarr_parts_}) {
    box->setToolTip(tr("Each is read from the file and made by the steps of the history"));
  }
  tiff_ = new QRadioButton(
      item.is_apr() ? tr("Pixels reconstructed from the particles (.tif)") : tr("Pixels (.tif)"),
      this);
  smooth_ = new QCheckBox(tr("smooth, instead of one value for each cell"), this);
  mrc_ = new QRadioButton(tr("Map, for programs of electron microscopy (.mrc)"), this);
  mrc_->setObjectName(QStringLiteral("export_mrc"));
  zarr_ = new QRadioButton(tr("Pyramid, for other viewers (.ome.zarr)"), this);
  zarr_->setObjectName(QStringLiteral("export_zarr"));
  zarr_version_ = new QComboBox(this);
  zarr_version_->setObjectName(QStringLiteral("export_zarr_version"));
  zarr_version_->setAccessibleName(tr("Version of OME-Zarr"));
  zarr_version_->addItem(tr("OME-Zarr 0.4, which most programs read"));
  zarr_version_->addItem(tr("OME-Zarr 0.5, in fewer and larger files"));
  halves_ = new QCheckBox(tr("with both half maps"), this);
  halves_->setObjectName(QStringLiteral("export_halves"));
  labels_ = new QRadioButton(tr("Labels of the cells, for other programs (.tif)"), this);
  labels_->setObjectName(QStringLiteral("export_labels"));
  png_ = new QRadioButton(tr("Picture of the views (.png)"), this);
  const bool video = has_ffmpeg();
  movie_ = new QRadioButton(video ? tr("Movie of the projection turning (.mp4, .webm, or a folder "
                                       "of .png)")
                                  : tr("The projection turning (a folder of .png)"),
                            this);
  movie_->setObjectName(QStringLiteral("export_movie"));
  if (!video) movie_->setToolTip(tr("Videos need the program ffmpeg, which is not installed"));
  frames_ = new WholeField(2, kMostFrames, this);
  frames_->setObjectName(QStringLiteral("export_frames"));
  frames_->setAccessibleName(tr("Pictures a turn"));
  frames_->setValue(ExportOptions().frames);
  frames_->setSuffix(tr(" pictures a turn"));
  table_ = new QRadioButton(tr("Curves and tables (.csv, one file each)"), this);
  recipe_ = new QRadioButton(tr("Recipe: the steps that lead here (.json)"), this);
  path_ = new QLineEdit(this);
  path_->setObjectName(QStringLiteral("export_path"));
  path_->setText(QDir(folder).filePath(file_name(name)));
  auto* browse_button = new QPushButton(tr("Browse …"), this);
  const auto indented = [&](QWidget* box) {
    auto* row = new QHBoxLayout;
    row->addSpacing(24);
    row->addWidget(box);
    row->addStretch(1);
    layout->addLayout(row);
  };
  layout->addWidget(table_);
  layout->addWidget(apr_);
  indented(tree_);
  indented(parts_);
  layout->addWidget(tiff_);
  indented(smooth_);
  layout->addWidget(mrc_);
  indented(halves_);
  layout->addWidget(zarr_);
  indented(zarr_version_);
  indented(zarr_parts_);
  layout->addWidget(labels_);
  layout->addWidget(png_);
  layout->addWidget(movie_);
  indented(frames_);
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
  tree_->setChecked(item.is_apr() && has_tree_by_default(item.dataset->apr().access->size()));
  parts_->setVisible(item.is_apr() && has_other_parts(item));
  parts_->setChecked(item.is_apr() && has_other_parts(item) && Channels::shown(item));
  zarr_parts_->setVisible(has_other_parts(item));
  zarr_parts_->setChecked(has_other_parts(item));
  recipe_->setEnabled(!item.recipe.steps.empty());
  table_->setVisible(item.is_measurement());
  const auto* made = item.is_apr() ? nullptr : item.dataset->volume().reconstruction.get();
  halves_->setVisible(made != nullptr && !made->half1.empty() && !item.is_measurement());
  halves_->setChecked(true);
  labels_->setVisible(item.dataset->labels() != nullptr && !item.is_measurement());
  if (item.is_measurement()) {
    files_ = [measured = item.measurement](const QString& path) {
      QStringList files;
      for (const TableFile& file : table_files(std::array{measured}, path.toStdString())) {
        files << QString::fromStdString(file.path.string());
      }
      return files;
    };
    for (QWidget* of_data :
         std::initializer_list<QWidget*>{apr_, tree_, parts_, tiff_, mrc_, zarr_, zarr_version_,
                                         zarr_parts_, smooth_, movie_, frames_}) {
      of_data->hide();
    }
  }
  (item.is_measurement() ? table_ : item.is_apr() ? apr_ : tiff_)->setChecked(true);
  for (QRadioButton* format : {table_, apr_, tiff_, mrc_, zarr_, labels_, png_, movie_, recipe_}) {
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
  if (movie_->isChecked()) return has_ffmpeg() ? QStringLiteral(".mp4") : QString();
  if (table_->isChecked()) return QStringLiteral(".csv");
  return apr_->isChecked()                            ? QStringLiteral(".apr")
         : tiff_->isChecked() || labels_->isChecked() ? QStringLiteral(".tif")
         : mrc_->isChecked()                          ? QStringLiteral(".mrc")
         : zarr_->isChecked()                         ? QStringLiteral(".ome.zarr")
         : png_->isChecked()                          ? QStringLiteral(".png")
                                                      : QStringLiteral(".json");
}

// Sets the ending for the chosen format, unless the user has typed another suitable one.
void ExportDialog::follow_format() {
  tree_->setEnabled(apr_->isChecked());
  parts_->setEnabled(apr_->isChecked());
  zarr_version_->setEnabled(zarr_->isChecked());
  zarr_parts_->setEnabled(zarr_->isChecked());
  smooth_->setEnabled(tiff_->isChecked() || mrc_->isChecked());
  halves_->setEnabled(mrc_->isChecked());
  frames_->setEnabled(movie_->isChecked());
  const QFileInfo info(path_->text());
  const QString old = info.suffix().toLower();
  QString stem = path_->text();
  for (const char* known :
       {"apr", "tif", "tiff", "mrc", "map", "png", "mp4", "webm", "csv", "json"}) {
    if (old == QLatin1String(known)) stem.chop(old.size() + 1);
  }
  if (old == QLatin1String("zarr")) {
    stem.chop(old.size() + 1);
    if (stem.endsWith(QLatin1String(".ome"), Qt::CaseInsensitive)) stem.chop(4);
  }
  if (ending().isEmpty()) {
    // For a folder: a dot in its name would be taken for the beginning of an ending.
    const QFileInfo now(stem);
    stem = now.dir().filePath(now.fileName().replace(QLatin1Char('.'), QLatin1Char('_')));
  }
  path_->setText(stem + ending());
}

void ExportDialog::browse() {
  const QString filter = ending().isEmpty() ? QString() : QLatin1Char('*') + ending();
  const QString chosen = QFileDialog::getSaveFileName(this, tr("Export to"), path_->text(), filter,
                                                      nullptr, QFileDialog::DontConfirmOverwrite);
  if (chosen.isEmpty()) return;
  path_->setText(chosen);
  // A movie may also be a .webm or a folder, so its name is kept.
  if (!movie_->isChecked()) follow_format();
}

QString ExportDialog::path() const {
  const QString text = path_->text().trimmed();
  // For a movie, a name without an ending is a folder.
  const bool bare = QFileInfo(text).suffix().isEmpty() && !movie_->isChecked();
  return bare ? text + ending() : text;
}

void ExportDialog::accept() {
  QStringList files = table_->isChecked() && files_ ? files_(path()) : QStringList{path()};
  if (options().halves) {
    for (const int half : {1, 2}) {
      files << QString::fromStdString(half_map_path(path().toStdString(), half).string());
    }
  }
  for (const QString& file : files) {
    if (!may_replace(this, file)) return;
  }
  QDialog::accept();
}

// Also of a dialog that was accepted, which is hidden by then.
ExportOptions ExportDialog::options() const {
  const auto all = [this](const QRadioButton* format, const QCheckBox* box) {
    return format->isChecked() && box->isVisibleTo(this) && box->isChecked();
  };
  return {.with_tree = tree_->isChecked(),
          .all_parts = all(apr_, parts_) || all(zarr_, zarr_parts_),
          .smooth = smooth_->isChecked(),
          .labels = labels_->isChecked(),
          .halves = halves_->isVisibleTo(this) && halves_->isChecked() && mrc_->isChecked(),
          .turn = movie_->isChecked(),
          .frames = frames_->value(),
          .zarr = zarr_version_->currentIndex() == 1 ? OmeZarrVersion::v05 : OmeZarrVersion::v04};
}

}  // namespace aprscope::gui
