#include "tests/render/view_fixture.hpp"

#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "render/screenshot.hpp"
#include "render/vtk_log.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {

bool show(QWidget& view, QSize size) {
  view.resize(size);
  view.show();
  if (!QTest::qWaitForWindowExposed(&view)) return false;
  return QTest::qWaitFor([&] {
    const auto* widget = qobject_cast<VtkWidget*>(&view);
    return widget == nullptr || widget->frame_count() > 0;
  });
}

QImage picture_of(QWidget& view) {
  QApplication::processEvents();
  QImage picture = screenshot(view);
  static int number = 0;
  const QString folder = qEnvironmentVariable("APRSCOPE_SCREENSHOT_DIR");
  if (!folder.isEmpty()) {
    picture.save(QStringLiteral("%1/%2-%3.png")
                     .arg(folder, QLatin1String(QTest::currentTestFunction()))
                     .arg(++number));
  }
  return picture;
}

namespace {

QPoint device_pixel(const QImage& picture, const QPointF& position) {
  const double ratio = picture.devicePixelRatio();
  return {static_cast<int>(std::floor(position.x() * ratio)),
          static_cast<int>(std::floor(position.y() * ratio))};
}

int run(const QImage& picture, QPoint at, QPoint step, const QColor& color, int tolerance) {
  const auto matches = [&](QPoint p) {
    return picture.valid(p) && distance(picture.pixelColor(p), color) <= tolerance;
  };
  if (!matches(at)) return 0;
  int length = 1;
  for (QPoint p = at + step; matches(p); p += step) ++length;
  for (QPoint p = at - step; matches(p); p -= step) ++length;
  return length;
}

}  // namespace

QColor color_at(const QImage& picture, const QPointF& position) {
  const QPoint p = device_pixel(picture, position);
  return picture.valid(p) ? picture.pixelColor(p) : QColor();
}

int distance(const QColor& a, const QColor& b) {
  return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                   std::abs(a.blue() - b.blue())});
}

int run_along_row(const QImage& picture, const QPointF& position, const QColor& color,
                  int tolerance) {
  return run(picture, device_pixel(picture, position), {1, 0}, color, tolerance);
}

int run_along_column(const QImage& picture, const QPointF& position, const QColor& color,
                     int tolerance) {
  return run(picture, device_pixel(picture, position), {0, 1}, color, tolerance);
}

int count_color(const QImage& picture, const QRectF& area, const QColor& color, int tolerance) {
  const QPoint from = device_pixel(picture, area.topLeft());
  const QPoint to = device_pixel(picture, area.bottomRight());
  int count = 0;
  for (int y = std::max(0, from.y()); y < std::min(picture.height(), to.y()); ++y) {
    for (int x = std::max(0, from.x()); x < std::min(picture.width(), to.x()); ++x) {
      if (distance(picture.pixelColor(x, y), color) <= tolerance) ++count;
    }
  }
  return count;
}

void drag(QWidget& view, Qt::MouseButton button, const QPoint& from, const QPoint& to) {
  const auto move = [&](const QPoint& p) {
    QMouseEvent event(QEvent::MouseMove, p, view.mapToGlobal(p), Qt::NoButton, button,
                      Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
  };
  QTest::mousePress(&view, button, Qt::NoModifier, from);
  constexpr int kSteps = 8;
  for (int i = 1; i <= kSteps; ++i) move(from + (to - from) * i / kSteps);
  QTest::mouseRelease(&view, button, Qt::NoModifier, to);
}

void wheel(QWidget& view, const QPointF& position, int notches, Qt::KeyboardModifiers keys) {
  QWheelEvent event(position, view.mapToGlobal(position), QPoint(), QPoint(0, 120 * notches),
                    Qt::NoButton, keys, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&view, &event);
}

OneBright one_bright(const Size3& size, const Index3& bright, const VoxelSize& voxel) {
  OneBright made;
  made.access = random_access({.size = size, .seed = 7, .split = 0.5});
  made.values.assign(made.access->count(), 100.0F);
  const ParticleAt at = made.access->find(bright);
  made.values[at.index] = 1000.0F;
  made.side = std::int64_t{1} << (made.access->level_max() - at.level);
  made.first = {bright.z / made.side * made.side, bright.x / made.side * made.side,
                bright.y / made.side * made.side};
  auto caster = MipRaycaster::build(made.access, made.values, voxel);
  if (caster) made.caster = *caster;
  return made;
}

bool vtk_was_quiet() {
  const auto errors = vtk_error_count();
  const auto warnings = vtk_warning_count();
  if (errors + warnings == 0) return true;
  std::fprintf(stderr, "VTK reported %llu errors and %llu warnings\n",
               static_cast<unsigned long long>(errors), static_cast<unsigned long long>(warnings));
  return false;
}

}  // namespace aprscope::test
