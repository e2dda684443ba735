#include "app/gui/widgets/ctf_view.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace aprscope::gui {
namespace {

constexpr int kSide = 112;

}  // namespace

CtfView::CtfView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("ctf_view"));
  setAccessibleName(tr("Contrast transfer function"));
  setFixedSize(kSide, kSide);
}

void CtfView::set_ctf(std::optional<Ctf> ctf, double pixel_size) {
  picture_ = {};
  if (ctf && pixel_size > 0.0) {
    picture_ = QImage(kSide, kSide, QImage::Format_Grayscale8);
    const double nyquist = 0.5 / pixel_size;
    for (int y = 0; y < kSide; ++y) {
      uchar* row = picture_.scanLine(y);
      for (int x = 0; x < kSide; ++x) {
        const double value =
            (*ctf)(nyquist * (2.0 * x / kSide - 1.0), nyquist * (2.0 * y / kSide - 1.0));
        row[x] = static_cast<uchar>(std::lround(255.0 * std::clamp(value * value, 0.0, 1.0)));
      }
    }
  }
  update();
}

void CtfView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (picture_.isNull()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter, tr("CTF"));
    return;
  }
  painter.drawImage(rect(), picture_);
}

}  // namespace aprscope::gui
