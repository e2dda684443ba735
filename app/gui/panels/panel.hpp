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

/// What a panel gets of the window that holds it. It may go once the panel is made, which copies
/// what it calls later.
struct PanelHost {
  Document& document;
  ViewsArea& views;
  Comparison& comparison;
  CompareArea& compare_area;
  MeasurementPreview& measured;
  LabelChoice& labels;
  /// Gives a job that has just been posted to the document a button that calls `keep`, which ends
  /// it with what there is.
  std::function<void(std::uint64_t job, std::function<void()> keep)> offer_keep;
  /// Asks where to write the comparison that is shown.
  std::function<void()> export_comparison;
};

/// A tab of the window. Nothing knows at which place it stands: it goes by its id.
struct Panel {
  /// Its word for --panel, its action "panel_…", and its place on the help page.
  QString id;
  /// What stands on the tab.
  QString title;
  /// Its entry in the Process menu, with the letter that chooses it. Empty for a panel that nobody
  /// opens by itself, because it comes with something else: it is no word of --panel, either.
  QString menu_text{};
  /// Of that entry, in the resources; null for none.
  const char* icon = nullptr;
  /// Opens it.
  QKeySequence key{};
  /// The tab's content, connected with what it needs; the caller takes it over.
  QWidget* (*make)(const PanelHost& host) = nullptr;

  [[nodiscard]] bool opens_by_itself() const { return !menu_text.isEmpty(); }
};

}  // namespace aprscope::gui
