// Menus, toolbar and shortcuts of the window.
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>
#include <functional>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/panels/measure_panel.hpp"
#include "app/gui/panels/panel_table.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/marked_text.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/bookmarks.hpp"
#include "app/gui/window/bookmarks_dialog.hpp"
#include "app/gui/window/device_menu.hpp"
#include "app/gui/window/information_dialog.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/shown_picture.hpp"
#include "app/gui/window/source_bar.hpp"
#include "core/operations/measure/line_in_slice.hpp"
#include "core/pipeline/stitching.hpp"

namespace aprscope::gui {

QAction* MainWindow::action(const QString& name) const { return findChild<QAction*>(name); }

QAction* MainWindow::add_action(QMenu& menu, const char* name, const QString& text,
                                const QKeySequence& shortcut, const char* icon) {
  auto* made = new QAction(text, this);
  made->setObjectName(QLatin1String(name));
  made->setShortcut(shortcut);
  if (icon != nullptr) {
    made->setProperty("icon_name", QLatin1String(icon));
    made->setIcon(theme_.icon(QLatin1String(icon)));
  }
  menu.addAction(made);
  // Before the action runs, text that is being typed takes effect.
  connect(made, &QAction::triggered, this, &commit_focused_field);
  return made;
}

void MainWindow::build_actions() {
  build_file_actions(*menuBar()->addMenu(tr("&File")));
  build_edit_actions(*menuBar()->addMenu(tr("&Edit")));
  build_view_actions(*menuBar()->addMenu(tr("&View")));
  build_data_actions(*menuBar()->addMenu(tr("&Process")));
  build_compare_actions(*menuBar()->addMenu(tr("&Compare")));
  build_help_actions(*menuBar()->addMenu(tr("&Help")));
  build_toolbar();
}

void MainWindow::build_file_actions(QMenu& menu) {
  connect(add_action(menu, "open", tr("&Open …"), QKeySequence::Open, "open"), &QAction::triggered,
          this, &MainWindow::ask_open);
  QAction* folder = add_action(menu, "open_folder", tr("Open a &folder …"), {});
  folder->setToolTip(tr("An image that is a folder: TIFF slices, OME-Zarr, Zarr, N5"));
  connect(folder, &QAction::triggered, this, &MainWindow::ask_open_folder);
  auto* recent = menu.addMenu(tr("Open &recent"));
  recent->setObjectName(QStringLiteral("recent_menu"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fill_recent(*recent); });
  connect(add_action(menu, "open_demo", tr("Open the &demo image"), {}), &QAction::triggered,
          &document_.opener(), &Opener::open_demo);
  menu.addSeparator();
  build_workspace_actions(menu);
  menu.addSeparator();
  connect(add_action(menu, "export", tr("&Export …"), QKeySequence(tr("Ctrl+E")), "export"),
          &QAction::triggered, this, [this] {
            if (document_.items().current() != nullptr) ask_export(document_.items().current()->id);
          });
  QAction* information =
      add_action(menu, "information", tr("&Information …"), QKeySequence(tr("Ctrl+I")));
  information->setToolTip(tr(
      "What is known about the data: its file, levels, steps, and what the file says of itself"));
  connect(information, &QAction::triggered, this, [this] {
    const Item* item = document_.items().current();
    if (item == nullptr) return;
    auto* dialog = new InformationDialog(document_.items().full_name(item->id), facts_of(*item),
                                         item->source, document_.background(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
  });
  QAction* voxel = add_action(menu, "voxel_size", tr("&Voxel size …"), {});
  voxel->setToolTip(tr("For an image whose file does not say how large its voxels are"));
  connect(voxel, &QAction::triggered, this, &MainWindow::ask_voxel_size);
  connect(add_action(menu, "remove", tr("Re&move from the list"), QKeySequence(tr("Ctrl+W"))),
          &QAction::triggered, this, [this] {
            if (document_.items().current() != nullptr)
              document_.edits().close(document_.items().current()->id);
          });
  menu.addSeparator();
  connect(add_action(menu, "quit", tr("&Quit"), QKeySequence(tr("Ctrl+Q"))), &QAction::triggered,
          this, &QWidget::close);
}

void MainWindow::fill_recent(QMenu& menu) {
  menu.clear();
  for (const QString& path : recent_files()) {
    menu.addAction(with_ampersands(path), this, [this, path] { document_.opener().open({path}); });
  }
  if (menu.isEmpty()) {
    menu.addAction(tr("Nothing opened yet"))->setEnabled(false);
    return;
  }
  menu.addSeparator();
  menu.addAction(tr("Forget these"), this, [] { clear_recent_files(); });
}

void MainWindow::build_edit_actions(QMenu& menu) {
  QUndoStack& stack = document_.undo_stack();
  QAction* undo = add_action(menu, "undo", tr("&Undo"), QKeySequence::Undo, "undo");
  QAction* redo = add_action(menu, "redo", tr("&Redo"), QKeySequence::Redo, "redo");
  connect(undo, &QAction::triggered, &stack, &QUndoStack::undo);
  connect(redo, &QAction::triggered, &stack, &QUndoStack::redo);
  connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
  connect(&stack, &QUndoStack::undoTextChanged, undo, [undo](const QString& what) {
    undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(what));
    undo->setIconText(tr("Undo"));
  });
  connect(&stack, &QUndoStack::redoTextChanged, redo, [redo](const QString& what) {
    redo->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(what));
    redo->setIconText(tr("Redo"));
  });
  undo->setIconText(tr("Undo"));
  redo->setIconText(tr("Redo"));
  undo->setEnabled(false);
  redo->setEnabled(false);
  menu.addSeparator();
  QAction* copy = add_action(menu, "copy_picture", tr("&Copy the picture of the views"),
                             QKeySequence(tr("Ctrl+Alt+C")));
  copy->setToolTip(tr("For a slide or a message; Export writes it as a file"));
  connect(copy, &QAction::triggered, this, [this] {
    CompareArea* const compared = comparison_->active() ? compare_area_ : nullptr;
    QGuiApplication::clipboard()->setImage(shown_picture(*views_, compared));
  });
}

void MainWindow::build_view_actions(QMenu& menu) {
  struct Place {
    const char* name;
    QString text;
    ViewPlace place;
  };
  const std::array<Place, 4> places{Place{"view_xy", tr("Maximise &xy"), ViewPlace::xy},
                                    Place{"view_mip", tr("Maximise &3-D"), ViewPlace::mip},
                                    Place{"view_yz", tr("Maximise &yz"), ViewPlace::yz},
                                    Place{"view_xz", tr("Maximise x&z"), ViewPlace::xz}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QKeySequence key(Qt::Key_1 + static_cast<int>(i));
    connect(add_action(menu, places[i].name, places[i].text, key), &QAction::triggered, this,
            [this, place = places[i].place] {
              if (comparison_->active()) return show_compared(place);
              const bool already = views_->maximised() == place;
              views_->maximise(already ? std::nullopt : std::optional(place));
            });
  }
  connect(add_action(menu, "view_all", tr("&All four views"), QKeySequence(Qt::Key_0)),
          &QAction::triggered, this, [this] { views_->maximise(std::nullopt); });
  connect(add_action(menu, "reset_views", tr("&Reset views"), QKeySequence(tr("Ctrl+0")), "views"),
          &QAction::triggered, this, [this] {
            if (comparison_->active()) {
              compare_area_->reset();
            } else {
              views_->reset();
            }
          });
  QAction* maximum =
      add_action(menu, "go_to_maximum", tr("&Go to the maximum"), QKeySequence(tr("Ctrl+M")));
  maximum->setToolTip(
      tr("The crosshair to the brightest pixel or particle. A click in the 3-D view "
         "goes to what is seen there."));
  connect(maximum, &QAction::triggered, &document_.view(), &ViewState::go_to_brightest);
  QAction* play =
      add_action(menu, "play_time", tr("&Play time points"), QKeySequence(tr("Ctrl+Space")));
  play->setToolTip(tr("Plays the time points round and round, or stops"));
  connect(play, &QAction::triggered, this, [this] { source_bar_->player().toggle(); });
  const auto step = [&](const char* name, const QString& text, const QString& key, int by) {
    connect(add_action(menu, name, text, QKeySequence(key)), &QAction::triggered, this,
            [this, by] { source_bar_->step_time(by); });
  };
  step("next_time", tr("&Next time point"), tr("Alt+Right"), 1);
  step("previous_time", tr("Pre&vious time point"), tr("Alt+Left"), -1);
  menu.addSeparator();
  auto* camera = menu.addMenu(tr("3-D &camera"));
  const auto preset = [&](const char* name, const QString& text, const char* key, MipPreset p) {
    connect(add_action(*camera, name, text, QKeySequence(QLatin1String(key))), &QAction::triggered,
            this, [this, p] {
              MipView& view =
                  comparison_->active() ? compare_area_->volumes().leading() : views_->mip();
              view.navigation().set_preset(p);
            });
  };
  preset("camera_oblique", tr("&Oblique"), "Alt+0", MipPreset::oblique);
  preset("camera_front", tr("&Front, as xy"), "Alt+1", MipPreset::front);
  preset("camera_top", tr("&Top, as xz"), "Alt+2", MipPreset::top);
  preset("camera_side", tr("&Side, as yz"), "Alt+3", MipPreset::side);
  camera->addSeparator();
  QAction* perspective =
      add_action(*camera, "camera_perspective", tr("&Perspective"), QKeySequence(tr("Alt+4")));
  perspective->setToolTip(tr("What is nearer looks larger; else lengths on screen are true"));
  perspective->setCheckable(true);
  const auto seen = [this]() -> MipNavigation& {
    MipView& view = comparison_->active() ? compare_area_->volumes().leading() : views_->mip();
    return view.navigation();
  };
  const auto tell = [perspective, seen] { perspective->setChecked(seen().perspective()); };
  connect(perspective, &QAction::triggered, this, [seen, tell] {
    seen().set_perspective(!seen().perspective());
    tell();
  });
  // Cameras of workspaces bring their own, and comparisons have theirs.
  connect(&views_->mip(), &MipView::camera_changed, perspective, tell);
  connect(comparison_, &Comparison::active_changed, perspective, tell);
  connect(comparison_, &Comparison::settings_changed, perspective, tell);
  QAction* clip = add_action(menu, "clipping_box", tr("C&lipping box"), QKeySequence(tr("Ctrl+B")));
  clip->setToolTip(tr("The 3-D view shows what lies in a box, which is drawn in the slices"));
  clip->setCheckable(true);
  connect(clip, &QAction::triggered, this, [this](bool on) {
    const Item* item = document_.items().current();
    if (item == nullptr) return;
    views_->clip_box().set_on(on, item->dataset->size());
    if (on) {
      document_.messages().say(
          MessageKind::info,
          tr("The 3-D view shows what lies in the box. Drag its edges in the slices, or all of it "
             "with Ctrl. Process → Crop makes data of it."));
    }
  });
  connect(&document_.view(), &ViewState::clip_changed, clip,
          [this, clip] { clip->setChecked(document_.view().clip().has_value()); });
  auto* bookmarks = new Bookmarks(document_, *views_, this);
  QAction* mark =
      add_action(menu, "add_bookmark", tr("Add a boo&kmark"), QKeySequence(tr("Ctrl+D")));
  mark->setToolTip(tr("Crosshair, cameras and clipping box as they are now"));
  connect(mark, &QAction::triggered, bookmarks, [this, bookmarks] {
    if (!bookmarks->add()) return;
    document_.messages().say(
        MessageKind::info,
        tr("Bookmark %1. View → Bookmarks goes there, and makes a movie through all of them.")
            .arg(bookmarks->all().size()));
  });
  connect(add_action(menu, "bookmarks_list", tr("Bookmar&ks …"), QKeySequence(tr("Ctrl+Shift+M"))),
          &QAction::triggered, this, [this, bookmarks] {
            auto* open = findChild<BookmarksDialog*>();
            if (open == nullptr) {
              open = new BookmarksDialog(*bookmarks, this);
              open->setAttribute(Qt::WA_DeleteOnClose);
            }
            open->show();
            open->raise();
            open->activateWindow();
          });
  menu.addSeparator();
  const auto option = [&](const char* name, const QString& text, const char* key,
                          bool ViewOptions::*member) {
    QAction* made = add_action(menu, name, text, QKeySequence(QLatin1String(key)));
    made->setCheckable(true);
    made->setChecked(document_.view().options().*member);
    connect(made, &QAction::toggled, this, [this, member](bool on) {
      ViewOptions options = document_.view().options();
      options.*member = on;
      document_.view().set_options(options);
    });
    connect(&document_.view(), &ViewState::options_changed, made,
            [this, made, member] { made->setChecked(document_.view().options().*member); });
  };
  option("show_captions", tr("&Captions"), "Ctrl+Shift+T", &ViewOptions::captions);
  option("show_heads_up", tr("&Heads-up panel"), "Ctrl+Shift+H", &ViewOptions::heads_up);
  option("show_box", tr("&Box and axes"), "Ctrl+Shift+B", &ViewOptions::box);
  option("show_planes", tr("Slice &planes in 3-D"), "Ctrl+Shift+P", &ViewOptions::planes);
  option("show_slices_in_3d", tr("&Slices in place of the projection"), "Ctrl+Shift+V",
         &ViewOptions::slices);
  option("show_translucent", tr("Trans&lucent in 3-D"), "Ctrl+Shift+R", &ViewOptions::translucent);
  QAction* axes = add_action(menu, "axes_as_images", tr("&x to the right, y down"), {});
  axes->setToolTip(
      tr("Positions as most programs for microscopy give them; APR files, recipes and "
         "the command line have x down and y to the right"));
  axes->setCheckable(true);
  connect(axes, &QAction::toggled, this, [this](bool on) {
    ViewOptions options = document_.view().options();
    options.axes = on ? AxisWords::columns_are_x : AxisWords::rows_are_x;
    document_.view().set_options(options);
    open_settings()->setValue(QStringLiteral("axes_as_images"), on);
  });
  axes->setChecked(open_settings()->value(QStringLiteral("axes_as_images"), false).toBool());
  menu.addSeparator();
  menu.addAction(data_dock_->toggleViewAction());
  menu.addAction(history_dock_->toggleViewAction());
  menu.addAction(panel_dock_->toggleViewAction());
  connect(add_action(menu, "reset_layout", tr("Reset window &layout"), {}), &QAction::triggered,
          this, [this] {
            restoreState(first_layout_);
            share_width();
            views_->reset();
          });
  menu.addSeparator();
  QAction* full = add_action(menu, "full_screen", tr("&Full screen"), QKeySequence(Qt::Key_F11));
  full->setToolTip(tr("The window without its frame on the whole screen, and back"));
  connect(full, &QAction::triggered, this,
          [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  build_text_size_actions(*menu.addMenu(tr("Te&xt size")));
  connect(
      add_action(menu, "theme", tr("&Dark or light theme"), QKeySequence(tr("Ctrl+T")), "theme"),
      &QAction::triggered, &theme_, &Theme::toggle);
  action(QStringLiteral("theme"))->setIconText(tr("Theme"));
}

void MainWindow::build_text_size_actions(QMenu& menu) {
  QAction* larger = add_action(menu, "text_larger", tr("&Larger"), {});
  // The key of + is that of = without Shift, on many keyboards.
  larger->setShortcuts({QKeySequence(tr("Ctrl++")), QKeySequence(tr("Ctrl+="))});
  connect(larger, &QAction::triggered, &theme_, [this] { theme_.step_text_size(1); });
  connect(add_action(menu, "text_smaller", tr("&Smaller"), QKeySequence(tr("Ctrl+-"))),
          &QAction::triggered, &theme_, [this] { theme_.step_text_size(-1); });
  connect(add_action(menu, "text_usual", tr("&Usual size"), QKeySequence(tr("Ctrl+Alt+0"))),
          &QAction::triggered, &theme_, [this] { theme_.set_text_size(kUsualTextSize); });
}

void MainWindow::build_data_actions(QMenu& menu) {
  for (const Panel& panel : panel_table()) {
    if (!panel.opens_by_itself()) continue;
    QAction* made = add_action(menu, ("panel_" + panel.id.toLatin1()).constData(), panel.menu_text,
                               panel.key, panel.icon);
    made->setIconText(panel.title);
    connect(made, &QAction::triggered, this, [this, id = panel.id] { show_panel(id); });
  }
  QAction* line = add_action(menu, "measure_line", tr("&Length and profile of a line"),
                             QKeySequence(tr("Ctrl+L")));
  line->setToolTip(tr("Draw a line in a slice: its length, and the values along it"));
  connect(line, &QAction::triggered, this, [this] {
    // A comparison has a line of its own, with the values of both sides.
    if (comparison_->active()) return action(QStringLiteral("compare_line_action"))->trigger();
    if (show_panel(QStringLiteral("measure"))) {
      findChild<MeasurePanel*>()->choose(QString::fromLatin1(kLineProfile));
    }
  });
  menu.addSeparator();
  connect(add_action(menu, "convert_now", tr("Convert &now"), QKeySequence(tr("Ctrl+Return"))),
          &QAction::triggered, this,
          [this] { document_.runner().apply(document_.preview().convert_operation()); });
  connect(add_action(menu, "reconstruct", tr("&Reconstruct pixels"), QKeySequence(tr("Ctrl+R"))),
          &QAction::triggered, this, [this] {
            document_.runner().apply(Operation{"reconstruct", {}});
          });
  menu.addSeparator();
  QAction* crop = add_action(menu, "crop", tr("Cro&p …"), QKeySequence(tr("Ctrl+Shift+D")));
  crop->setToolTip(
      tr("A box as data of its own; of a file that does not fit into memory, at full "
         "resolution"));
  connect(crop, &QAction::triggered, this, &MainWindow::ask_crop);
  QAction* whole = add_action(menu, "apply_to_whole", tr("Apply to the &whole file …"), {});
  whole->setToolTip(
      tr("What was tried on a box (Crop) of a file of particles, on all of that file; it may be "
         "larger than memory. All channels that are shown, where steps are applied to them all"));
  connect(whole, &QAction::triggered, this, &MainWindow::ask_applied_name);
  QAction* stitch = add_action(menu, "register_tiles", tr("Register &tiles …"), {});
  stitch->setToolTip(
      tr("Finds where the tiles of a list lie by what they share, and opens them as one image"));
  connect(stitch, &QAction::triggered, this, [this] {
    const Item* item = document_.items().current();
    if (item != nullptr && item->source) ask_stitched_name(*item->source, item->selection);
  });
  menu.addSeparator();
  connect(add_action(menu, "automatic_contrast", tr("&Automatic contrast"),
                     QKeySequence(tr("Ctrl+Shift+C"))),
          &QAction::triggered, this, [this] {
            if (document_.items().current() != nullptr) {
              document_.edits().set_automatic_contrast(document_.items().current()->id);
            }
          });
  menu.addSeparator();
  connect(add_action(menu, "apply_recipe", tr("Apply a r&ecipe …"), {}), &QAction::triggered, this,
          &MainWindow::ask_recipe);
  menu.addSeparator();
  add_device_menu(menu, document_);
  QAction* memory = add_action(menu, "memory", tr("Memor&y for large files …"), {});
  memory->setToolTip(
      tr("How much of a file may be in memory: what is larger is shown in part, and worked on "
         "slab by slab"));
  connect(memory, &QAction::triggered, this, &MainWindow::ask_memory);
}

void MainWindow::build_toolbar() {
  auto* bar = addToolBar(tr("Toolbar"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setIconSize(QSize(18, 18));
  const auto add = [&](const char* name) { bar->addAction(action(QLatin1String(name))); };
  action(QStringLiteral("open"))->setIconText(tr("Open"));
  action(QStringLiteral("export"))->setIconText(tr("Export"));
  action(QStringLiteral("reset_views"))->setIconText(tr("Reset views"));
  // No steps of the work, as each has a tab with one button that runs it.
  add("open");
  add("export");
  bar->addSeparator();
  add("undo");
  add("redo");
  bar->addSeparator();
  add("compare");
  auto* gap = new QWidget(bar);
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(gap);
  add("reset_views");
  add("theme");
  for (QAction* made : bar->actions()) {
    if (made->shortcut().isEmpty()) continue;
    made->setToolTip(QStringLiteral("%1 (%2)").arg(
        made->iconText(), made->shortcut().toString(QKeySequence::NativeText)));
  }
}

void MainWindow::update_icons() {
  for (QAction* made : findChildren<QAction*>()) {
    const QString name = made->property("icon_name").toString();
    if (!name.isEmpty()) made->setIcon(theme_.icon(name));
  }
}

void MainWindow::update_actions() {
  const Item* item = document_.items().current();
  for (const char* name : {"export", "information", "copy_picture", "remove", "go_to_maximum",
                           "clipping_box", "automatic_contrast", "apply_recipe"}) {
    action(QLatin1String(name))->setEnabled(item != nullptr);
  }
  // Bookmarks are those of the four views.
  action(QStringLiteral("add_bookmark"))->setEnabled(item != nullptr && !comparison_->active());
  action(QStringLiteral("bookmarks_list"))->setEnabled(!comparison_->active());
  action(QStringLiteral("crop"))
      ->setEnabled(item != nullptr && !item->is_measurement() && !item->growing);
  action(QStringLiteral("apply_to_whole"))
      ->setEnabled(item != nullptr && !steps_on_box(*item).empty());
  action(QStringLiteral("register_tiles"))
      ->setEnabled(item != nullptr && item->source && is_tile_set(*item->source));
  action(QStringLiteral("voxel_size"))->setEnabled(item != nullptr && item->recipe.steps.empty());
  for (const char* name : {"play_time", "next_time", "previous_time"}) {
    action(QLatin1String(name))
        ->setEnabled(item != nullptr && item->source && item->source->times > 1);
  }
  action(QStringLiteral("convert_now"))->setEnabled(item != nullptr && !item->is_apr());
  action(QStringLiteral("reconstruct"))->setEnabled(item != nullptr && item->is_apr());
  action(QStringLiteral("compare_pixels"))->setEnabled(item != nullptr && item->is_apr());
  action(QStringLiteral("compare"))
      ->setEnabled(comparison_->active() || document_.items().all().size() > 1);
  setWindowTitle(item != nullptr
                     ? QStringLiteral("%1 — aprscope").arg(document_.items().full_name(item->id))
                     : QStringLiteral("aprscope"));
}

}  // namespace aprscope::gui
