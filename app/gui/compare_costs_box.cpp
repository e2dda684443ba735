#include "app/gui/compare_costs_box.hpp"

#include <QLabel>
#include <QStringList>

#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

QString bytes_text(std::uint64_t bytes) { return QString::fromStdString(format_bytes(bytes)); }

QString seconds_text(double s) {
  if (s < 1.0) return QStringLiteral("%1 ms").arg(1e3 * s, 0, 'g', 3);
  return s < 10.0 ? QStringLiteral("%1 s").arg(s, 0, 'f', 2)
                  : QStringLiteral("%1 s").arg(s, 0, 'f', 1);
}

// What the conversion took, and the steps after it (all steps of a pixel image).
struct Split {
  std::vector<StepCost> conversion;
  std::vector<StepCost> steps;
};

Split split(const Item& item) {
  Split out;
  for (const StepCost& cost : item.costs) {
    (cost.operation == "convert" ? out.conversion : out.steps).push_back(cost);
  }
  return out;
}

}  // namespace

CompareCostsBox::CompareCostsBox(Comparison& comparison, QWidget* parent)
    : CompareTable(
          tr("What each side took"), {QStringLiteral("A"), QStringLiteral("B")},
          {{"steps", tr("Steps"), tr("Time of all steps but the conversion")},
           {"conversion", tr("Conversion"), tr("Time that making the particles took")},
           {"memory", tr("Memory"), tr("Of the data: pixels, or particles and their structure")},
           {"peak", tr("Peak of the steps"),
            tr("Most memory that the program took during a step, beyond what it held before")},
           {"backend", tr("Computed on"), tr("What the steps ran on")}},
          parent),
      comparison_(comparison) {
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("compare_summary"));
  summary_->setWordWrap(true);
  add_below(summary_);
}

// "Steps of B: 11 × faster, in 7 × less memory": what everybody would work out from the table.
QString CompareCostsBox::summary() const {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (a == nullptr || b == nullptr) return {};
  const auto times = [](double ratio) {
    return QString::number(ratio, 'f', ratio < 10.0 ? 1 : 0) + QStringLiteral(" ×");
  };
  const double time_a = total(split(*a).steps).seconds;
  const double time_b = total(split(*b).steps).seconds;
  QStringList parts;
  if (time_a > 0.0 && time_b > 0.0) {
    parts << (time_a >= time_b ? tr("B's steps were %1 faster").arg(times(time_a / time_b))
                               : tr("B's steps were %1 slower").arg(times(time_b / time_a)));
  }
  const auto bytes_a = static_cast<double>(own_bytes(a->dataset->data()));
  const auto bytes_b = static_cast<double>(own_bytes(b->dataset->data()));
  if (bytes_a > 0.0 && bytes_b > 0.0 && bytes_a != bytes_b) {
    parts << (bytes_a > bytes_b ? tr("B takes %1 less memory").arg(times(bytes_a / bytes_b))
                                : tr("B takes %1 more memory").arg(times(bytes_b / bytes_a)));
  }
  return parts.join(QStringLiteral("; "));
}

void CompareCostsBox::follow() {
  const QString none = QStringLiteral("–");
  summary_->setText(comparison_.active() ? summary() : QString());
  for (int c = 0; c < 2; ++c) {
    const Item* item = c == 0 ? comparison_.a() : comparison_.b();
    if (!comparison_.active() || item == nullptr) {
      set_all(c, none);
      continue;
    }
    const Split costs = split(*item);
    const TotalCost steps = total(costs.steps);
    const TotalCost all = total(item->costs);
    set_text(QStringLiteral("steps"), c, costs.steps.empty() ? none : seconds_text(steps.seconds));
    set_text(QStringLiteral("conversion"), c,
             costs.conversion.empty() ? none : seconds_text(total(costs.conversion).seconds));
    set_text(QStringLiteral("memory"), c, bytes_text(own_bytes(item->dataset->data())));
    set_text(QStringLiteral("peak"), c, steps.peak_bytes ? bytes_text(*steps.peak_bytes) : none);
    // The name begins with what it is; the rest is in the tip.
    const QString name = QString::fromStdString(all.backend);
    set_text(QStringLiteral("backend"), c,
             name.isEmpty() ? none : name.section(QLatin1Char(','), 0, 0), name);
  }
}

}  // namespace aprscope::gui
