#include "app/gui/panels/rays_box.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {
namespace {

// Depths from 0.05 % of the side of the data to half of it, in even factors.
constexpr int kSteps = 100;
constexpr double kShallowest = 0.0005;
constexpr double kDeepest = 0.5;

double depth_at(int step) {
  return kShallowest * std::pow(kDeepest / kShallowest, static_cast<double>(step) / kSteps);
}

int step_of(double depth) {
  const double step = kSteps * std::log(depth / kShallowest) / std::log(kDeepest / kShallowest);
  return std::clamp(qRound(step), 0, kSteps);
}

// Two digits, or all that are before the point.
QString length_text(double length, const QString& unit) {
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(length))), 0, 6);
  return QStringLiteral("%1 %2").arg(QLocale().toString(length, 'f', decimals), unit);
}

}  // namespace

RaysBox::RaysBox(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  kind_ = new QComboBox(this);
  kind_->setObjectName(QStringLiteral("rays"));
  kind_->addItem(tr("Maximum"));
  kind_->addItem(tr("Translucent"));
  kind_->setToolTip(
      tr("What the 3-D view shows: the brightest value behind each of its pixels, or translucent "
         "matter, in which what lies in front covers what lies behind, each channel by itself. "
         "What the contrast draws nearly black is not there; brighter values hide more."));
  auto* title = new QLabel(tr("3-D"), this);
  title->setBuddy(kind_);
  depth_ = new QSlider(Qt::Horizontal, this);
  depth_->setObjectName(QStringLiteral("ray_depth"));
  depth_->setRange(0, kSteps);
  depth_->setAccessibleName(tr("Depth"));
  depth_->setToolTip(
      tr("How deep one looks into the brightest matter: to the left only surfaces are seen, to the "
         "right all of it shines through"));
  length_ = new QLabel(this);
  length_->setObjectName(QStringLiteral("ray_depth_length"));
  auto* first = new QHBoxLayout();
  first->addWidget(title);
  first->addWidget(kind_, 1);
  auto* depth_title = new QLabel(tr("Depth"), this);
  depth_title->setBuddy(depth_);
  auto* second = new QHBoxLayout();
  second->addWidget(depth_title);
  second->addWidget(depth_, 1);
  second->addWidget(length_);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addLayout(first);
  rows->addLayout(second);
  connect(kind_, &QComboBox::currentIndexChanged, this, &RaysBox::apply);
  connect(depth_, &QSlider::valueChanged, this, &RaysBox::apply);
  connect(&document.view(), &ViewState::options_changed, this, &RaysBox::follow);
  connect(&document.items(), &ItemList::current_changed, this, &RaysBox::follow);
  connect(&document.items(), &ItemList::data_changed, this, &RaysBox::follow);
  follow();
}

void RaysBox::apply() {
  ViewOptions options = document_.view().options();
  options.translucent = kind_->currentIndex() == 1;
  // Depths that are not of the slider stay what they are, until it is moved.
  if (step_of(options.depth) != depth_->value()) options.depth = depth_at(depth_->value());
  document_.view().set_options(options);
}

void RaysBox::follow() {
  const ViewOptions& options = document_.view().options();
  const QSignalBlocker no_kind(kind_);
  const QSignalBlocker no_depth(depth_);
  kind_->setCurrentIndex(options.translucent ? 1 : 0);
  depth_->setValue(step_of(options.depth));
  depth_->setEnabled(options.translucent);
  const Item* item = document_.items().current();
  length_->setVisible(item != nullptr);
  if (item == nullptr) return;
  const VoxelSize& voxel = item->dataset->voxel();
  const double length = options.depth * mean_side(item->dataset->size(), voxel);
  length_->setText(length_text(length, QString::fromStdString(voxel.unit)));
}

}  // namespace aprscope::gui
