// A sample, its image in a microscope, and the result of Richardson–Lucy.
#include <QImage>
#include <QObject>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/gui/help/help_drawings.hpp"

namespace aprscope::gui {
namespace {

constexpr int kSide = 48;
constexpr int kReach = 9;
constexpr double kSigma = 2.6;
constexpr int kIterations = 60;

using Grid = std::vector<double>;

double& at(Grid& grid, int row, int col) {
  return grid[static_cast<std::size_t>(row * kSide + col)];
}

std::array<double, 2 * kReach + 1> weights() {
  std::array<double, 2 * kReach + 1> line{};
  double sum = 0.0;
  for (int k = -kReach; k <= kReach; ++k) {
    sum += line[static_cast<std::size_t>(k + kReach)] = std::exp(-0.5 * k * k / (kSigma * kSigma));
  }
  for (double& w : line) w /= sum;
  return line;
}

// Blurs along rows, then along columns; the image is mirrored at its borders.
Grid blurred(const Grid& in) {
  static const auto line = weights();
  const auto mirror = [](int i) { return i < 0 ? -i - 1 : i >= kSide ? 2 * kSide - 1 - i : i; };
  Grid across(in.size());
  Grid out(in.size());
  for (int pass = 0; pass < 2; ++pass) {
    const Grid& from = pass == 0 ? in : across;
    Grid& to = pass == 0 ? across : out;
    for (int row = 0; row < kSide; ++row) {
      for (int col = 0; col < kSide; ++col) {
        double sum = 0.0;
        for (int k = -kReach; k <= kReach; ++k) {
          const int r = pass == 0 ? row : mirror(row + k);
          const int c = pass == 0 ? mirror(col + k) : col;
          sum += line[static_cast<std::size_t>(k + kReach)] *
                 from[static_cast<std::size_t>(r * kSide + c)];
        }
        at(to, row, col) = sum;
      }
    }
  }
  return out;
}

Grid sample() {
  Grid grid(static_cast<std::size_t>(kSide * kSide), 0.005);
  for (const auto& [row, col] : {std::pair(12, 12), std::pair(12, 19), std::pair(19, 15)}) {
    for (int i = 0; i < 4; ++i) at(grid, row + i / 2, col + i % 2) = 1.0;
  }
  for (int i = 0; i < 22; ++i) {  // two fibres
    at(grid, 36 - i / 3, 8 + i) = 0.6;
    at(grid, 41 - i, 26 + i / 2) = 0.6;
  }
  return grid;
}

Grid impulse() {
  Grid grid(static_cast<std::size_t>(kSide * kSide), 0.0);
  at(grid, kSide / 2, kSide / 2) = 1.0;
  return grid;
}

Grid deconvolved(const Grid& image) {
  Grid estimate = image;
  for (int i = 0; i < kIterations; ++i) {
    Grid ratio = blurred(estimate);
    for (std::size_t p = 0; p < ratio.size(); ++p) ratio[p] = image[p] / std::max(ratio[p], 1e-9);
    ratio = blurred(ratio);  // the PSF is even: its own adjoint
    for (std::size_t p = 0; p < ratio.size(); ++p) estimate[p] *= ratio[p];
  }
  return estimate;
}

QImage grey(const Grid& grid) {
  const double most = *std::max_element(grid.begin(), grid.end());
  QImage image(kSide, kSide, QImage::Format_RGB32);
  for (int row = 0; row < kSide; ++row) {
    for (int col = 0; col < kSide; ++col) {
      const double part = grid[static_cast<std::size_t>(row * kSide + col)] / most;
      const int value = static_cast<int>(255.0 * std::pow(std::clamp(part, 0.0, 1.0), 0.85));
      image.setPixel(col, row, qRgb(value, value, value));
    }
  }
  return image;
}

}  // namespace

void draw_deconvolution_picture(HelpCanvas& canvas) {
  constexpr double kBox = 138;
  constexpr double kGap = (kHelpWidth - 2 - 4 * kBox) / 3;
  const Grid truth = sample();
  const Grid image = blurred(truth);
  const std::array pictures{grey(truth), grey(blurred(impulse())), grey(image),
                            grey(deconvolved(image))};
  const std::array names{QObject::tr("the sample"), QObject::tr("the PSF"),
                         QObject::tr("the image"),
                         QObject::tr("after %1 iterations").arg(kIterations)};
  const std::array signs{QStringLiteral("∗"), QStringLiteral("="), QStringLiteral("→")};
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const QRectF box(1 + static_cast<double>(i) * (kBox + kGap), 6, kBox, kBox);
    canvas.painter().drawImage(box, pictures[i]);
    canvas.frame(box);
    canvas.label({box.left() - 10, box.bottom() + 7, kBox + 20, 18}, names[i], canvas.text(), true);
    if (i == 0) continue;
    canvas.label({box.left() - kGap, box.top(), kGap, kBox}, signs[i - 1], canvas.accent(), true,
                 Qt::AlignCenter);
  }
}

}  // namespace aprscope::gui
