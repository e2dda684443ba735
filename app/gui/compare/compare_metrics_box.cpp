#include "app/gui/compare/compare_metrics_box.hpp"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

namespace aprscope::gui {

CompareMetricsBox::CompareMetricsBox(Document& document, Comparison& comparison, CompareFeed& feed,
                                     QWidget* parent)
    : CompareTable(
          tr("How well B agrees with A"), {tr("Slice"), tr("Volume")},
          {{"psnr", tr("PSNR"),
            tr("Peak signal-to-noise ratio: 10 log₁₀(range of A² ÷ mean square difference); higher "
               "is more alike")},
           {"ssim", tr("SSIM"), tr("Mean structural similarity (Wang et al. 2004): 1 means equal")},
           {"nrmse", tr("NRMSE"), tr("Root mean square difference ÷ range of A; 0 means equal")},
           {"max", tr("Largest difference"), tr("Of one pixel; the button below goes there")}},
          parent),
      document_(document),
      comparison_(comparison),
      feed_(feed) {
  for (int c = 0; c < 2; ++c) {
    auto* go = new QToolButton(this);
    go->setObjectName(QStringLiteral("go_%1").arg(c));
    go->setText(tr("Go there"));
    add_below(go, c);
    go_[static_cast<std::size_t>(c)] = go;
    connect(go, &QToolButton::clicked, this, [this, c] { go_to_largest(c); });
  }
  measure_ = new QPushButton(tr("Measure the volume"), this);
  measure_->setObjectName(QStringLiteral("compare_measure"));
  add_below(measure_);
  connect(measure_, &QPushButton::clicked, this, [this] { feed_.measure_volume(); });
  note_ = new QLabel(this);
  note_->setWordWrap(true);
  note_->setProperty("muted", true);
  add_below(note_);
  connect(&feed_, &CompareFeed::metrics_changed, this, &CompareMetricsBox::follow);
  follow();
}

void CompareMetricsBox::go_to_largest(int column) {
  const ComparePicture* picture = feed_.picture();
  if (!state(column).metrics || comparison_.a() == nullptr || picture == nullptr) return;
  Index3 p = state(column).metrics->max_at;
  if (column == 0) {  // in the slice: row and column
    const std::int64_t row = p.x;
    const std::int64_t col = p.y;
    p = picture->axis == Axis::z   ? Index3{picture->index_a, row, col}
        : picture->axis == Axis::x ? Index3{row, picture->index_a, col}
                                   : Index3{row, col, picture->index_a};
  }
  document_.view().set_crosshair(p);
}

void CompareMetricsBox::follow() {
  QString note;
  for (int c = 0; c < 2; ++c) {
    const MetricsState& now = state(c);
    QToolButton* go = go_[static_cast<std::size_t>(c)];
    go->setEnabled(now.metrics && now.metrics->max_abs_diff > 0);
    if (!now.note.isEmpty()) note = now.note;
    if (!now.metrics) {
      set_all(c, now.pending ? QStringLiteral("…") : QStringLiteral("–"));
      continue;
    }
    const ImageMetrics& m = *now.metrics;
    set_text(QStringLiteral("psnr"), c,
             std::isfinite(m.psnr) ? tr("%1 dB").arg(m.psnr, 0, 'f', 2) : tr("equal"));
    set_text(QStringLiteral("ssim"), c, QString::number(m.ssim, 'f', 4));
    set_text(QStringLiteral("nrmse"), c, QString::number(m.nrmse, 'g', 3));
    set_text(QStringLiteral("max"), c, QString::number(m.max_abs_diff, 'g', 5));
    if (c == 1) {
      go->setToolTip(
          tr("Crosshair to %1").arg(position_words(m.max_at, document_.view().options().axes)));
    }
  }
  const MetricsState& volume = feed_.volume_metrics();
  measure_->setVisible(comparison_.active() && !volume.metrics && !volume.pending &&
                       comparison_.same_size() && comparison_.may_measure());
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

}  // namespace aprscope::gui
