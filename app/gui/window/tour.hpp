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

/// The tour through the window: six steps on the demo image, which it opens and converts as the
/// user would. Everything can be used meanwhile, and what was open stays: at the end it is shown
/// again as it was.
class Tour : public QObject {
  Q_OBJECT

 public:
  Tour(Document& document, MainWindow& window);
  ~Tour() override;

  /// From the first step on, also where it runs already. Notes in the settings that it was shown.
  void start();
  void end();
  [[nodiscard]] bool active() const { return active_; }
  /// From 0.
  [[nodiscard]] int step() const { return step_; }
  [[nodiscard]] int count() const { return static_cast<int>(steps_.size()); }
  /// What the step points at: widgets that are visible.
  [[nodiscard]] QList<QWidget*> targets() const;
  /// Whether it waits for data that the step is about.
  [[nodiscard]] bool waiting() const { return active_ && !arrived_; }

 signals:
  void ended();
  /// To read about the step on the help page.
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

  /// What was shown when the tour began.
  struct Before {
    std::uint64_t current = 0;
    QString panel;
    std::optional<ViewPlace> maximised;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    bool compared = false;
  };
  /// What the tour has asked the program to make.
  enum class Asked { nothing, image, particles };

  Document& document_;
  MainWindow& window_;
  std::vector<TourStep> steps_;
  QPointer<TourCallout> callout_;
  QPointer<TourFrames> frames_;
  QShortcut* escape_ = nullptr;
  /// Panels move while docks and results come and go.
  QTimer placing_;
  bool active_ = false;
  int step_ = 0;
  bool arrived_ = false;
  Asked asked_ = Asked::nothing;
  Before before_;
  /// How the particles were shown before their levels were.
  std::optional<std::pair<std::uint64_t, DisplaySettings>> display_;
};

}  // namespace aprscope::gui
