// The dialogs of the window; none of them blocks running jobs.
#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>

#include "app/gui/document/channel_items.hpp"
#include "app/gui/document/turn_export.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/file_patterns.hpp"
#include "app/gui/widgets/profile_plot.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/compare_export_dialog.hpp"
#include "app/gui/window/crop_box.hpp"
#include "app/gui/window/crop_dialog.hpp"
#include "app/gui/window/dataset_dialog.hpp"
#include "app/gui/window/export_dialog.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/memory_dialog.hpp"
#include "app/gui/window/parts_words.hpp"
#include "app/gui/window/shortcuts_dialog.hpp"
#include "app/gui/window/shown_picture.hpp"
#include "app/gui/window/voxel_dialog.hpp"
#include "core/base/system.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/pipeline/series.hpp"
#include "core/pipeline/stitching.hpp"
#include "render/screenshot.hpp"

namespace aprscope::gui {
namespace {

const QString kFolder = QStringLiteral("folder");
constexpr int kFromEdge = 40;  // of the window, in logical pixels

QString last_folder() { return open_settings()->value(kFolder, QDir::homePath()).toString(); }

void remember_folder(const QString& file) {
  open_settings()->setValue(kFolder, QFileInfo(file).absolutePath());
}

}  // namespace

void MainWindow::ask_open() {
  const QString filter = tr("Images and particles (%1);;Workspaces (*.aprscope);;All files (*)")
                             .arg(readable_patterns());
  auto* dialog = new QFileDialog(this, tr("Open"), last_folder(), filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
    if (files.isEmpty()) return;
    remember_folder(files.front());
    document_.opener().open(files);
  });
  dialog->open();
}

void MainWindow::ask_open_folder() {
  auto* dialog = new QFileDialog(this, tr("Open a folder"), last_folder());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
    remember_folder(folder);
    document_.opener().open({folder});
  });
  dialog->open();
}

void MainWindow::ask_export(std::uint64_t id) {
  const Item* item = document_.items().find(id);
  if (item == nullptr) return;
  document_.items().set_current(id);
  auto* dialog = new ExportDialog(*item, document_.items().full_name(id), last_folder(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const QString path = dialog->path();
    remember_folder(path);
    export_to(path, dialog->options());
  });
  dialog->open();
}

void MainWindow::ask_export_comparison() {
  if (!comparison_->active()) return;
  const QString name =
      QStringLiteral("%1_and_%2").arg(comparison_->a()->name, comparison_->b()->name);
  auto* dialog = new CompareExportDialog(
      QString(name).replace(QRegularExpression(QStringLiteral("[^\\w.-]+")), QStringLiteral("_")),
      last_folder(), !compare_area_->profile().a().values.empty(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const CompareExport what = dialog->choice();
    remember_folder(what.path);
    export_comparison(document_, *comparison_, *compare_area_, what);
  });
  dialog->open();
}

void MainWindow::export_to(const QString& path, const ExportOptions& options) {
  if ((options.turn || is_movie_file(path.toStdString())) &&
      document_.items().current() != nullptr) {
    export_turn(document_, *document_.items().current(), path, options.frames,
                views_->mip().rays().surface());
  } else if (QFileInfo(path).suffix().toLower() == QLatin1String("png")) {
    save_picture(path);
  } else if (document_.items().current() != nullptr) {
    document_.exporter().export_item(document_.items().current()->id, path, options);
  }
}

void MainWindow::save_picture(const QString& path) {
  const QImage image = shown_picture(*views_, comparison_->active() ? compare_area_ : nullptr);
  document_.jobs().post(
      Lane::full, tr("Writing %1").arg(QFileInfo(path).fileName()), {}, this,
      [image, path](const JobContext&) -> Result<bool> {
        if (Status saved = save_png(image, path.toStdString()); !saved) return saved.error();
        return true;
      },
      [this, path](const Result<bool>& written) {
        if (!written) {
          document_.messages().say(written.error());
        } else {
          emit document_.exporter().exported(path);
        }
      });
}

void MainWindow::ask_dataset(const SourceInfo& info) {
  auto* dialog = new DatasetDialog(info, document_.background(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog] { document_.opener().open(dialog->paths()); });
  connect(dialog, &DatasetDialog::together_requested, this, [this, info] {
    ask_tile_list(
        info, tr("List of the tiles"), QStringLiteral(".tiles.txt"),
        [this, info](const QString& path) { document_.opener().stitcher().list(info, path); });
  });
  dialog->open();
}

void MainWindow::ask_voxel_size() {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  auto* dialog =
      new VoxelDialog(document_.items().full_name(item->id), item->dataset->voxel(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, id = item->id] { document_.edits().set_voxel_size(id, dialog->voxel()); });
  dialog->open();
}

