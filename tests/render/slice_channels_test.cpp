// Slices of several channels over each other.
#include "render/slice_channels.hpp"

#include <limits>

#include "tests/render/slice_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

class SliceChannelsTest : public QObject {
  Q_OBJECT

 private:
  // Two rows: the first channel has 0, 50, 100 along a row, the second 0 in the first row and 10 in
  // the second.
  static Plane first() { return {2, 3, {0.0F, 50.0F, 100.0F, 0.0F, 50.0F, 100.0F}}; }
  static Plane second() { return {2, 3, {0.0F, 0.0F, 0.0F, 10.0F, 10.0F, 10.0F}}; }
  static std::vector<ChannelLook> looks() {
    return {{true, {0, 255, 0}, {0.0, 100.0, 1.0}}, {true, {255, 0, 255}, {0.0, 20.0, 1.0}}};
  }
  static void expect(SliceView& view, int row, int col, const QColor& wanted) {
    const QColor seen = color_at(picture_of(view), view.to_widget(row + 0.5, col + 0.5));
    QVERIFY2(distance(seen, wanted) <= 1,
             qPrintable(QStringLiteral("%1, %2: %3").arg(row).arg(col).arg(seen.name())));
  }

 private slots:
  void colours_add_up_and_follow_their_looks() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 2, 3}, {});
    view.set_contrast({0.0, 100.0, 1.0});
    view.set_plane(first(), 0);
    view.channels().set_looks(looks());
    QVERIFY(show(view, {300, 200}));
    // Without other planes it is shown as ever.
    expect(view, 1, 1, QColor(128, 128, 128));
    view.channels().set_planes({0, {{1, second()}}});
    expect(view, 0, 0, kBlack);
    expect(view, 0, 1, QColor(0, 128, 0));
    expect(view, 1, 0, QColor(128, 0, 128));
    expect(view, 1, 2, QColor(128, 255, 128));
    std::vector<ChannelLook> other = looks();
    other[1].colour = {0, 0, 255};
    other[1].contrast = {0.0, 10.0, 1.0};
    view.channels().set_looks(other);
    expect(view, 1, 2, QColor(0, 255, 255));
    other[0].visible = false;
    view.channels().set_looks(other);
    expect(view, 1, 2, QColor(0, 0, 255));
    expect(view, 0, 2, kBlack);
  }

  void the_next_slice_forgets_them() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({2, 2, 3}, {});
    view.set_contrast({0.0, 100.0, 1.0});
    view.set_plane(first(), 0);
    view.channels().set_looks(looks());
    view.channels().set_planes({0, {{1, second()}}});
    QVERIFY(show(view, {300, 200}));
    expect(view, 1, 0, QColor(128, 0, 128));
    view.set_plane(first(), 1);
    expect(view, 1, 2, kWhite);
    view.channels().set_planes({0, {{1, second()}}});
    view.channels().set_planes({});
    expect(view, 1, 2, kWhite);
  }

  void what_does_not_fit_is_left_out() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 2, 3}, {});
    Plane own = first();
    own.values[0] = std::numeric_limits<float>::quiet_NaN();
    view.set_plane(own, 0);
    view.channels().set_looks(looks());
    // A plane of another shape, and a channel that nobody described.
    view.channels().set_planes({0, {{1, plane_of(3, 3, 10.0F)}, {7, second()}}});
    QVERIFY(show(view, {300, 200}));
    expect(view, 1, 2, QColor(0, 255, 0));
    expect(view, 0, 0, ViewTheme::dark_theme().background);
  }
};

APRSCOPE_VIEW_TESTS(SliceChannelsTest)
#include "slice_channels_test.moc"
