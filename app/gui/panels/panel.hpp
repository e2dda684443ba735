#pragma once

#include <QKeySequence>
#include <QString>
#include <cstdint>
#include <functional>

class QWidget;

namespace aprscope::gui {

class CompareArea;
class Comparison;
class Document;
class LabelChoice;
class MeasurementPreview;
class ViewsArea;

/// The parts of the window that a panel may use. Only valid while the panel is made: the panel
/// copies the functions that it calls later.
struct PanelHost {
  Document& document;
  ViewsArea& views;
  Comparison& comparison;
  CompareArea& compare_area;
  MeasurementPreview& measured;
  LabelChoice& labels;
  /// Adds a button to a job that has just been posted to the document. The button calls `keep`,
  /// which ends the job and keeps what there is.
  std::function<void(std::uint64_t job, std::function<void()> keep)> offer_keep;
  /// Asks where to export the current comparison.
  std::function<void()> export_comparison;
};

/// A tab of the window, identified by its id and never by its position.
struct Panel {
  /// The id: its word for --panel, its action "panel_…", and its section of the help page.
  QString id;
  /// The title on the tab.
  QString title;
  /// Its entry in the Process menu, with a shortcut letter. Empty for a panel that is opened by
  /// something else only, and is therefore no word of --panel.
  QString menu_text{};
  /// The icon of this entry in the resources; null: none.
  const char* icon = nullptr;
  /// The shortcut that opens it.
  QKeySequence key{};
  /// Makes the tab's content and connects it to the parts of the window; the caller owns it.
  QWidget* (*make)(const PanelHost& host) = nullptr;

  [[nodiscard]] bool opens_by_itself() const { return !menu_text.isEmpty(); }
};

}  // namespace aprscope::gui
