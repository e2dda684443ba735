#pragma once

#include <QList>
#include <QString>
#include <vector>

class QWidget;

namespace aprscope::gui {

class MainWindow;

/// What has to be shown for a step.
enum class TourData { image, particles };

/// What the tour does in the window when a step has its data, and takes back when it leaves.
enum class TourDeed { nothing, all_views, levels, compare };

/// A station of the tour.
struct TourStep {
  QString title;
  QString text;
  /// Where the help page says more.
  QString section;
  TourData data = TourData::image;
  /// The action that brings its panel to the front; null: none.
  const char* panel = nullptr;
  TourDeed deed = TourDeed::nothing;
  /// What it is about, the main thing first; some of them may be hidden.
  QList<QWidget*> (*targets)(MainWindow& window) = nullptr;
};

/// The six steps, in the language of the program.
std::vector<TourStep> tour_steps();

}  // namespace aprscope::gui
