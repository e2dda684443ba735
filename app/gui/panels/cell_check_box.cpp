#include "app/gui/panels/cell_check_box.hpp"

#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/cell_check.hpp"

namespace aprscope::gui {
namespace {

// The image that the particles were made from, else another image of their size.
std::shared_ptr<const Dataset> pixels_for(const Item& particles, const ItemList& items) {
  if (particles.pixels) return particles.pixels;
  const auto fits = [&](const Item& other) {
    return !other.is_apr() && !other.is_measurement() && !other.growing &&
           other.dataset->size() == particles.dataset->size();
  };
  const auto found = std::find_if(items.all().begin(), items.all().end(), fits);
  return found == items.all().end() ? nullptr : found->dataset;
}

QString side_text(const FoundCells& side, const CellCheck& check) {
  const QString cells =
      side.cells == 1 ? QObject::tr("1 cell") : QObject::tr("%L1 cells").arg(side.cells);
  QString text =
      QStringLiteral("%1, %2 %3")
          .arg(cells, QLocale().toString(side.volume, 'g', 5), QString::fromStdString(check.unit));
  if (side.widest_leak) {
    text += QObject::tr(", widest leak %1 %2")
                .arg(QLocale().toString(*side.widest_leak, 'g', 3),
                     QString::fromStdString(check.length_unit));
  }
  return text;
}

QString text_of(const CellCheck& check) {
  return QObject::tr("Particles: %1. Pixels: %2. So %3.")
      .arg(side_text(check.particles, check), side_text(check.pixels, check),
           QString::fromStdString(check.finding));
}

}  // namespace

CellCheckBox::CellCheckBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  button_ = new QPushButton(tr("Check against pixels"), this);
  button_->setObjectName(QStringLiteral("cells_check"));
  button_->setToolTip(
      tr("Finds cells in this way on the particles and on the image that they were made from, and "
         "says what the conversion changed"));
  finding_ = new SteadyLabel(this);
  finding_->setObjectName(QStringLiteral("cells_checked"));
  finding_->setProperty("secondary", true);
  rows->addWidget(button_, 0, Qt::AlignLeft);
  rows->addWidget(finding_);
  connect(button_, &QPushButton::clicked, this, &CellCheckBox::check);
  connect(&document_.items(), &ItemList::items_changed, this, &CellCheckBox::renew);
  connect(&document_.items(), &ItemList::current_changed, this, &CellCheckBox::renew);
}

void CellCheckBox::set_operation(const Operation& operation) {
  if (operation == operation_) return;
  operation_ = operation;
  forget();
  renew();
}

// Called when another item becomes current, or when the list changes.
void CellCheckBox::renew() {
  const Item* item = document_.items().current();
  const bool particles = item != nullptr && item->is_apr() && !item->is_measurement();
  const auto pixels = particles ? pixels_for(*item, document_.items()) : nullptr;
  // Forget the result only if the particles or the image changed, not if other items did.
  const bool same = pixels && item->dataset == particles_.lock() && pixels == pixels_.lock();
  if (!same) forget();
  setVisible(pixels != nullptr);
  button_->setEnabled(pixels != nullptr && job_ == 0 && document_.runner().supports(operation_));
}

void CellCheckBox::forget() {
  ++newest_;
  if (job_ != 0) document_.jobs().cancel(std::exchange(job_, 0));
  particles_.reset();
  pixels_.reset();
  finding_->clear();
  finding_->setVisible(false);
}

void CellCheckBox::check() {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  const auto particles = item->dataset;
  const auto pixels = pixels_for(*item, document_.items());
  const auto step = complete(operation_);
  if (!pixels || !step) return;
  forget();
  particles_ = particles;
  pixels_ = pixels;
  button_->setEnabled(false);
  finding_->setVisible(true);
  finding_->setText(tr("Checking …"));
  const auto work = [particles, pixels, step = *step, backend = document_.shared_backend()](
                        const JobContext& context) -> Result<CellCheck> {
    const auto run = execute({step}, particles, *backend, context.part(0.0, 0.4));
    if (!run) return run.error();
    return check_cells(*run->data, {step}, pixels, *backend, context.part(0.4, 1.0));
  };
  job_ = document_.jobs().post(
      Lane::full, tr("Checking cells"), {}, this, work,
      [this, asked = newest_](const Result<CellCheck>& found) {
        if (asked != newest_) return;
        job_ = 0;
        button_->setEnabled(true);
        if (!found && found.error().cancelled()) {
          forget();
          return;
        }
        finding_->setText(found ? text_of(*found)
                                : QString::fromStdString(found.error().message()));
      });
}

}  // namespace aprscope::gui
