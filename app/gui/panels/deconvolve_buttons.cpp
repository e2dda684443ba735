#include "app/gui/panels/deconvolve_buttons.hpp"

#include <QHBoxLayout>
#include <QPushButton>
#include <utility>

#include "app/gui/document/deconvolution_run.hpp"

namespace aprscope::gui {
namespace {

constexpr int kLateClickMs = 1000;

}  // namespace

DeconvolveButtons::DeconvolveButtons(const DeconvolutionRun& run, std::function<bool()> can_start,
                                     QWidget* parent)
    : QWidget(parent), run_(run), can_start_(std::move(can_start)) {
  auto* buttons = new QHBoxLayout(this);
  buttons->setContentsMargins(0, 0, 0, 0);
  start_ = new QPushButton(tr("Deconvolve"), this);
  start_->setObjectName(QStringLiteral("deconvolve_start"));
  start_->setProperty("primary", true);
  start_->setToolTip(tr("Run on the whole data in the background and watch"));
  keep_ = new QPushButton(tr("Keep this iterate"), this);
  keep_->setObjectName(QStringLiteral("deconvolve_keep"));
  keep_->setProperty("primary", true);
  keep_->setToolTip(tr("End after this iteration; what there is becomes the result"));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("deconvolve_cancel"));
  cancel_->setToolTip(tr("Discard this run"));
  for (QPushButton* button : {start_, keep_}) buttons->addWidget(button, 1);
  buttons->addWidget(cancel_);
  settled_.setSingleShot(true);
  settled_.setInterval(kLateClickMs);
  connect(&settled_, &QTimer::timeout, this, &DeconvolveButtons::follow);
  connect(start_, &QPushButton::clicked, this, &DeconvolveButtons::start_clicked);
  connect(keep_, &QPushButton::clicked, this, &DeconvolveButtons::keep_clicked);
  connect(cancel_, &QPushButton::clicked, this, &DeconvolveButtons::cancel_clicked);
}

void DeconvolveButtons::set_kept() {
  kept_ = true;
  keep_->setEnabled(false);
}

void DeconvolveButtons::follow() {
  const bool running = run_.running();
  if (std::exchange(was_running_, running) != running) {
    settled_.start();
    if (running) kept_ = false;
  }
  const bool settled = !settled_.isActive();
  const bool keeps = running || !settled;
  start_->setVisible(!keeps);
  keep_->setVisible(keeps);
  keep_->setText(running ? tr("Keep this iterate") : tr("Ended"));
  keep_->setEnabled(running && settled && !kept_);
  cancel_->setVisible(keeps);
  cancel_->setEnabled(running);
  start_->setEnabled(can_start_());
}

}  // namespace aprscope::gui
