#include "app/gui/window/status_info.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QStyle>
#include <QTimer>

#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

constexpr int kMemoryMs = 1000;

QString length(double value) { return QString::number(value, 'f', value < 100.0 ? 2 : 1); }

QString number(float value) { return QString::number(static_cast<double>(value), 'g', 6); }

// The value of a pixel, or of each channel of it.
QString value_words(float value, const std::vector<ChannelValue>& channels) {
  if (channels.empty()) return StatusInfo::tr("value %1").arg(number(value));
  QStringList values;
  for (const ChannelValue& one : channels)
    values << one.name + QLatin1Char(' ') + number(one.value);
  return values.join(QStringLiteral("  ·  "));
}

}  // namespace

StatusInfo::StatusInfo(Document& document, QWidget* parent)
    : QStatusBar(parent),
      document_(document),
      position_(new QLabel(this)),
      value_(new QLabel(this)),
      badge_(new QLabel(this)),
      backend_(new QLabel(this)),
      memory_(new QLabel(this)) {
  setSizeGripEnabled(false);
  setContentsMargins(8, 2, 8, 2);
  position_->setObjectName(QStringLiteral("status_position"));
  value_->setObjectName(QStringLiteral("status_value"));
  position_->setToolTip(
      tr("Rows run down (↓), columns to the right (→), slices count from 1. APR files, recipes and "
         "the command line call rows x and columns y; View → x to the right turns the letters "
         "round here, as most programs for microscopy have them."));
  addWidget(position_);
  addWidget(value_, 1);
  addPermanentWidget(badge_);
  addPermanentWidget(backend_);
  addPermanentWidget(memory_);
  backend_->setToolTip(tr("The processor or GPU that computes"));
  memory_->setToolTip(tr("Memory that the program holds"));
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, &StatusInfo::update_memory);
  timer->start(kMemoryMs);
  connect(&document, &Document::backend_changed, this, &StatusInfo::update_backend);
  connect(&document.items(), &ItemList::current_changed, this, &StatusInfo::clear_position);
  update_backend();
  update_memory();
  clear_position();
  set_preview(false);
}

void StatusInfo::show_place(const Index3& p, const VoxelSize& voxel) {
  const AxisWords words = document_.view().options().axes;
  const QString place = place_words(p, voxel, words);
  position_->setText(position_words(p, words) +
                     (place.isEmpty() ? place : QStringLiteral("   (%1)").arg(place)));
}

void StatusInfo::set_detail(const Index3& pixel, const VoxelSize& voxel, float value,
                            const std::vector<ChannelValue>& channels, int level) {
  show_place(pixel, voxel);
  value_->setText(value_words(value, channels) + tr("   level %1").arg(level));
}

void StatusInfo::set_position(const Index3& p, std::optional<float> shown, const QString& cell,
                              const std::vector<ChannelValue>& channels) {
  const Item* item = document_.items().current();
  if (item == nullptr) {
    clear_position();
    return;
  }
  const Dataset& dataset = *item->dataset;
  const VoxelSize& voxel = dataset.voxel();
  show_place(p, voxel);
  const Dataset::Probe probe = dataset.probe(p);
  QString value = value_words(shown.value_or(probe.value), channels);
  if (dataset.is_apr()) {
    value += tr("   level %1   particle %2 px").arg(probe.level).arg(probe.cell_side);
    if (voxel.unit != "px") {
      value += QStringLiteral(" (%1 %2)")
                   .arg(length(probe.cell_side * voxel.y), QString::fromStdString(voxel.unit));
    }
  }
  if (!cell.isEmpty()) value += QStringLiteral("   ") + cell;
  value_->setText(value);
}

void StatusInfo::clear_position() {
  const Item* item = document_.items().current();
  if (item == nullptr) {
    position_->setText(tr("Drop a file here, or press Ctrl+O"));
    value_->clear();
    return;
  }
  const Size3 size = item->dataset->size();
  const VoxelSize& v = item->dataset->voxel();
  position_->setText(tr("%1 × %2 × %3 pixels (z × x × y)").arg(size.z).arg(size.x).arg(size.y));
  value_->setText(v.unit == "px" ? QString()
                                 : tr("voxel %1 × %2 × %3 %4")
                                       .arg(v.z, 0, 'g', 4)
                                       .arg(v.x, 0, 'g', 4)
                                       .arg(v.y, 0, 'g', 4)
                                       .arg(QString::fromStdString(v.unit)));
}

void StatusInfo::set_preview(bool preview) {
  badge_->setText(preview ? tr("preview") : tr("final"));
  badge_->setProperty("badge", preview ? "preview" : "final");
  badge_->setToolTip(preview ? tr("The slices show a preview; Apply computes the whole data")
                             : tr("The views show the data as they are"));
  badge_->style()->unpolish(badge_);
  badge_->style()->polish(badge_);
  // The label only updates its margins from the style when it is sent this event.
  QEvent changed(QEvent::StyleChange);
  QCoreApplication::sendEvent(badge_, &changed);
  badge_->updateGeometry();
}

void StatusInfo::update_memory() {
  memory_->setText(QString::fromStdString(format_bytes(resident_bytes())));
}

void StatusInfo::update_backend() {
  backend_->setText(QString::fromStdString(document_.backend().name()));
}

QString StatusInfo::position_text() const { return position_->text(); }
QString StatusInfo::value_text() const { return value_->text(); }

}  // namespace aprscope::gui
