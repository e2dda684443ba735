#pragma once

#include <QList>
#include <QString>
#include <vector>

class QWidget;

namespace aprscope::gui {

class MainWindow;

/// The data that a step needs.
enum class TourData { image, particles };

/// A change that the tour makes in the window during a step, and undoes after it.
enum class TourDeed { nothing, all_views, levels, compare };

/// A step of the tour.
struct TourStep {
  QString title;
  QString text;
  /// The section of the help page about this step.
  QString section;
  TourData data = TourData::image;
  /// The action that opens the panel of the step; null: none.
  const char* panel = nullptr;
  TourDeed deed = TourDeed::nothing;
  /// The widgets that the step points at, the main one first; some may be hidden.
  QList<QWidget*> (*targets)(MainWindow& window) = nullptr;
};

/// The six steps, in the language of the program.
std::vector<TourStep> tour_steps();

}  // namespace aprscope::gui
