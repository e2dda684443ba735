// Two volumes in one projection.
#include <QSignalSpy>
#include <cmath>

#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;              // NOLINT: a test program
using namespace aprscope::test;        // NOLINT
using namespace std::chrono_literals;  // NOLINT

class MipViewCompareTest : public QObject {
  Q_OBJECT

 private slots:
  void two_volumes_share_a_view_with_a_handle() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_preset(MipPreset::front);
    // The first volume's cell lies in the left half, the second's in the right half.
    const OneBright other = one_bright(kSize, {5, 31, 46}, kVoxel);
    view.comparison().set_second_source(other.caster, MipPair::reveal);
    view.comparison().set_second_colors({100.0, 1000.0, 1.0}, colormap("grey"));
    QVERIFY(view.wait_until_exact(20s));
    const auto cell = [&](const OneBright& data) {
      const auto middle = [&](std::int64_t first, std::int64_t size) {
        return 0.5 * static_cast<double>(first + std::min(first + data.side, size));
      };
      return view.to_widget(middle(data.first.z, kSize.z), middle(data.first.x, kSize.x),
                            middle(data.first.y, kSize.y));
    };
    const auto is_white = [&](const QPointF& at) {
      return distance(color_at(picture_of(view), at), kWhite) <= 2;
    };
    QVERIFY(is_white(cell(bright.data)) && is_white(cell(other)));
    QVERIFY(is_white({210.0, 60.0}));  // the handle

    // Dragged, each side shows its own volume; no ray is cast anew and the camera stays.
    QSignalSpy shown(&view, &MipView::frame_shown);
    QSignalSpy moved(&view, &MipView::reveal_moved);
    const RayCamera before = view.navigation().ray_camera();
    drag(view, Qt::LeftButton, {210, 250}, {10, 250});
    QVERIFY(moved.count() > 0);
    QVERIFY(std::abs(view.comparison().reveal() - 10.0 / 420.0) < 0.01);
    QVERIFY(!is_white(cell(bright.data)) && is_white(cell(other)));
    drag(view, Qt::LeftButton, {10, 250}, {410, 250});
    QVERIFY(is_white(cell(bright.data)) && !is_white(cell(other)));
    QVERIFY(turned_by(before, view.navigation().ray_camera()) < 1e-6);
    QCOMPARE(shown.count(), 0);
    // Each has colours of its own; beside the handle the mouse turns the camera.
    view.comparison().set_reveal(0.0);
    const auto& top = colormap("viridis")[255];
    view.comparison().set_second_colors({100.0, 1000.0, 1.0}, colormap("viridis"));
    QVERIFY(distance(color_at(picture_of(view), cell(other)), QColor(top[0], top[1], top[2])) <= 2);
    drag(view, Qt::LeftButton, {210, 250}, {290, 280});
    QVERIFY(turned_by(before, view.navigation().ray_camera()) > 5.0);
    // One volume again.
    view.comparison().set_second_source(nullptr, MipPair::first);
    bright.expect_in_place();
  }

  void a_difference_of_projections_is_signed() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_preset(MipPreset::front);
    const OneBright other = one_bright(kSize, {5, 31, 46}, kVoxel);
    view.comparison().set_second_source(other.caster, MipPair::difference);
    QVERIFY(view.wait_until_exact(20s));
    // 1000 against 100.
    QCOMPARE(view.comparison().difference_range(), 900.0);
    const auto& table = colormap("diverging");
    const auto shows = [&](const QPointF& at, std::size_t entry) {
      const QColor wanted(table[entry][0], table[entry][1], table[entry][2]);
      return distance(color_at(picture_of(view), at), wanted) <= 2;
    };
    QVERIFY(shows(bright.bright(), 0));  // the second is darker here
    bright.data = other;
    QVERIFY(shows(bright.bright(), 255));
    QVERIFY(shows(view.to_widget(12, 12, 28), 127) || shows(view.to_widget(12, 12, 28), 128));
    QVERIFY(distance(color_at(picture_of(view), {4, 330}), ViewTheme::dark_theme().background) <=
            1);
    // A range by hand needs no new rays.
    QSignalSpy cast(&view, &MipView::frame_shown);
    view.comparison().set_difference_range(9e9);
    QVERIFY(shows(bright.bright(), 127) || shows(bright.bright(), 128));
    QCOMPARE(cast.count(), 0);
    // Without the second volume there is nothing to show.
    view.comparison().set_second_source(nullptr, MipPair::difference);
    QVERIFY(!view.wait_until_exact(50ms));
  }
};

APRSCOPE_VIEW_TESTS(MipViewCompareTest)
#include "mip_view_compare_test.moc"
