#include "app/gui/compare/compare_costs_box.hpp"

#include <QLabel>
#include <optional>

#include "core/base/system.hpp"
#include "core/pipeline/comparison_report.hpp"

namespace aprscope::gui {
namespace {

QString bytes_text(std::uint64_t bytes) { return QString::fromStdString(format_bytes(bytes)); }

QString seconds_text(const std::optional<double>& s) {
  return s ? QString::fromStdString(duration_text(*s)) : QStringLiteral("–");
}

}  // namespace

CompareCostsBox::CompareCostsBox(Comparison& comparison, QWidget* parent)
    : CompareTable(
          tr("Time and memory of each side"), {QStringLiteral("A"), QStringLiteral("B")},
          {{"steps", tr("Steps"), tr("Time of all steps but the conversion")},
           {"conversion", tr("Conversion"), tr("Time to make the particles from the image")},
           {"memory", tr("Memory"),
            tr("Memory of the data: pixels, or particles and their structure")},
           {"peak", tr("Peak of the steps"),
            tr("Most memory that the program took during a step, beyond what it held before")},
           {"backend", tr("Computed on"), tr("The processor or GPU that the steps ran on")}},
          parent),
      comparison_(comparison) {
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("compare_summary"));
  summary_->setWordWrap(true);
  add_below(summary_);
}

// The ratio of the costs in words, which users would compute from the table otherwise.
QString CompareCostsBox::summary() const {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (a == nullptr || b == nullptr) return {};
  const auto side = [&](const Item& item) {
    return compared_side({}, *item.dataset, comparison_.mode_of(item), item.costs);
  };
  return QString::fromStdString(cost_summary(side(*a), side(*b)));
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
    const SideCosts costs = side_costs(item->costs);
    set_text(QStringLiteral("steps"), c, seconds_text(costs.steps_seconds));
    set_text(QStringLiteral("conversion"), c, seconds_text(costs.conversion_seconds));
    set_text(QStringLiteral("memory"), c, bytes_text(own_bytes(item->dataset->data())));
    set_text(QStringLiteral("peak"), c,
             costs.steps_peak_bytes ? bytes_text(*costs.steps_peak_bytes) : none);
    // Only the first word, which says what it is; the whole name is in the tool tip.
    const QString name = QString::fromStdString(costs.backend);
    set_text(QStringLiteral("backend"), c,
             name.isEmpty() ? none : name.section(QLatin1Char(','), 0, 0), name);
  }
}

}  // namespace aprscope::gui
