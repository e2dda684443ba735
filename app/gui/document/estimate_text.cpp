#include "app/gui/document/estimate_text.hpp"

#include <QObject>
#include <QStringList>
#include <cmath>

#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

QString bytes(std::uint64_t n) { return QString::fromStdString(format_bytes(n)); }

// A share such as "97.3 %"; never rounded up to 100 %.
QString percent(double share) {
  const double p = 100.0 * share;
  return QObject::tr("%1 %").arg(p < 100.0 && p >= 99.95 ? 99.9 : p, 0, 'f', p < 10.0 ? 2 : 1);
}

QString error_text(double e) { return QObject::tr("%1 %").arg(100.0 * e, 0, 'g', 3); }

double share(std::uint64_t part, std::uint64_t of) {
  return of > 0 ? static_cast<double>(part) / static_cast<double>(of) : 0.0;
}

QString ratio(double cr) { return QString::number(cr, 'f', cr < 10.0 ? 2 : 1); }

// Memory of particles and pixels. Fewer particles may still be larger, as positions are stored.
QString size_line(const ConversionEstimate& e) {
  const QString sizes = QObject::tr("%1 → %2").arg(bytes(e.bytes_pixels), bytes(e.bytes_apr));
  const QString first = QObject::tr("<b>CR ≈ %1</b> · %2").arg(ratio(e.computational_ratio), sizes);
  if (e.bytes_apr > e.bytes_pixels) {
    return first + QObject::tr("<br><b>Particles take more memory than pixels.</b>");
  }
  return first + QObject::tr("<br>%L1 particles, %2 × fewer than pixels")
                     .arg(static_cast<qulonglong>(e.particles))
                     .arg(ratio(e.computational_ratio));
}

QString bound_line(const ConversionEstimate& e) {
  const RelativeError& error = e.error;
  if (!error.known) return QObject::tr("no pixel is above the intensity threshold");
  QString text = QObject::tr("within E = %1: %2 of the pixels")
                     .arg(error_text(e.rel_error), percent(share(error.within, error.pixels)));
  if (error.promised > 0) {
    text += QObject::tr("<br>promised for %1 of them: %2 there")
                .arg(percent(share(error.promised, error.pixels)),
                     percent(share(error.promised_within, error.promised)));
  } else {
    text += QObject::tr("<br>promised nowhere: all gradients too small");
  }
  return text;
}

QString decides_line(const ConversionEstimate& e) {
  if (!(e.rel_error < e.idle_error)) {
    return QObject::tr("E decides; below %1 thresholds would").arg(error_text(e.idle_error));
  }
  QString text = std::isfinite(e.idle_error)
                     ? QObject::tr("<b>Thresholds decide:</b> E below %1 is idle")
                           .arg(error_text(e.idle_error))
                     : QObject::tr("<b>Thresholds decide:</b> all is below them");
  if (e.grad_th > 0.0F) {
    text += QObject::tr("<br><a href=\"promise\">promise E everywhere</a>");
  }
  return text;
}

}  // namespace

QString estimate_html(const ConversionEstimate& e) {
  const QString thresholds = QObject::tr("thresholds: scale %1 · gradient %2")
                                 .arg(static_cast<double>(e.sigma_th), 0, 'g', 4)
                                 .arg(static_cast<double>(e.grad_th), 0, 'g', 4);
  return QStringList{size_line(e), bound_line(e), decides_line(e), thresholds}.join(
      QStringLiteral("<br>"));
}

QString estimate_tip(const ConversionEstimate& e) {
  QString tip = QObject::tr(
      "CR, the computational ratio, is pixels ÷ particles. A particle takes more bytes than a "
      "pixel, since its position is stored too; so the memory shrinks less than the number of "
      "values.\n\nThe bound E is promised for the smoothed signal, relative to the local intensity "
      "scale, where the gradient is above its threshold. Elsewhere, weak structure may be left "
      "out. “Promise E everywhere” turns automatic thresholds off and sets the gradient "
      "threshold to 0, which takes more particles. "
      "Where thresholds decide, all structure above them is at full resolution already, and a "
      "smaller E changes nothing.");
  if (e.error.known) {
    tip += QObject::tr(
               "\n\nSingle pixels also deviate by their noise; the largest deviation is %1 % of "
               "the local intensity scale, at %2.")
               .arg(100.0 * e.error.largest, 0, 'f', 0)
               .arg(position_words(e.error.where, AxisWords::rows_are_x));
  }
  return tip;
}

}  // namespace aprscope::gui
