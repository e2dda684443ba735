#include "app/gui/window/estimate_bar.hpp"

#include <QFileInfo>
#include <QHBoxLayout>

#include "app/gui/document/large_files.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

QString estimate_text(const ConversionEstimate& e) {
  const auto bytes = [](std::uint64_t n) { return QString::fromStdString(format_bytes(n)); };
  const QString ratio =
      QString::number(e.computational_ratio, 'f', e.computational_ratio < 10.0 ? 1 : 0);
  // Particles may take more memory than pixels; then the text has no gain to advertise.
  const QString what = e.bytes_apr <= e.bytes_pixels
                           ? QObject::tr("As particles: CR ≈ %1 · %2 → %3")
                           : QObject::tr("Particles would take more memory: CR ≈ %1 · %2 → %3");
  return what.arg(ratio, bytes(e.bytes_pixels), bytes(e.bytes_apr));
}

QString particles_text(const Item& item) {
  const Dataset& data = *item.dataset;
  const AprAccess& access = *data.apr().access;
  return QObject::tr("%L1 particles · CR %2 · %3")
      .arg(static_cast<qulonglong>(access.count()))
      .arg(access.computational_ratio(), 0, 'f', access.computational_ratio() < 10.0 ? 1 : 0)
      .arg(QString::fromStdString(format_bytes(data.apr().bytes())));
}

}  // namespace

EstimateBar::EstimateBar(Document& document, QWidget* parent)
    : QFrame(parent), document_(document), label_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("estimate_bar"));
  setProperty("bar", "strip");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 12, 4);
  layout->addWidget(label_, 1);
  connect(&document.items(), &ItemList::current_changed, this, &EstimateBar::follow);
  connect(&document.preview(), &PreviewState::estimate_changed, this, &EstimateBar::follow);
  follow();
}

void EstimateBar::follow() {
  const Item* item = document_.items().current();
  if (item == nullptr) {
    label_->setText(tr("Nothing is open."));
    label_->setToolTip({});
    return;
  }
  if (item->is_apr()) {
    label_->setText(particles_text(*item));
    label_->setToolTip(
        tr("CR, the computational ratio, is pixels ÷ particles. Filters work on the particles "
           "themselves."));
    return;
  }
  if (file_level(*item)) {
    label_->setText(tr("An overview of %1: the views show more where you zoom in.")
                        .arg(QFileInfo(QString::fromStdString(item->recipe.input)).fileName()));
    label_->setToolTip(
        tr("What is in sight is read from the file at the level that the screen can show. "
           "Process → Crop makes data of a part of it."));
    return;
  }
  label_->setToolTip(
      tr("CR, the computational ratio, is pixels ÷ particles. A particle takes more bytes than a "
         "pixel, since its position is stored too. The Convert tab says how well the error bound "
         "is kept."));
  if (document_.preview().estimate_pending()) {
    label_->setText(tr("Estimating how few particles this image needs …"));
  } else if (document_.preview().estimate()) {
    label_->setText(estimate_text(*document_.preview().estimate()));
  } else {
    label_->setText(tr("This image can be turned into particles."));
  }
}

QString EstimateBar::text() const { return label_->text(); }

}  // namespace aprscope::gui