void MainWindow::ask_memory() {
  LargeFiles& files = document_.opener().large_files();
  auto* dialog = new MemoryDialog(files.chosen_memory(), available_bytes(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [dialog, &files] {
    if (!dialog->changed()) return;
    files.set_memory(dialog->bytes());
    keep_memory(dialog->bytes());
  });
  dialog->open();
}

void MainWindow::ask_recipe() {
  auto* dialog = new QFileDialog(this, tr("Apply a recipe"), last_folder(),
                                 tr("Recipes (*.json);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& file) { document_.opener().open(QStringList{file}); });
  dialog->open();
}

void MainWindow::ask_crop() {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  for (CropDialog* open : findChildren<CropDialog*>()) {
    if (!open->isVisible()) continue;
    open->raise();
    open->activateWindow();
    return;
  }
  // The box is drawn in the slices of one data set.
  if (comparison_->active()) action(QStringLiteral("compare"))->trigger();
  // The item shows a level of a file: the box is read from the file.
  if (file_level(*item)) return document_.opener().large_files().look_up(item->id);
  show_crop_dialog(item->id, item->dataset->size(), nullptr);
}

void MainWindow::show_crop_dialog(std::uint64_t id, const Size3& size, const SourceInfo* of_level) {
  const Item* item = document_.items().find(id);
  if (item == nullptr || item != document_.items().current()) return;
  // Results of jobs that run do not call the user away.
  document_.items().set_current(id);
  const QString name = document_.items().full_name(id);
  auto* dialog = new CropDialog(
      of_level != nullptr ? tr("%1, read from its file at full resolution").arg(name) : name, size,
      of_level != nullptr || item->is_apr(), document_.view().options().axes, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const Size3 shown = item->dataset->size();
  const std::optional<Region> clip = document_.view().clip();
  auto* box = new CropBox(*views_, *dialog, shown, size);
  dialog->set_box(box->to_cut(clip.value_or(views_->seen())));
  const auto look = [this, dialog, id, shown] {
    const Item* now = document_.items().current();
    if (now == nullptr || now->id != id || now->dataset->size() != shown) dialog->reject();
  };
  connect(&document_.items(), &ItemList::current_changed, dialog, look);
  connect(&document_.items(), &ItemList::data_changed, dialog, look);
  connect(comparison_, &Comparison::active_changed, dialog, [dialog](bool on) {
    if (on) dialog->reject();
  });
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, id, info = of_level != nullptr ? std::optional(*of_level) : std::nullopt] {
            const Item* now = document_.items().find(id);
            if (now == nullptr) return;
            if (info) {
              LargeFiles& files = document_.opener().large_files();
              files.open_box(*now, *info, dialog->box());
              if (!document_.runner().to_all_channels()) return;
              // Whether their overviews are there or not.
              for (const ItemChannel& one : document_.channels().of(*now)) {
                if (one.chosen || !one.look.visible) continue;
                files.open_box(*now, *info, dialog->box(), one.number);
              }
            } else {
              document_.items().set_current(id);
              document_.runner().apply(Operation{"crop", {{"region", region_text(dialog->box())}}});
            }
          });
  // Beside the slices, which stay in use.
  dialog->adjustSize();
  dialog->move(mapToGlobal(QPoint(width() - dialog->width() - kFromEdge, kFromEdge)));
  dialog->show();
}

void MainWindow::ask_conversion(const SourceInfo& info, const SourceSelection& selection) {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setObjectName(QStringLiteral("conversion_box"));
  box->setIcon(QMessageBox::Question);
  box->setWindowTitle(tr("Larger than memory"));
  box->setTextFormat(Qt::PlainText);
  const QString size =
      QStringLiteral("%1 × %2 × %3").arg(info.size.z).arg(info.size.x).arg(info.size.y);
  box->setText(tr("%1 (%2 pixels) does not fit into memory.\n\nIt can be converted to particles "
                  "slice by slice, with the parameters of the Convert panel. The result is a file, "
                  "which is then opened.")
                   .arg(QString::fromStdString(info.path.filename().string()), size));
  box->setStandardButtons(QMessageBox::Cancel);
  QPushButton* convert = box->addButton(tr("Convert …"), QMessageBox::AcceptRole);
  box->setDefaultButton(convert);
  // The estimate may be wrong, so the user may open it nevertheless.
  QPushButton* all = box->addButton(tr("Open it all the same"), QMessageBox::ActionRole);
  connect(all, &QPushButton::clicked, this,
          [this, info, selection] { document_.opener().open_whole(info, selection); });
  const std::vector<SourceSelection> every = all_parts(info);
  QCheckBox* together = nullptr;
  if (every.size() > 1) {
    together =
        new QCheckBox(tr("Convert %1 into the one file")
                          .arg(all_parts_words(static_cast<int>(info.channels.size()), info.times)),
                      box);
    together->setChecked(true);
    box->setCheckBox(together);
  }
  connect(convert, &QPushButton::clicked, this, [this, info, selection, every, together] {
    const bool checked = together != nullptr && together->isChecked();
    ask_converted_name(info, checked ? every : std::vector{selection});
  });
  if (is_tile_set(info)) {
    QPushButton* first = box->addButton(tr("Register the tiles first"), QMessageBox::ActionRole);
    first->setObjectName(QStringLiteral("register_first"));
    connect(first, &QPushButton::clicked, this,
            [this, info, selection] { ask_stitched_name(info, selection); });
  }
  box->open();
}

void MainWindow::ask_converted_name(const SourceInfo& info,
                                    const std::vector<SourceSelection>& parts) {
  const QString name = QString::fromStdString(info.path.stem().string()) + QStringLiteral(".apr");
  const QString folder = QString::fromStdString(info.path.parent_path().string());
  auto* dialog = new QFileDialog(this, tr("Convert to"), folder, tr("Particles (*.apr)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("apr"));
  dialog->selectFile(name);
  connect(dialog, &QFileDialog::fileSelected, this, [this, info, parts](const QString& path) {
    remember_folder(path);
    document_.opener().large_files().convert(info, parts, document_.preview().convert_operation(),
                                             path);
  });
  dialog->open();
}

void MainWindow::ask_applied_name() {
  const Item* item = document_.items().current();
  if (item == nullptr || steps_on_box(*item).empty()) return;
  const QFileInfo source(QString::fromStdString(item->recipe.input));
  auto* dialog = new QFileDialog(this, tr("Apply to all of %1").arg(source.fileName()),
                                 source.absolutePath(), tr("Particles (*.apr)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("apr"));
  dialog->selectFile(source.completeBaseName() + QLatin1Char('-') +
                     QString::fromStdString(item->recipe.steps.back().id) + QStringLiteral(".apr"));
  connect(dialog, &QFileDialog::fileSelected, this, [this, id = item->id](const QString& path) {
    remember_folder(path);
    const Item* now = document_.items().find(id);
    if (now == nullptr) return;
    std::vector<Item> items{*now};
    if (document_.runner().to_all_channels()) {
      // Each with its own steps, which may have found other numbers.
      ChannelItems others = other_channels(*now, document_.channels());
      for (Item& other : others.items) {
        if (steps_on_box(other).empty()) {
          others.missing << other.name;
        } else {
          items.push_back(std::move(other));
        }
      }
      if (!others.missing.isEmpty()) {
        document_.messages().say(
            MessageKind::warning,
            tr("%1: there are no such steps on a box of it, so it is left out.")
                .arg(others.missing.join(QStringLiteral(", "))));
      }
    }
    document_.opener().large_files().apply_to_whole(items, path);
  });
  dialog->open();
}

void MainWindow::ask_stitched_name(const SourceInfo& info, const SourceSelection& selection) {
  ask_tile_list(info, tr("List of the registered tiles"), QStringLiteral(".registered.txt"),
                [this, info, selection](const QString& path) {
                  document_.opener().stitcher().stitch(info, selection, path);
                });
}

// Asks for the name of a list beside the tiles.
void MainWindow::ask_tile_list(const SourceInfo& tiles, const QString& title, const QString& ending,
                               const std::function<void(const QString& path)>& named) {
  const QString folder = QString::fromStdString(tiles.path.parent_path().string());
  auto* dialog = new QFileDialog(this, title, folder, tr("Tile list (*.txt)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("txt"));
  dialog->selectFile(QString::fromStdString(tiles.path.stem().string()) + ending);
  connect(dialog, &QFileDialog::fileSelected, this, named);
  dialog->open();
}

void MainWindow::show_shortcuts() {
  QList<QAction*> actions;
  for (QAction* made : findChildren<QAction*>()) {
    if (!made->objectName().isEmpty() && made->parent() == this) actions << made;
  }
  auto* dialog = new ShortcutsDialog(actions, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void MainWindow::show_about() {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("About aprscope"));
  box->setTextFormat(Qt::RichText);
  box->setIconPixmap(QIcon(QStringLiteral(":/icons/aprscope.svg")).pixmap(72, 72));
  box->setText(tr("<h3>aprscope %1</h3>"
                  "<p>A viewer and filter workbench for Adaptive Particle Representations of "
                  "3-D fluorescence images.</p>"
                  "<p>Computing on: %2</p>"
                  "<p>The source is licensed under Apache-2.0. This program links QCustomPlot, "
                  "which makes the binary GPL-3.</p>")
                   .arg(QStringLiteral(APRSCOPE_VERSION),
                        QString::fromStdString(document_.backend().name()).toHtmlEscaped()));
  box->open();
}

}  // namespace aprscope::gui
