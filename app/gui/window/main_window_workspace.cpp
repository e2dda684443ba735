// The workspace of the window: saves what is open, how it is shown and compared, and restores it.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <algorithm>
#include <array>
#include <utility>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/views/slice_cameras.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/bookmarks.hpp"
#include "app/gui/window/main_window.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array<const char*, 4> kPlaces{"xy", "3d", "yz", "xz"};  // as ViewPlace counts them
constexpr std::array<const char*, 4> kModes{"side", "reveal", "difference", "three"};

constexpr int kResultsNamed = 8;

template <class Names>
std::optional<int> index_of(const Names& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

QString with_ending(QString path) {
  const QString ending = QStringLiteral(".aprscope");
  return path.endsWith(ending, Qt::CaseInsensitive) ? path : path + ending;
}

}  // namespace

void MainWindow::build_workspace_actions(QMenu& menu) {
  connect(
      add_action(menu, "open_workspace", tr("Open &workspace …"), QKeySequence(tr("Ctrl+Shift+O"))),
      &QAction::triggered, this, &MainWindow::ask_open_workspace);
  QAction* save =
      add_action(menu, "save_workspace", tr("&Save workspace"), QKeySequence(tr("Ctrl+S")));
  save->setToolTip(tr("Data as paths and steps, views, contrast and comparison (Ctrl+S)"));
  connect(save, &QAction::triggered, this, [this] {
    if (workspace_path_.isEmpty()) return ask_save_workspace();
    if (const Status saved = save_workspace_to(workspace_path_); !saved) {
      document_.messages().say(saved.error());
    }
  });
  connect(add_action(menu, "save_workspace_as", tr("Save workspace &as …"),
                     QKeySequence(tr("Ctrl+Shift+S"))),
          &QAction::triggered, this, &MainWindow::ask_save_workspace);
}

