#include "app/gui/panels/deconvolution_text.hpp"

#include <QStringList>
#include <vector>

#include "app/gui/document/deconvolution_run.hpp"
#include "core/operations/deconvolve/resolution.hpp"

namespace aprscope::gui {
namespace {

// "Resolution z 0.9 · x 0.4 · y 0.4 µm (FSC 1/7)", behind other figures or on a line of its own.
QString resolution_text(const std::vector<NamedFigure>& measured, bool behind) {
  if (measured.empty()) return {};
  QStringList axes;
  for (const NamedFigure& figure : measured) {
    axes += QString::fromStdString(figure.id).section(u'_', -1) + u' ' +
            QString::number(figure.value, 'g', 3);
  }
  const QString text =
      DeconvolutionRun::tr("Resolution %1 %2 (%3)")
          .arg(axes.join(QStringLiteral(" · ")), QString::fromStdString(measured.front().unit),
               QString::fromUtf8(kResolutionCriterion));
  return (behind ? QStringLiteral(" · ") : QStringLiteral("\n")) + text;
}

}  // namespace

QString deconvolution_text(const DeconvolutionRun& run) {
  if (run.reports().empty()) {
    return run.running() ? DeconvolutionRun::tr("Preparing …") : run.preview_error();
  }
  const IterationReport& last = run.reports().back();
  QString text = DeconvolutionRun::tr("Iteration %1 of %2 · change %3 % · %4 s each")
                     .arg(last.iteration)
                     .arg(run.iterations())
                     .arg(100.0 * last.figure("change").value_or(0.0), 0, 'g', 2)
                     .arg(last.seconds, 0, 'g', 2);
  if (last.searching) text.prepend(DeconvolutionRun::tr("Photons held out: "));
  const auto psnr = last.figure("psnr");
  const auto ssim = last.figure("ssim");
  if (psnr && ssim) {
    text +=
        DeconvolutionRun::tr("\nPSNR %1 dB · SSIM %2").arg(*psnr, 0, 'f', 2).arg(*ssim, 0, 'f', 3);
  }
  text += resolution_text(run.measured(), psnr && ssim);
  if (run.previewing()) text.prepend(DeconvolutionRun::tr("Preview: "));
  return text;
}

}  // namespace aprscope::gui
