#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

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

 private:
  QTimer timer_;
  QElapsedTimer since_;
  double longest_ = 0.0;
  double longest_computing_ = 0.0;
  double computed_ = 0.0;
  int stalls_ = 0;
};

}  // namespace aprscope::gui