void MainWindow::ask_open_workspace() {
  if (!workspace_may_go()) return;
  auto* dialog = new QFileDialog(this, tr("Open a workspace"), {},
                                 tr("Workspaces (*.aprscope);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::open_workspace_from);
  dialog->open();
}

void MainWindow::ask_save_workspace() {
  auto* dialog = new QFileDialog(this, tr("Save the workspace"), workspace_path_,
                                 tr("Workspaces (*.aprscope)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("aprscope"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    if (const Status saved = save_workspace_to(path); !saved)
      document_.messages().say(saved.error());
  });
  dialog->open();
}

// What would be lost on closing, in sentences: changes of a workspace or, without one, results that
// were never exported; and running jobs.
QStringList MainWindow::unsaved() const {
  QStringList lost;
  if (!workspace_path_.isEmpty()) {
    if (!document_.undo_stack().isClean()) {
      lost << tr("%1 has changed since it was saved.").arg(QFileInfo(workspace_path_).fileName());
    }
  } else {
    QStringList results;
    for (const Item& item : document_.items().all()) {
      if (!item.recipe.steps.empty() && item.saved_as.empty() && !item.exported &&
          !is_file_part(item)) {
        results << document_.items().full_name(item.id);
      }
    }
    const auto more = results.size() - kResultsNamed;
    if (more > 0) {
      results = results.mid(0, kResultsNamed);
      results << tr("and %1 more").arg(more);
    }
    if (!results.isEmpty()) {
      lost << tr("Not saved in a workspace and not exported:") + QStringLiteral("\n") +
                  results.join(QLatin1Char('\n'));
    }
  }
  return lost;
}

bool MainWindow::workspace_may_go() {
  QStringList lost = unsaved();
  const bool savable = !lost.isEmpty();
  if (const QStringList work = document_.jobs().working(); !work.isEmpty()) {
    lost << tr("Would be ended:") + QStringLiteral("\n") + work.join(QLatin1Char('\n'));
  }
  if (lost.isEmpty()) return true;
  QMessageBox box(this);
  box.setObjectName(QStringLiteral("unsaved_box"));
  box.setIcon(QMessageBox::Question);
  box.setWindowTitle(tr("Save the workspace?"));
  // Names may come from files, so they must not be interpreted as rich text.
  box.setTextFormat(Qt::PlainText);
  box.setText(lost.join(QStringLiteral("\n\n")));
  box.setStandardButtons(QMessageBox::Discard | QMessageBox::Cancel);
  if (savable) box.addButton(QMessageBox::Save);
  box.setDefaultButton(savable ? QMessageBox::Save : QMessageBox::Cancel);
  const int answer = box.exec();
  if (answer == QMessageBox::Discard) return true;
  if (answer != QMessageBox::Save) return false;
  QString path = workspace_path_;
  if (path.isEmpty()) {
    path = QFileDialog::getSaveFileName(this, tr("Save the workspace"), {},
                                        tr("Workspaces (*.aprscope)"));
    if (path.isEmpty()) return false;
  }
  const Status saved = save_workspace_to(path);
  if (!saved) document_.messages().say(saved.error());
  return saved.ok();
}

WindowWorkspace MainWindow::capture_workspace() {
  WindowWorkspace w = document_.workspace().capture();
  const ViewOptions& options = document_.view().options();
  w.views.captions = options.captions;
  w.views.heads_up = options.heads_up;
  w.views.box = options.box;
  w.views.planes = options.planes;
  w.views.slices_in_3d = options.slices;
  w.views.translucent = options.translucent;
  w.views.depth = options.depth;
  if (const auto place = views_->maximised()) {
    w.views.shown = kPlaces[static_cast<std::size_t>(*place)];
  }
  w.views.slices = slice_cameras(*views_);
  if (document_.items().current() != nullptr)
    w.views.camera = views_->mip().navigation().ray_camera();
  w.views.clip = document_.view().clip();
  w.views.bookmarks = findChild<Bookmarks*>()->places();
  const CompareSettings& s = comparison_->settings();
  WorkspaceComparison& c = w.comparison;
  c.active = comparison_->active();
  if (comparison_->a() != nullptr) c.a = comparison_->a()->id;
  if (comparison_->b() != nullptr) c.b = comparison_->b()->id;
  c.mode = kModes[static_cast<std::size_t>(s.mode)];
  c.place = kPlaces[static_cast<std::size_t>(s.place)];
  c.same_contrast = s.same_contrast;
  c.reveal = s.reveal;
  c.difference_range = s.difference_range;
  c.line_tool = s.line_tool;
  c.line = s.line;
  c.line_width = s.line_width;
  return w;
}

Status MainWindow::save_workspace_to(const QString& given) {
  const QString path = with_ending(given);
  Status saved = save_workspace(capture_workspace(), path.toStdString());
  if (!saved) return saved;
  workspace_path_ = QFileInfo(path).absoluteFilePath();
  document_.undo_stack().setClean();
  add_recent_file(workspace_path_);
  emit document_.exporter().exported(path);
  return {};
}

void MainWindow::open_workspace_from(const QString& path) {
  auto workspace = load_window_workspace(path.toStdString());
  if (!workspace) {
    document_.messages().say(workspace.error());
    return;
  }
  const QString absolute = QFileInfo(path).absoluteFilePath();
  document_.workspace().open(
      *workspace, [this, absolute, read = *workspace,
                   first = true](const std::map<std::uint64_t, std::uint64_t>& ids) mutable {
        show_workspace(read, ids);
        // Only the first call: later changes, until the last results are there, are not saved.
        if (!std::exchange(first, false)) return;
        findChild<Bookmarks*>()->set_places(read.views.bookmarks);
        add_recent_file(absolute);
        workspace_path_ = absolute;
        document_.undo_stack().setClean();
      });
}

void MainWindow::show_workspace(const WindowWorkspace& w,
                                const std::map<std::uint64_t, std::uint64_t>& ids) {
  // Whether rows are called x is a preference of the user, not a part of the workspace.
  ViewOptions options = document_.view().options();
  options.captions = w.views.captions;
  options.heads_up = w.views.heads_up;
  options.box = w.views.box;
  options.planes = w.views.planes;
  options.slices = w.views.slices_in_3d;
  options.translucent = w.views.translucent;
  options.depth = w.views.depth;
  document_.view().set_options(options);
  const auto place = index_of(kPlaces, w.views.shown);
  views_->maximise(place ? std::optional(static_cast<ViewPlace>(*place)) : std::nullopt);
  set_slice_cameras(*views_, w.views.slices);
  document_.view().set_clip(w.views.clip);
  if (w.views.camera && document_.items().current() != nullptr) {
    views_->mip().navigation().set_ray_camera(*w.views.camera);
  }
  const WorkspaceComparison& c = w.comparison;
  CompareSettings s;
  s.mode = static_cast<CompareMode>(index_of(kModes, c.mode).value_or(0));
  s.place = static_cast<ComparePlace>(index_of(kPlaces, c.place).value_or(0));
  s.same_contrast = c.same_contrast;
  s.reveal = std::clamp(c.reveal, 0.0, 1.0);
  s.difference_range = std::max(0.0, c.difference_range);
  s.line_tool = c.line_tool;
  s.line_width = std::clamp(c.line_width, 1, 99);
  comparison_->set_settings(s);
  const auto a = ids.find(c.a);
  const auto b = ids.find(c.b);
  if (c.active && a != ids.end() && b != ids.end()) {
    if (const Status ok = comparison_->compare(a->second, b->second); !ok) {
      document_.messages().say(ok.error());
    }
  }
  // Setting another plane has removed the line, so it is set again.
  s.line = c.line;
  comparison_->set_settings(s);
}

}  // namespace aprscope::gui
