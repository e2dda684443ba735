#include "app/gui/widgets/plot_tickers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <qcustomplot.h>

namespace aprscope::gui {
namespace {

QString power_of_ten(int k) {
  static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text = QStringLiteral("10");
  for (const QChar c : QString::number(k)) text += digits[c.digitValue()];
  return text;
}

class TwoSidedDecades : public QCPAxisTicker {
 protected:
  QVector<double> createTickVector(double, const QCPRange& range) override {
    const double farthest = std::max(std::abs(range.lower), std::abs(range.upper));
    const int most = std::max(0, static_cast<int>(farthest));
    // Few enough for their numbers to have room.
    const int step = std::max(1, (most + 2) / 3);
    QVector<double> ticks{0.0};
    for (int k = most % step; k <= most; k += step) {
      const double tick = both_sides(std::pow(10.0, k));
      ticks.push_front(-tick);
      ticks.push_back(tick);
    }
    return ticks;
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    if (tick == 0.0) return QStringLiteral("0");
    const auto k = static_cast<int>(std::lround(std::log10(std::pow(10.0, std::abs(tick)) - 1.0)));
    return (tick < 0.0 ? QStringLiteral("−") : QString()) + power_of_ten(k);
  }
  int getSubTickCount(double) override { return 0; }
};

class Decades : public QCPAxisTickerLog {
 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    constexpr double kFew = 100.0;
    if (!(range.lower > 0.0) || range.upper / range.lower >= kFew) {
      return QCPAxisTickerLog::createTickVector(step, range);
    }
    static const std::vector<std::vector<double>> choices{{1, 2, 5}, {1, 3}, {1}};
    QVector<double> marks;
    for (const std::vector<double>& factors : choices) {
      marks.clear();
      const auto lowest = static_cast<int>(std::floor(std::log10(range.lower)));
      for (int k = lowest; std::pow(10.0, k) <= range.upper; ++k) {
        for (const double f : factors) {
          const double mark = f * std::pow(10.0, k);
          if (mark >= range.lower && mark <= range.upper) marks.push_back(mark);
        }
      }
      if (marks.size() <= tickCount()) break;
    }
    return marks;
  }
};

class Reciprocals : public QCPAxisTicker {
 public:
  explicit Reciprocals(QString unit) : unit_(std::move(unit)) {}

 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    // Rounded: the place of a tick is a sum of steps.
    const QString frequency = QString::number(tick, 'g', 4);
    if (!(std::abs(tick) > 1e-12)) return QStringLiteral("0");
    return QStringLiteral("%1\n%2 %3").arg(frequency, QString::number(1.0 / tick, 'g', 3), unit_);
  }

 private:
  QString unit_;
};

}  // namespace

double both_sides(double y) { return std::copysign(std::log10(1.0 + std::abs(y)), y); }

QSharedPointer<QCPAxisTicker> decades_ticker() {
  return QSharedPointer<QCPAxisTicker>(new Decades);
}

QSharedPointer<QCPAxisTicker> two_sided_ticker() {
  return QSharedPointer<QCPAxisTicker>(new TwoSidedDecades);
}

QSharedPointer<QCPAxisTicker> reciprocals_ticker(const QString& unit) {
  return QSharedPointer<QCPAxisTicker>(new Reciprocals(unit));
}

}  // namespace aprscope::gui
