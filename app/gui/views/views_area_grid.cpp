// The four views in their grid: splitters, buttons that maximise, and what of it is saved.
#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/gui/views/views_area.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array<Axis, 3> kGridAxes{Axis::z, Axis::x, Axis::y};
constexpr std::array<ViewPlace, 4> kPlaces{ViewPlace::xy, ViewPlace::mip, ViewPlace::yz,
                                           ViewPlace::xz};

QSplitter* make_splitter(Qt::Orientation orientation, QWidget* parent) {
  auto* splitter = new QSplitter(orientation, parent);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(5);
  return splitter;
}

}  // namespace

void ViewsArea::build() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  rows_ = make_splitter(Qt::Vertical, this);
  top_ = make_splitter(Qt::Horizontal, rows_);
  bottom_ = make_splitter(Qt::Horizontal, rows_);
  layout->addWidget(rows_);
  for (const Axis axis : kGridAxes) {
    slices_[static_cast<std::size_t>(axis)] = new SliceView(axis, this);
  }
  mip_ = new MipView(this);
  slice(Axis::z).setObjectName(QStringLiteral("view_xy"));
  slice(Axis::x).setObjectName(QStringLiteral("view_yz"));
  slice(Axis::y).setObjectName(QStringLiteral("view_xz"));
  mip_->setObjectName(QStringLiteral("view_mip"));
  top_->addWidget(&slice(Axis::z));
  top_->addWidget(mip_);
  bottom_->addWidget(&slice(Axis::x));
  bottom_->addWidget(&slice(Axis::y));
  for (QSplitter* splitter : {rows_, top_, bottom_}) splitter->setSizes({1000, 1000});
  // One vertical line through the grid.
  const auto follow = [](QSplitter* from, QSplitter* to) {
    connect(from, &QSplitter::splitterMoved, to, [from, to] { to->setSizes(from->sizes()); });
  };
  follow(top_, bottom_);
  follow(bottom_, top_);
  for (const ViewPlace place : kPlaces) add_button(place);
}

QWidget& ViewsArea::view(ViewPlace place) {
  switch (place) {
    case ViewPlace::mip:
      return *mip_;
    case ViewPlace::yz:
      return slice(Axis::x);
    case ViewPlace::xz:
      return slice(Axis::y);
    case ViewPlace::xy:
      break;
  }
  return slice(Axis::z);
}

void ViewsArea::add_button(ViewPlace place) {
  QWidget& over = view(place);
  auto* button = new QToolButton(&over);
  button->setObjectName(QStringLiteral("maximise"));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::NoFocus);
  button->setToolTip(tr("Maximise or restore (%1, double click)").arg(static_cast<int>(place) + 1));
  button->setAccessibleName(button->toolTip());
  buttons_[static_cast<std::size_t>(place)] = button;
  const auto toggle = [this, place] { maximise(maximised_ ? std::nullopt : std::optional(place)); };
  connect(button, &QToolButton::clicked, this, toggle);
  if (place == ViewPlace::mip) {
    connect(mip_, &MipView::maximise_requested, this, toggle);
  } else {
    connect(static_cast<SliceView*>(&over), &SliceView::maximise_requested, this, toggle);
  }
  over.installEventFilter(this);
}

bool ViewsArea::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
      place_buttons();
      look_at_details();
      break;
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::WindowStateChange:
      follow_seen();
      look_at_details();
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void ViewsArea::look_at_details() {
  if (detail_ == nullptr) return;
  for (const Axis axis : kGridAxes) detail_->look_again(axis);
}

void ViewsArea::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // It hears when that is minimised; installed twice it is heard once.
  window()->installEventFilter(this);
}

// Another view is maximised, another page is in front, or the window is minimised.
void ViewsArea::follow_seen() {
  const bool in_volume = document_.view().options().slices && mip_->isVisible();
  for (const Axis axis : kGridAxes) {
    const bool shown = slice(axis).isVisible() || in_volume;
    feed_->set_seen(axis, shown && !window()->isMinimized());
  }
  if (volume_preview_ == nullptr) return;
  volume_preview_->set_seen(mip_->isVisible() && !window()->isMinimized());
}

void ViewsArea::place_buttons() {
  for (const ViewPlace place : kPlaces) {
    QToolButton* button = buttons_[static_cast<std::size_t>(place)];
    if (button == nullptr) continue;
    button->resize(26, 26);
    const int below = 10 + qRound(24 * theme_.view_theme().text_scale);
    // Below the badge, where a slice has one.
    bool badge = false;
    for (const Axis axis : kGridAxes) {
      const auto& picture = shown_[static_cast<std::size_t>(axis)];
      if (&view(place) == &slice(axis) && picture) {
        badge = caption_of(*picture).badge != SliceCaption::Badge::none;
      }
    }
    button->move(view(place).width() - 32, badge ? below : 5);
  }
}

void ViewsArea::maximise(std::optional<ViewPlace> place) {
  const bool before = volume_shown();
  maximised_ = place;
  // Of an image of one slice there is nothing else to see.
  const std::optional<ViewPlace> only = flat_ && !place ? std::optional(ViewPlace::xy) : place;
  for (const ViewPlace other : kPlaces) view(other).setVisible(!only || *only == other);
  top_->setVisible(!only || *only == ViewPlace::xy || *only == ViewPlace::mip);
  bottom_->setVisible(!only || *only == ViewPlace::yz || *only == ViewPlace::xz);
  apply_theme();
  place_legend();
  if (place) view(*place).setFocus();
  if (before != volume_shown()) emit volume_shown_changed();
}

void ViewsArea::reset() {
  maximise(std::nullopt);
  for (QSplitter* splitter : {rows_, top_, bottom_}) splitter->setSizes({1000, 1000});
  for (SliceView* view : slices_) view->navigation().fit();
  mip_->navigation().set_preset(MipPreset::oblique);
}

QByteArray ViewsArea::save_layout() const {
  QByteArray state;
  QDataStream stream(&state, QIODevice::WriteOnly);
  stream << rows_->saveState() << top_->saveState() << bottom_->saveState();
  return state;
}

void ViewsArea::restore_layout(const QByteArray& state) {
  QDataStream stream(state);
  for (QSplitter* splitter : {rows_, top_, bottom_}) {
    QByteArray one;
    stream >> one;
    if (!one.isEmpty()) splitter->restoreState(one);
  }
}

}  // namespace aprscope::gui
