#include "app/gui/widgets/psf_view.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/image/colormap.hpp"

namespace aprscope::gui {
namespace {

constexpr double kPictureGap = 8.0;
constexpr double kText = 18.0;

QImage cut(std::int64_t rows, std::int64_t cols, double peak,
           const std::function<double(std::int64_t, std::int64_t)>& weight) {
  const ColorTable& table = colormap("inferno");
  QImage image(static_cast<int>(cols), static_cast<int>(rows), QImage::Format_RGB32);
  for (int r = 0; r < image.height(); ++r) {
    for (int c = 0; c < image.width(); ++c) {
      const double t = std::sqrt(std::clamp(weight(r, c) / peak, 0.0, 1.0));
      const auto& color = table[static_cast<std::size_t>(std::lround(255.0 * t))];
      image.setPixel(c, r, qRgb(color[0], color[1], color[2]));
    }
  }
  return image;
}

// The largest 1, 2 or 5 times a power of ten that is at most `length`.
double round_length(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double step : {5.0, 2.0}) {
    if (step * power <= length) return step * power;
  }
  return power;
}

}  // namespace

PsfView::PsfView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("psf_view"));
  setToolTip(
      tr("The point-spread function cut through its middle: seen along z (xy), and from the side "
         "(xz, z downwards). The square root of its weights, so that faint rings are seen."));
  setAccessibleName(tr("Point-spread function"));
}

void PsfView::set_psf(const Stencil& psf, const VoxelSize& voxel) {
  size_ = psf.size;
  voxel_ = voxel;
  stale_ = false;
  const double peak = *std::max_element(psf.weights.begin(), psf.weights.end());
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return psf.weights[static_cast<std::size_t>((z * size_.x + x) * size_.y + y)];
  };
  xy_ = cut(size_.x, size_.y, peak,
            [&](std::int64_t x, std::int64_t y) { return at(size_.z / 2, x, y); });
  xz_ = cut(size_.z, size_.x, peak,
            [&](std::int64_t z, std::int64_t x) { return at(z, x, size_.y / 2); });
  update();
}

void PsfView::set_stale(bool stale) {
  stale_ = stale;
  update();
}

void PsfView::clear() {
  xy_ = {};
  xz_ = {};
  update();
}

void PsfView::paint_cut(QPainter& painter, const QImage& image, const QRectF& into, double width,
                        double height, const QString& name) const {
  painter.fillRect(into, Qt::black);
  const QRectF room = into.adjusted(0, 0, 0, -kText);
  const double scale = std::min(room.width() / width, room.height() / height);
  QRectF at(0, 0, std::max(1.0, width * scale), std::max(1.0, height * scale));
  at.moveCenter(room.center());
  painter.drawImage(at, image);
  painter.setPen(QColor(0xe6, 0xe9, 0xf0));
  painter.drawText(into.adjusted(6, 0, -6, -3), Qt::AlignLeft | Qt::AlignBottom, name);
  // Short enough not to touch the name.
  const double length = round_length(0.45 * into.width() / scale);
  const double bar = length * scale;
  const QString unit = QString::fromStdString(voxel_.unit);
  painter.drawText(into.adjusted(6, 0, -6 - bar - 5, -3), Qt::AlignRight | Qt::AlignBottom,
                   QStringLiteral("%1 %2").arg(length, 0, 'g', 3).arg(unit));
  painter.fillRect(QRectF(into.right() - 6 - bar, into.bottom() - 10, bar, 2),
                   QColor(0xe6, 0xe9, 0xf0));
}

void PsfView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double side = (width() - kPictureGap) / 2.0;
  const QRectF left(0, 0, side, height());
  const QRectF right(side + kPictureGap, 0, side, height());
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1.5));
  painter.setFont(small);
  if (xy_.isNull()) {
    painter.fillRect(left, palette().color(QPalette::Base));
    painter.fillRect(right, palette().color(QPalette::Base));
    return;
  }
  painter.setOpacity(stale_ ? 0.5 : 1.0);
  const auto extent = [](std::int64_t n, double step) { return static_cast<double>(n) * step; };
  paint_cut(painter, xy_, left, extent(size_.y, voxel_.y), extent(size_.x, voxel_.x), tr("xy"));
  paint_cut(painter, xz_, right, extent(size_.x, voxel_.x), extent(size_.z, voxel_.z), tr("xz"));
}

}  // namespace aprscope::gui
