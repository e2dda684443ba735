#pragma once

#include <QMainWindow>
#include <functional>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/theme.hpp"

class QDockWidget;
class QMenu;
class QStackedWidget;

namespace aprscope::gui {

class CompareArea;
class Comparison;
class DataList;
class EstimateBar;
class HelpButton;
class HelpWindow;
class JobStrip;
class LevelSetChoice;
class MeasurementPreview;
class CellLink;
class LabelChoice;
class MeasurementView;
class MessageBar;
class MessageLog;
class PanelTabs;
class ProjectionLink;
class StartPage;
class SourceBar;
class StatusInfo;
class Tour;
class ViewsArea;
enum class ViewPlace;

/// The main window: views in the middle, data list and history on the left, panels on the right,
/// jobs and status below. It changes data only through the document.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(Document& document, Theme& theme, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] ViewsArea& views() { return *views_; }
  [[nodiscard]] Comparison& comparison() { return *comparison_; }
  [[nodiscard]] CompareArea& compare_area() { return *compare_area_; }
  /// The chosen cells, and how cells are drawn.
  [[nodiscard]] LabelChoice& labels() { return *labels_; }
  [[nodiscard]] MeasurementView& measurement_view() { return *measurement_view_; }
  [[nodiscard]] DataList& data_list() { return *data_list_; }
  [[nodiscard]] JobStrip& job_strip() { return *job_strip_; }
  [[nodiscard]] MessageBar& message_bar() { return *message_bar_; }
  [[nodiscard]] PanelTabs& tabs() { return *tabs_; }
  [[nodiscard]] Tour& tour() { return *tour_; }
  /// Opens the tab of a panel, and the dock of the panels if it was closed. False if there is no
  /// panel with this id.
  bool show_panel(const QString& id);
  /// The id of the panel whose tab is open.
  [[nodiscard]] QString shown_panel() const;
  /// The "?" button beside the tabs.
  [[nodiscard]] QWidget& panel_help();
  /// Opens the help page at a section.
  void open_help(const QString& section);
  /// An action by its object name ("open", "undo", "view_xy", …); null if there is none.
  [[nodiscard]] QAction* action(const QString& name) const;

  /// Data will be opened soon: shows empty views until then and not the start page.
  void await_data();

  /// Exports the current item; for .png a picture of the maximised view, or of all views.
  void export_to(const QString& path, const ExportOptions& options);

  /// Saves data (as paths and steps), views and comparison; the window then belongs to this file.
  Status save_workspace_to(const QString& path);
  /// Replaces everything that is open by the contents of such a file.
  void open_workspace_from(const QString& path);
  [[nodiscard]] const QString& workspace_path() const { return workspace_path_; }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void build_center();
  QLayout* build_bottom(QWidget* center);
  void build_docks();
  QDockWidget* add_dock(const QString& title, const char* name, Qt::DockWidgetArea area,
                        QWidget* content, int margin);
  /// Sets the widths of the docks for the width of the window.
  void share_width();
  void connect_document();
  void connect_messages();
  /// Shows or hides the measurement below the views.
  void show_measurement();
  void connect_measurement();
  /// Shows the views, the comparison, or if nothing is open the start page.
  void choose_page();
  // In main_window_help.cpp
  void build_help();
  void build_help_actions(QMenu& menu);
  // In main_window_actions.cpp
  void build_actions();
  void build_file_actions(QMenu& menu);
  void build_edit_actions(QMenu& menu);
  void build_view_actions(QMenu& menu);
  void build_text_size_actions(QMenu& menu);
  void build_data_actions(QMenu& menu);
  // In main_window_compare.cpp
  void build_compare_actions(QMenu& menu);
  void connect_comparison();
  void show_compared(ViewPlace place);
  void build_toolbar();
  QAction* add_action(QMenu& menu, const char* name, const QString& text,
                      const QKeySequence& shortcut, const char* icon = nullptr);
  void fill_recent(QMenu& menu);
  void update_actions();
  void update_icons();
  // In main_window_dialogs.cpp
  void ask_open();
  void ask_open_folder();
  void ask_export(std::uint64_t id);
  void ask_export_comparison();
  void ask_dataset(const SourceInfo& info);
  void ask_memory();
  void ask_recipe();
  void ask_crop();
  void ask_applied_name();
  void show_crop_dialog(std::uint64_t id, const Size3& size, const SourceInfo* of_level);
  void ask_conversion(const SourceInfo& info, const SourceSelection& selection);
  void ask_tile_list(const SourceInfo& tiles, const QString& title, const QString& ending,
                     const std::function<void(const QString& path)>& named);
  void ask_converted_name(const SourceInfo& info, const std::vector<SourceSelection>& parts);
  void ask_stitched_name(const SourceInfo& info, const SourceSelection& selection);
  void ask_voxel_size();
  // In main_window_workspace.cpp
  void build_workspace_actions(QMenu& menu);
  void ask_open_workspace();
  void ask_save_workspace();
  /// Asks what to do with results and changes that are in no file, and with running jobs; false:
  /// the user wants to stay.
  bool workspace_may_go();
  [[nodiscard]] QStringList unsaved() const;
  [[nodiscard]] WindowWorkspace capture_workspace();
  void show_workspace(const WindowWorkspace& workspace,
                      const std::map<std::uint64_t, std::uint64_t>& ids);
  void show_shortcuts();
  void show_about();
  void save_picture(const QString& path);

  void restore_layout();
  void save_layout();
  /// Sets heights that depend on the size of text.
  void fit_text();

  Document& document_;
  Theme& theme_;
  Comparison* comparison_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  ViewsArea* views_ = nullptr;
  CompareArea* compare_area_ = nullptr;
  LevelSetChoice* level_set_ = nullptr;
  MeasurementPreview* measured_ = nullptr;
  MeasurementView* measurement_view_ = nullptr;
  LabelChoice* labels_ = nullptr;
  CellLink* cell_link_ = nullptr;
  StartPage* start_page_ = nullptr;
  MessageBar* message_bar_ = nullptr;
  MessageLog* message_log_ = nullptr;
  EstimateBar* estimate_bar_ = nullptr;
  JobStrip* job_strip_ = nullptr;
  SourceBar* source_bar_ = nullptr;
  StatusInfo* status_info_ = nullptr;
  DataList* data_list_ = nullptr;
  PanelTabs* tabs_ = nullptr;
  Tour* tour_ = nullptr;
  HelpButton* panel_help_ = nullptr;
  /// Made when it is first opened.
  HelpWindow* help_window_ = nullptr;
  QDockWidget* data_dock_ = nullptr;
  QDockWidget* history_dock_ = nullptr;
  QDockWidget* panel_dock_ = nullptr;
  QByteArray first_layout_;
  bool awaiting_data_ = false;
  /// The path of the open workspace; empty: none.
  QString workspace_path_;
};

}  // namespace aprscope::gui
