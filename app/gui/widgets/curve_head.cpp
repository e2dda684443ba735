#include "app/gui/widgets/curve_head.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include "app/gui/widgets/curve_reading.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/plot_style.hpp"

namespace aprscope::gui {

CurveHead::CurveHead(const QString& name, QWidget* parent) : QWidget(parent), name_(name) {
  setObjectName(name + QStringLiteral("_legend"));
  auto* head = new QHBoxLayout(this);
  head->setContentsMargins(10, 3, 4, 1);
  legend_ = new QHBoxLayout;
  head->addLayout(legend_);
  reading_ = new ElidedLabel(this);
  reading_->setObjectName(name + QStringLiteral("_reading"));
  reading_->setProperty("muted", true);
  reading_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  head->addWidget(reading_, 1);
  log_ = new QToolButton(this);
  log_->setObjectName(name + QStringLiteral("_log"));
  log_->setText(tr("log"));
  log_->setCheckable(true);
  log_->setToolTip(tr("Logarithmic: small counts are seen beside large ones"));
  connect(log_, &QToolButton::toggled, this, [this](bool on) {
    emit scale_chosen(on ? CurveScale::logarithmic : CurveScale::linear);
  });
  head->addWidget(log_);
}

void CurveHead::set_lines(const std::vector<CurveLine>& lines) {
  while (QLayoutItem* gone = legend_->takeAt(0)) {
    delete gone->widget();
    delete gone;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    legend_->addWidget(make_swatch(line_color(i), this));
    auto* name = new ElidedLabel(this);
    name->setObjectName(
        QStringLiteral("%1_name_%2").arg(name_, QString::fromStdString(lines[i].id)));
    name->setText(line_words(lines[i]));
    legend_->addWidget(name);
    legend_->addSpacing(10);
  }
}

void CurveHead::set_reading(const QString& text) { reading_->setText(text); }

void CurveHead::clear_reading() { reading_->clear(); }

QString CurveHead::reading() const { return reading_->text(); }

void CurveHead::set_scale(CurveScale scale) {
  const QSignalBlocker quiet(log_);
  log_->setChecked(scale == CurveScale::logarithmic);
}

}  // namespace aprscope::gui
