#include "app/gui/help/help_sample.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "app/gui/widgets/level_legend.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/image/colormap.hpp"

namespace aprscope::gui {
namespace {

constexpr std::int64_t kSampleSide = 64;
constexpr double kBackground = 100.0;
constexpr Contrast kContrast{80.0, 1000.0, 0.8};
constexpr std::uint32_t kSeed = 7;

// A soft disc around (x, y), 1 inside and 0 outside.
double disc(double x, double y, double cx, double cy, double radius) {
  const double out = std::hypot(x - cx, y - cy) - radius;
  return 1.0 / (1.0 + std::exp(out / 0.6));
}

Volume two_cells(double noise) {
  Pixels<std::uint16_t> pixels({1, kSampleSide, kSampleSide});
  std::mt19937 random(kSeed);
  for (std::int64_t x = 0; x < kSampleSide; ++x) {
    for (std::int64_t y = 0; y < kSampleSide; ++y) {
      const auto row = static_cast<double>(x);
      const auto col = static_cast<double>(y);
      double value = kBackground + 800.0 * disc(row, col, 24.0, 24.0, 15.0);
      value -= 350.0 * disc(row, col, 27.0, 20.0, 5.0);
      value += 420.0 * disc(row, col, 50.0, 49.0, 8.0);
      // The mean of a few uniform numbers is near enough to noise, and the same everywhere.
      double sum = -6.0;
      for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0;
      value += noise * sum;
      pixels.at(0, x, y) = static_cast<std::uint16_t>(std::clamp(value, 0.0, 60000.0));
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  return volume;
}

QImage colored(const Plane& plane, const std::vector<std::uint8_t>& rgba) {
  const QImage view(rgba.data(), static_cast<int>(plane.cols), static_cast<int>(plane.rows),
                    static_cast<qsizetype>(4 * plane.cols), QImage::Format_RGBA8888);
  return view.copy();
}

}  // namespace

HelpSample::HelpSample(double noise) : volume_(two_cells(noise)) {
  ConversionParameters parameters;
  if (noise == 0.0) parameters.lambda = 0.0F;
  auto made = convert(volume_, parameters);
  if (!made) return;
  apr_ = *std::move(made);
  values_ = apr_.main_field()->to_float();
}

qulonglong HelpSample::pixels() const { return static_cast<qulonglong>(kSampleSide * kSampleSide); }

Plane HelpSample::pixel_plane() const {
  Plane plane;
  plane.rows = kSampleSide;
  plane.cols = kSampleSide;
  plane.values = volume_.to_float().values;
  return plane;
}

Plane HelpSample::plane(ReconstructionMode mode) const {
  return slice_particles(access(), values_, mode, Axis::z, 0);
}

std::vector<SliceDot> HelpSample::dots() const {
  return slice_dots(access(), values_, Axis::z, 0,
                    static_cast<std::size_t>(kSampleSide * kSampleSide));
}

QImage grey_image(const Plane& plane) {
  return colored(plane, apply_colormap(plane.values, kContrast, colormap("grey")));
}

QImage level_image(const Plane& plane, const AprAccess& access) {
  return colored(plane,
                 apply_colormap(plane.values, level_contrast(access), colormap(kLevelColors)));
}

QImage difference_image(const Plane& a, const Plane& b, double range) {
  Plane difference = b;
  for (std::size_t i = 0; i < difference.values.size(); ++i) difference.values[i] -= a.values[i];
  return colored(difference,
                 apply_colormap(difference.values, {-range, range, 1.0}, colormap("diverging")));
}

void draw_cells(HelpCanvas& canvas, const HelpSample& sample, const QRectF& place,
                const QColor& color) {
  const double unit = place.width() / static_cast<double>(kSampleSide);
  QPainter& painter = canvas.painter();
  painter.setPen(QPen(color, 0.7));
  painter.setBrush(Qt::NoBrush);
  for (const SliceDot& dot : sample.dots()) {
    const auto side = static_cast<double>(dot.side) * unit;
    painter.drawRect(QRectF(place.left() + (static_cast<double>(dot.col) + 0.5) * unit - side / 2,
                            place.top() + (static_cast<double>(dot.row) + 0.5) * unit - side / 2,
                            side, side));
  }
}

void draw_dots(HelpCanvas& canvas, const HelpSample& sample, const QRectF& place) {
  const double unit = place.width() / static_cast<double>(kSampleSide);
  QPainter& painter = canvas.painter();
  painter.setPen(Qt::NoPen);
  for (const SliceDot& dot : sample.dots()) {
    const double grey = std::pow(std::clamp((static_cast<double>(dot.value) - kContrast.low) /
                                                (kContrast.high - kContrast.low),
                                            0.0, 1.0),
                                 kContrast.gamma);
    painter.setBrush(mixed(canvas.line(), canvas.accent(), grey));
    const double radius = 0.36 * static_cast<double>(dot.side) * unit;
    painter.drawEllipse(QPointF(place.left() + (static_cast<double>(dot.col) + 0.5) * unit,
                                place.top() + (static_cast<double>(dot.row) + 0.5) * unit),
                        radius, radius);
  }
  painter.setBrush(Qt::NoBrush);
}

}  // namespace aprscope::gui
