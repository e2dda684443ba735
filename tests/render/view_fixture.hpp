#pragma once

#include <QApplication>
#include <QColor>
#include <QImage>
#include <QTest>
#include <memory>

#include "core/apr/raycast/raycast.hpp"
#include "render/vtk_widget.hpp"
#include "tests/support/test_classes.hpp"

namespace aprscope::test {

inline const QColor kBlack(0, 0, 0);
inline const QColor kWhite(255, 255, 255);

/// Shows a view on the virtual display with `size` logical pixels and waits until it is painted.
bool show(QWidget& view, QSize size);

/// What the view shows, in device pixels. With APRSCOPE_SCREENSHOT_DIR set, also written there as
/// <test function>-<n>.png for people to look at.
QImage picture_of(QWidget& view);

/// The colour at a logical position of a picture.
QColor color_at(const QImage& picture, const QPointF& position);

/// Largest difference of red, green and blue.
int distance(const QColor& a, const QColor& b);

/// Lengths (device pixels) of the longest run of pixels within `tolerance` of `color` through the
/// pixel at a logical position, along the row and along the column.
int run_along_row(const QImage& picture, const QPointF& position, const QColor& color,
                  int tolerance = 8);
int run_along_column(const QImage& picture, const QPointF& position, const QColor& color,
                     int tolerance = 8);

/// Number of pixels within `tolerance` of `color` inside a logical rectangle.
int count_color(const QImage& picture, const QRectF& area, const QColor& color, int tolerance = 24);

/// Sends real mouse events: press at the first, move in steps, release at the last position.
void drag(QWidget& view, Qt::MouseButton button, const QPoint& from, const QPoint& to);
void wheel(QWidget& view, const QPointF& position, int notches,
           Qt::KeyboardModifiers keys = Qt::NoModifier);

/// A particle image of `size`, all values 100 but one: the particle that covers `bright` has 1000.
struct OneBright {
  std::shared_ptr<const AprAccess> access;
  std::vector<float> values;
  /// The bright particle's cell: first voxel and side.
  Index3 first{0, 0, 0};
  std::int64_t side = 1;
  std::shared_ptr<const MipRaycaster> caster;
};
OneBright one_bright(const Size3& size, const Index3& bright, const VoxelSize& voxel);

}  // namespace aprscope::test

namespace aprscope::test {
/// False, with a line on stderr, when VTK reported errors or warnings.
bool vtk_was_quiet();
}  // namespace aprscope::test

/// Adds a class of tests that show views to the program that they share, under the name of its
/// file: errors that VTK reported fail it too. Put the .moc include after it.
#define APRSCOPE_VIEW_TESTS(Class)                                         \
  [[maybe_unused]] static const bool kClassIsAdded =                       \
      aprscope::test::add_test_class(__FILE__, [](int argc, char** argv) { \
        aprscope::use_view_surface_format();                               \
        QApplication application(argc, argv);                              \
        Class tests;                                                       \
        const int failures = QTest::qExec(&tests, argc, argv);             \
        return aprscope::test::vtk_was_quiet() && failures == 0 ? 0 : 1;   \
      });
