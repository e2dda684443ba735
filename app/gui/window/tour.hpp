#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/display_settings.hpp"
#include "app/gui/window/tour_steps.hpp"

class QShortcut;

namespace aprscope::gui {

class Document;
class MainWindow;
class TourCallout;
class TourFrames;

/// The tour through the window: six steps with the demo image, which it opens and converts as a
/// user would. The window can be used meanwhile. Data that was open stays open and is shown again
/// at the end.
class Tour : public QObject {
  Q_OBJECT

 public:
  Tour(Document& document, MainWindow& window);
  ~Tour() override;

  /// Starts at the first step, also if it runs already. Saves in the settings that it was shown.
  void start();
  void end();
  [[nodiscard]] bool active() const { return active_; }
  /// The index of the step, from 0.
  [[nodiscard]] int step() const { return step_; }
  [[nodiscard]] int count() const { return static_cast<int>(steps_.size()); }
  /// The visible widgets that the step points at.
  [[nodiscard]] QList<QWidget*> targets() const;
  /// Whether the step waits for its data.
  [[nodiscard]] bool waiting() const { return active_ && !arrived_; }

 signals:
  void ended();
  /// The user wants to read about the step on the help page.
  void more_requested(const QString& section);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void enter(int step);
  void leave();
  void follow_data();
  void follow_failure();
  void act();
  void place();
  [[nodiscard]] std::uint64_t image() const;
  [[nodiscard]] std::uint64_t particles_of(std::uint64_t image) const;
  void remember();
  void restore();

  /// The state of the window before the tour.
  struct Before {
    std::uint64_t current = 0;
    QString panel;
    std::optional<ViewPlace> maximised;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    bool compared = false;
  };
  /// The data that the tour has requested.
  enum class Asked { nothing, image, particles };

  Document& document_;
  MainWindow& window_;
  std::vector<TourStep> steps_;
  QPointer<TourCallout> callout_;
  QPointer<TourFrames> frames_;
  QShortcut* escape_ = nullptr;
  /// Updates positions, as panels move when docks and results come and go.
  QTimer placing_;
  bool active_ = false;
  int step_ = 0;
  bool arrived_ = false;
  Asked asked_ = Asked::nothing;
  Before before_;
  /// The item whose levels are shown, and its display settings before.
  std::optional<std::pair<std::uint64_t, DisplaySettings>> display_;
};

}  // namespace aprscope::gui
