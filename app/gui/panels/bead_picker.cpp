#include "app/gui/panels/bead_picker.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/views/views_area.hpp"
#include "core/deconvolution/psf/psf_measured.hpp"

namespace aprscope::gui {
namespace {

constexpr int kClick = 4;           // moving farther is a drag
constexpr std::int64_t kSame = 4;   // px: a click within this distance is on a picked bead
constexpr std::int64_t kNear = 12;  // a bead's ring is shown in as many slices
constexpr double kRadius = 11.0;

// Numbered rings over a slice view; lets the mouse through.
class Rings : public QWidget {
 public:
  explicit Rings(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
  }
  struct Ring {
    QPointF at;
    int number = 0;
    double opacity = 1.0;
  };
  void set_rings(std::vector<Ring> rings) {
    rings_ = std::move(rings);
    setGeometry(parentWidget()->rect());
    setVisible(!rings_.empty());
    raise();
    update();
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = font();
    small.setBold(true);
    painter.setFont(small);
    for (const Ring& ring : rings_) {
      painter.setOpacity(ring.opacity);
      painter.setPen(QPen(QColor(0, 0, 0, 160), 3.5));
      painter.drawEllipse(ring.at, kRadius, kRadius);
      painter.setPen(QPen(QColor(0x5c, 0xe0, 0xa8), 1.8));
      painter.drawEllipse(ring.at, kRadius, kRadius);
      painter.drawText(QPointF(ring.at.x() + kRadius + 2, ring.at.y() - kRadius + 6),
                       QString::number(ring.number));
    }
  }

 private:
  std::vector<Ring> rings_;
};

std::int64_t across(const Index3& p, Axis axis) {
  return axis == Axis::z ? p.z : axis == Axis::x ? p.x : p.y;
}

}  // namespace

BeadPicker::BeadPicker(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent), document_(document), views_(views) {
  for (std::size_t i = 0; i < 3; ++i) {
    rings_[i] = new Rings(&view(i));
    rings_[i]->hide();
    view(i).installEventFilter(this);
    connect(&view(i), &SliceView::camera_changed, this, &BeadPicker::place_rings);
  }
  connect(&views.feed(), &SliceFeed::picture_ready, this, &BeadPicker::place_rings);
  connect(&document.items(), &ItemList::current_changed, this, &BeadPicker::place_rings);
}

SliceView& BeadPicker::view(std::size_t i) const { return views_.slice(static_cast<Axis>(i)); }

void BeadPicker::set_active(bool active) {
  if (active == active_) return;
  active_ = active;
  for (std::size_t i = 0; i < 3; ++i) {
    if (active) {
      view(i).setCursor(Qt::CrossCursor);
    } else {
      view(i).unsetCursor();
    }
  }
  place_rings();
  emit active_changed(active);
}

bool BeadPicker::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) place_rings();
  if (!active_) return false;
  auto* over = qobject_cast<SliceView*>(watched);
  if (over == nullptr) return false;
  if (event->type() == QEvent::MouseButtonPress) {
    pressed_ = static_cast<QMouseEvent*>(event)->position().toPoint();
  } else if (event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QPoint at = mouse->position().toPoint();
    if (mouse->button() == Qt::LeftButton && (at - pressed_).manhattanLength() <= kClick) {
      if (const auto voxel = over->voxel_at(mouse->position())) pick(*voxel);
    }
  }
  return false;
}

void BeadPicker::pick(const Index3& at) {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  // For particles, the image that they were made from.
  const auto pixels = item->is_apr() ? item->pixels : item->dataset;
  if (!pixels) {
    document_.messages().say(
        MessageKind::warning,
        tr("Beads are picked in pixel images: reconstruct the pixels first (Ctrl+R)."));
    return;
  }
  if (pixels != image_) {
    beads_.clear();
    image_ = pixels;
    name_ = item->name;
    file_.clear();
    const bool whole = item->source && !item->is_apr() && item->recipe.steps.empty() &&
                       item->selection == SourceSelection{};
    if (whole) file_ = item->recipe.input;
  }
  const Index3 bead = bead_near(pixels->volume(), at);
  const auto same = [&](const Index3& other) {
    return std::abs(other.z - bead.z) <= kSame && std::abs(other.x - bead.x) <= kSame &&
           std::abs(other.y - bead.y) <= kSame;
  };
  const auto found = std::find_if(beads_.begin(), beads_.end(), same);
  if (found != beads_.end()) {
    beads_.erase(found);
  } else {
    beads_.push_back(bead);
  }
  place_rings();
  emit beads_changed();
}

void BeadPicker::remove(std::size_t index) {
  if (index >= beads_.size()) return;
  beads_.erase(beads_.begin() + static_cast<std::ptrdiff_t>(index));
  place_rings();
  emit beads_changed();
}

void BeadPicker::clear() {
  if (beads_.empty()) return;
  beads_.clear();
  place_rings();
  emit beads_changed();
}

void BeadPicker::place_rings() {
  const Item* item = document_.items().current();
  const bool here =
      active_ && item != nullptr && image_ && (item->dataset == image_ || item->pixels == image_);
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Rings::Ring> rings;
    const auto axis = static_cast<Axis>(i);
    for (std::size_t b = 0; here && b < beads_.size(); ++b) {
      const Index3& p = beads_[b];
      const std::int64_t away = std::abs(across(p, axis) - view(i).index());
      if (away > kNear) continue;
      const double row = static_cast<double>(axis == Axis::z ? p.x : p.z) + 0.5;
      const double col = static_cast<double>(axis == Axis::y ? p.x : p.y) + 0.5;
      rings.push_back({view(i).to_widget(row, col), static_cast<int>(b) + 1,
                       1.0 - 0.7 * static_cast<double>(away) / kNear});
    }
    static_cast<Rings*>(rings_[i])->set_rings(std::move(rings));
  }
}

}  // namespace aprscope::gui
