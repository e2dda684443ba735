#include "app/gui/window/main_window.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QUndoView>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/document/label_choice.hpp"
#include "app/gui/document/level_set_choice.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/document/paint_choice.hpp"
#include "app/gui/panels/cells_panel.hpp"
#include "app/gui/panels/correction_bar.hpp"
#include "app/gui/panels/panel_table.hpp"
#include "app/gui/views/cell_link.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/views/paint_link.hpp"
#include "app/gui/views/painted_views.hpp"
#include "app/gui/views/projection_link.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/widgets/show_in_folder.hpp"
#include "app/gui/widgets/tool_tips.hpp"
#include "app/gui/window/data_list.hpp"
#include "app/gui/window/estimate_bar.hpp"
#include "app/gui/window/job_strip.hpp"
#include "app/gui/window/message_bar.hpp"
#include "app/gui/window/message_log.hpp"
#include "app/gui/window/panel_tabs.hpp"
#include "app/gui/window/plain_labels.hpp"
#include "app/gui/window/source_bar.hpp"
#include "app/gui/window/start_page.hpp"
#include "app/gui/window/status_info.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope::gui {
namespace {

constexpr int kPanelWidth = 440;
constexpr int kListWidth = 285;
constexpr int kNarrowPanel = 358;
constexpr int kNarrowList = 210;
constexpr int kMeasurementHeight = 260;
constexpr int kBottomHeight = 42;
// A time point that takes longer to show is not waited for: something may keep it from being drawn.
constexpr std::chrono::seconds kFilmPatience{10};

QStringList local_files(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  return files;
}

}  // namespace

