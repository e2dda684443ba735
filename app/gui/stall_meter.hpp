#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <string>
#include <vector>

namespace aprscope::gui {

/// Measures for how long the UI thread does not respond, by how late a timer ticks that should tick
/// every few milliseconds.
class StallMeter : public QObject {
  Q_OBJECT

 public:
  explicit StallMeter(QObject* parent = nullptr);

  /// Longest time between two ticks since the start or the last reset, in milliseconds.
  [[nodiscard]] double longest() const { return longest_; }
  /// The number of times longer than 50 ms.
  [[nodiscard]] int stalls() const { return stalls_; }
  /// The longest processor time of this thread between two ticks, in milliseconds: the part of a
  /// stall that does not come from other load on the machine.
  [[nodiscard]] double longest_computing() const { return longest_computing_; }
  /// Resets all figures.
  void reset();

 private:
  QTimer timer_;
  QElapsedTimer since_;
  double longest_ = 0.0;
  double longest_computing_ = 0.0;
  double computed_ = 0.0;
  int stalls_ = 0;
};

/// An application that survives when memory runs out, and can report which events took the
/// longest.
class MeasuredApplication : public QApplication {
  Q_OBJECT

 public:
  struct Event {
    /// The time at which it began, in seconds since measure().
    double at = 0.0;
    /// Its duration and the processor time of the thread, nested events included, in
    /// milliseconds.
    double taken = 0.0;
    double computing = 0.0;
    /// The receiver and the type: "MainWindow main_window UpdateRequest".
    std::string what;
  };

  using QApplication::QApplication;

  /// From now on, records the events that take the longest.
  void measure();
  /// The slowest events, the slowest first.
  [[nodiscard]] const std::vector<Event>& slowest() const { return slowest_; }

  /// Abandons an event for which memory runs out; the window continues.
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
