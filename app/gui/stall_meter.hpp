#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <string>
#include <vector>

namespace aprscope::gui {

/// Measures how long the thread of the user interface stands still: a timer that should tick every
/// few milliseconds tells by how much it was late.
class StallMeter : public QObject {
  Q_OBJECT

 public:
  explicit StallMeter(QObject* parent = nullptr);

  /// Longest time between two ticks since the start or the last reset, in milliseconds.
  [[nodiscard]] double longest() const { return longest_; }
  /// How many were longer than 50 ms.
  [[nodiscard]] int stalls() const { return stalls_; }
  /// Most that this thread computed between two ticks, in milliseconds: what is left of a stall on
  /// a machine that has nothing else to do.
  [[nodiscard]] double longest_computing() const { return longest_computing_; }
  /// Starts anew.
  void reset();

 private:
  QTimer timer_;
  QElapsedTimer since_;
  double longest_ = 0.0;
  double longest_computing_ = 0.0;
  double computed_ = 0.0;
  int stalls_ = 0;
};

/// An application that survives when memory runs out, and can tell which events kept its thread
/// busy.
class MeasuredApplication : public QApplication {
  Q_OBJECT

 public:
  struct Event {
    /// When it came, in seconds since measure().
    double at = 0.0;
    /// How long it took, and what the thread computed in that time, events within it included, in
    /// milliseconds.
    double taken = 0.0;
    double computing = 0.0;
    /// Receiver and type: "MainWindow main_window UpdateRequest".
    std::string what;
  };

  using QApplication::QApplication;

  /// From now on, keep the events that took longest.
  void measure();
  /// The slowest first, a few of them.
  [[nodiscard]] const std::vector<Event>& slowest() const { return slowest_; }

  /// An event for whose work memory ran out is given up, and the window goes on.
  bool notify(QObject* receiver, QEvent* event) override;

 signals:
  void memory_ran_out();

 private:
  bool measured_notify(QObject* receiver, QEvent* event);

  QElapsedTimer clock_;
  int depth_ = 0;
  std::vector<Event> slowest_;
};

}  // namespace aprscope::gui