MainWindow::MainWindow(Document& document, Theme& theme, QWidget* parent)
    : QMainWindow(parent), document_(document), theme_(theme) {
  setObjectName(QStringLiteral("main_window"));
  keep_labels_plain();
  keep_tool_tips_narrow();
  setWindowTitle(QStringLiteral("aprscope"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  // At most as large as the screen.
  resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
  build_center();
  build_docks();
  build_help();
  build_actions();
  connect_document();
  connect_measurement();
  connect_comparison();
  choose_page();
  first_layout_ = saveState();
  restore_layout();
  update_actions();
}

MainWindow::~MainWindow() {
  // Panels emit signals while they are destroyed; parts of the window may be gone by then.
  measured_->disconnect(this);
  comparison_->disconnect(this);
  level_set_->disconnect(this);
}

void MainWindow::build_center() {
  auto* center = new QWidget(this);
  auto* layout = new QVBoxLayout(center);
  layout->setContentsMargins(5, 5, 5, 5);
  layout->setSpacing(5);
  comparison_ = new Comparison(document_, this);
  stack_ = new QStackedWidget(center);
  views_ = new ViewsArea(document_, theme_, stack_);
  compare_area_ = new CompareArea(document_, *comparison_, theme_, stack_);
  stack_->addWidget(views_);
  stack_->addWidget(compare_area_);
  start_page_ = new StartPage(stack_);
  stack_->addWidget(start_page_);
  measured_ = new MeasurementPreview(document_, this);
  level_set_ = new LevelSetChoice(this);
  labels_ = new LabelChoice(this);
  views_->follow_labels(*labels_);
  auto* paint = new PaintChoice(document_.items(), this);
  new PaintLink(document_.items(), *level_set_, *paint, views_->mip(), views_);
  measurement_view_ = new MeasurementView(*level_set_, *paint, center);
  measurement_view_->hide();
  auto* split = new QSplitter(Qt::Vertical, center);
  split->setObjectName(QStringLiteral("measurement_split"));
  split->setChildrenCollapsible(false);
  split->addWidget(stack_);
  split->addWidget(measurement_view_);
  split->setStretchFactor(0, 1);
  split->setSizes({700, kMeasurementHeight});
  layout->addWidget(split, 1);
  source_bar_ = new SourceBar(document_, theme_, center);
  const auto* painted = new PaintedViews(document_, *views_, this);
  source_bar_->player().wait_for([painted] { return painted->all(); }, kFilmPatience);
  layout->addWidget(source_bar_);
  layout->addLayout(build_bottom(center));
  setCentralWidget(center);
  status_info_ = new StatusInfo(document_, this);
  setStatusBar(status_info_);
  message_log_ = new MessageLog(theme_, status_info_);
  status_info_->addPermanentWidget(message_log_);
  job_strip_->follow(document_.jobs());
  job_strip_->follow(document_.background());
}

// A row that is always visible, so that views do not move when jobs and messages come and go. A
// message hides the figures of the estimate bar.
QLayout* MainWindow::build_bottom(QWidget* center) {
  estimate_bar_ = new EstimateBar(document_, center);
  job_strip_ = new JobStrip(theme_, center);
  message_bar_ = new MessageBar(theme_, center);
  auto* bottom = new QHBoxLayout;
  bottom->setSpacing(5);
  bottom->addWidget(job_strip_, 6);
  bottom->addWidget(estimate_bar_, 3);
  bottom->addWidget(message_bar_, 5);
  connect(message_bar_, &MessageBar::occupied, estimate_bar_, &QWidget::setHidden);
  fit_text();
  return bottom;
}

void MainWindow::fit_text() {
  // High enough for two lines of a message.
  const int height =
      std::max(kBottomHeight, 2 * QFontMetrics(QApplication::font()).lineSpacing() + 8);
  for (QWidget* bar : {static_cast<QWidget*>(estimate_bar_), static_cast<QWidget*>(job_strip_),
                       static_cast<QWidget*>(message_bar_)}) {
    bar->setFixedHeight(height);
  }
  if (tabs_ == nullptr) return;
  tabs_->setMinimumWidth(kNarrowPanel * theme_.text_size() / kUsualTextSize);
  // Titles in a smaller font, so that all of them fit.
  QFont titles = QApplication::font();
  titles.setPointSizeF(0.92 * QFontInfo(titles).pointSizeF());
  tabs_->tabBar()->setFont(titles);
}

QDockWidget* MainWindow::add_dock(const QString& title, const char* name, Qt::DockWidgetArea area,
                                  QWidget* content, int margin) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QLatin1String(name));
  dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
  auto* frame = new QWidget(dock);
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(margin, 0, margin, margin);
  layout->addWidget(content);
  dock->setWidget(frame);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::build_docks() {
  data_list_ = new DataList(document_, theme_, this);
  data_dock_ = add_dock(tr("Data"), "data_dock", Qt::LeftDockWidgetArea, data_list_, 5);
  auto* history = new QUndoView(&document_.undo_stack(), this);
  history->setObjectName(QStringLiteral("history"));
  history->setEmptyLabel(tr("Start"));
  history->setTextElideMode(Qt::ElideRight);
  history->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  history_dock_ = add_dock(tr("History"), "history_dock", Qt::LeftDockWidgetArea, history, 5);

  const PanelHost host{
      .document = document_,
      .views = *views_,
      .comparison = *comparison_,
      .compare_area = *compare_area_,
      .measured = *measured_,
      .labels = *labels_,
      .offer_keep =
          [this](std::uint64_t job, std::function<void()> keep) {
            job_strip_->offer_keep(document_.jobs(), job, std::move(keep));
          },
      .export_comparison = [this] { ask_export_comparison(); },
  };
  tabs_ = new PanelTabs(panel_table(), host, this);
  tabs_->setObjectName(QStringLiteral("panels"));
  fit_text();
  panel_dock_ = add_dock(tr("Panels"), "panel_dock", Qt::RightDockWidgetArea, tabs_, 0);
  // An empty title bar, as the tabs have titles.
  panel_dock_->setTitleBarWidget(new QWidget(panel_dock_));

  share_width();
  resizeDocks({data_dock_, history_dock_}, {600, 400}, Qt::Vertical);
}

void MainWindow::share_width() {
  // In a narrow window half of the width is left for the views.
  const int list = std::clamp(width() / 5, kNarrowList, kListWidth);
  const int panel = std::clamp(width() * 31 / 100, kNarrowPanel, kPanelWidth);
  resizeDocks({data_dock_, panel_dock_}, {list, panel}, Qt::Horizontal);
}

void MainWindow::connect_messages() {
  connect(message_bar_, &MessageBar::said, message_log_, &MessageLog::add);
  connect(&document_.messages(), &Messages::said, message_bar_, &MessageBar::show_message);
  connect(&document_.runner(), &Runner::announced, this,
          [this](std::uint64_t id, const QString& text) {
            message_bar_->show_offer(text, tr("Show"),
                                     [this, id] { document_.items().set_current(id); });
          });
  connect(&document_.exporter(), &Exporter::exported, this, [this](const QString& path) {
    message_bar_->show_offer(tr("Written: %1").arg(path), tr("Show in folder"), [this, path] {
      if (show_in_folder(path)) return;
      document_.messages().say(MessageKind::warning,
                               tr("No file manager opened the folder of %1").arg(path));
    });
  });
  connect(&document_.undo_stack(), &QUndoStack::indexChanged, message_bar_, &MessageBar::succeeded);
}

void MainWindow::await_data() {
  awaiting_data_ = true;
  choose_page();
  // When no job is left, the data was opened, or a message says why not.
  connect(
      &document_.background(), &JobBridge::idle, this,
      [this] {
        awaiting_data_ = false;
        choose_page();
      },
      Qt::SingleShotConnection);
}

void MainWindow::show_measurement() {
  const auto shown = measured_->shown();
  const Item* item = document_.items().current();
  QString title;
  if (shown && item != nullptr) {
    title = measured_->is_tried()
                ? tr("%1, not kept yet").arg(document_.items().full_name(item->id))
                : document_.items().full_name(item->id);
    if (measured_->is_pair()) title = QString::fromStdString(shown->name);
  }
  measurement_view_->set_measurement(shown, title);
  measurement_view_->set_exportable(!measured_->is_tried());
  measurement_view_->setVisible(shown != nullptr && !comparison_->active());
}

void MainWindow::connect_measurement() {
  connect(measured_, &MeasurementPreview::changed, this, &MainWindow::show_measurement);
  // Connected after the view, so that the view has the new table when this is called.
  cell_link_ = new CellLink(document_, *labels_, *measured_, *measurement_view_, this);
  new ProjectionLink(document_, *measured_, *measurement_view_, this);
  connect(findChild<CellsPanel*>()->corrections(), &CorrectionBar::next_wanted, cell_link_,
          &CellLink::next_suspicious);
  connect(&document_.items(), &ItemList::items_changed, this, &MainWindow::show_measurement);
  connect(comparison_, &Comparison::active_changed, this, &MainWindow::show_measurement);
  connect(measurement_view_, &MeasurementView::export_requested, this, [this] {
    if (document_.items().current() != nullptr) ask_export(document_.items().current()->id);
  });
  connect(level_set_, &LevelSetChoice::changed, this,
          [this] { views_->set_level_set(level_set_->set(), level_set_->surface()); });
  connect(views_, &ViewsArea::clicked, this, [this](const Index3& p) {
    if (document_.items().current() == nullptr) return;
    // The value on screen, which may be that of a preview.
    const auto seen = views_->shown_value(p);
    const float value = seen ? *seen : document_.items().current()->dataset->probe(p).value;
    level_set_->pick(static_cast<double>(value));
  });
  connect(views_, &ViewsArea::click_taken_back, level_set_, &LevelSetChoice::take_back);
  connect(measurement_view_, &MeasurementView::mask_requested, this, [this] {
    if (level_set_->set()) document_.runner().apply(threshold_step(*level_set_->set()));
  });
}

void MainWindow::choose_page() {
  if (comparison_->active()) {
    stack_->setCurrentWidget(compare_area_);
  } else if (document_.items().all().empty() && !awaiting_data_) {
    stack_->setCurrentWidget(start_page_);
  } else {
    stack_->setCurrentWidget(views_);
  }
}

void MainWindow::connect_document() {
  connect_messages();
  connect(&document_.opener(), &Opener::dataset_choice_needed, this, &MainWindow::ask_dataset);
  connect(&document_.opener(), &Opener::conversion_needed, this, &MainWindow::ask_conversion);
  connect(
      &document_.opener().large_files(), &LargeFiles::looked_up, this,
      [this](std::uint64_t id, const SourceInfo& info) { show_crop_dialog(id, info.size, &info); });
  connect(&document_.opener(), &Opener::opened, this,
          [](const QString& path) { add_recent_file(path); });
  connect(&document_.opener(), &Opener::workspace_dropped, this, [this](const QString& path) {
    if (workspace_may_go()) open_workspace_from(path);
  });
  connect(&document_.items(), &ItemList::current_changed, this, &MainWindow::update_actions);
  connect(&document_.items(), &ItemList::items_changed, this, &MainWindow::update_actions);
  connect(&document_.items(), &ItemList::items_changed, this, &MainWindow::choose_page);
  connect(start_page_, &StartPage::open_requested, this, &MainWindow::ask_open);
  connect(start_page_, &StartPage::demo_requested, &document_.opener(), &Opener::open_demo);
  connect(start_page_, &StartPage::file_requested, this,
          [this](const QString& path) { document_.opener().open({path}); });
  connect(data_list_, &DataList::export_requested, this, &MainWindow::ask_export);
  connect(views_, &ViewsArea::hovered, this, [this](const Index3& p) {
    const QString cell = cell_link_ ? cell_link_->words_of(views_->shown_label(p)) : QString();
    if (const auto finer = views_->detail().under_pointer()) {
      return status_info_->set_detail(finer->pixel, finer->voxel, finer->value, finer->channels,
                                      finer->level);
    }
    status_info_->set_position(p, views_->shown_value(p), cell, views_->channel_values(p));
  });
  connect(views_, &ViewsArea::hover_left, status_info_, &StatusInfo::clear_position);
  connect(views_, &ViewsArea::preview_shown, status_info_, &StatusInfo::set_preview);
  connect(&views_->feed(), &SliceFeed::preview_failed, this,
          [this](const Error& error) { document_.messages().say(error); });
  connect(&theme_, &Theme::changed, this, &MainWindow::update_icons);
  connect(&theme_, &Theme::changed, this, &MainWindow::fit_text);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!local_files(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList files = local_files(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  document_.opener().open(files);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!workspace_may_go()) {
    event->ignore();
    return;
  }
  save_layout();
  QMainWindow::closeEvent(event);
}

void MainWindow::restore_layout() {
  const auto settings = open_settings();
  const QByteArray geometry = settings->value(QStringLiteral("window/geometry")).toByteArray();
  if (!geometry.isEmpty()) restoreGeometry(geometry);
  const QByteArray state = settings->value(QStringLiteral("window/state")).toByteArray();
  if (!state.isEmpty()) restoreState(state);
  const QByteArray views = settings->value(QStringLiteral("window/views")).toByteArray();
  if (!views.isEmpty()) views_->restore_layout(views);
  theme_.set_text_size(settings->value(QStringLiteral("text_size"), theme_.text_size()).toInt());
  const bool heads_up = settings->value(QStringLiteral("window/heads_up"), false).toBool();
  action(QStringLiteral("show_heads_up"))->setChecked(heads_up);
  // The open tab is not restored, as its live preview would change how the first file looks.
}

void MainWindow::save_layout() {
  const auto settings = open_settings();
  settings->setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings->setValue(QStringLiteral("window/state"), saveState());
  // A maximised view is not a part of the layout.
  views_->maximise(std::nullopt);
  settings->setValue(QStringLiteral("window/views"), views_->save_layout());
  settings->setValue(QStringLiteral("window/heads_up"), document_.view().options().heads_up);
  settings->setValue(QStringLiteral("text_size"), theme_.text_size());
  settings->setValue(QStringLiteral("theme"), theme_.kind() == ThemeKind::dark
                                                  ? QStringLiteral("dark")
                                                  : QStringLiteral("light"));
}

bool MainWindow::show_panel(const QString& id) {
  if (!tabs_->open(id)) return false;
  panel_dock_->show();
  return true;
}

QString MainWindow::shown_panel() const { return tabs_->shown(); }

}  // namespace aprscope::gui
