// What a slice view shows: pixels, dots, and what is drawn over them.
#include "render/slice_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/render/slice_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

class SliceViewTest : public QObject {
  Q_OBJECT

 private slots:
  void pixels_have_their_place_and_colour() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 6, 8}, {});
    Plane plane = plane_of(6, 8, 0.0F);
    pixel(plane, 1, 5) = 100.0F;
    pixel(plane, 4, 2) = 50.0F;
    view.set_contrast({0.0, 100.0, 1.0});
    view.set_plane(plane, 0);
    QVERIFY(show(view, {400, 300}));
    const QImage shot = picture_of(view);
    for (int row = 0; row < 6; ++row) {
      for (int col = 0; col < 8; ++col) {
        const int grey = row == 1 && col == 5 ? 255 : row == 4 && col == 2 ? 128 : 0;
        // Just inside of all four corners: sharp edges, nothing blended.
        for (const double r : {0.05, 0.95}) {
          for (const double c : {0.05, 0.95}) {
            const QColor seen = color_at(shot, view.to_widget(row + r, col + c));
            QVERIFY2(
                distance(seen, QColor(grey, grey, grey)) <= 1,
                qPrintable(QStringLiteral("row %1 col %2: %3").arg(row).arg(col).arg(seen.name())));
          }
        }
      }
    }
    // Beside the picture lies the background.
    QVERIFY(distance(color_at(shot, view.to_widget(3, -0.1)), ViewTheme::dark_theme().background) <=
            1);
  }

  void what_warms_up_is_not_seen() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 6, 8}, {});
    view.set_contrast({0.0, 100.0, 1.0});
    view.set_plane(plane_of(6, 8, 100.0F), 0);
    QVERIFY(show(view, {400, 300}));
    const QImage before = view.grabFramebuffer();
    QVERIFY(distance(color_at(before, view.to_widget(3, 4)), kWhite) <= 1);
    view.warm_up();
    // The frame with the samples (no event draws another one before), and the one after it.
    QVERIFY(view.grabFramebuffer() == before);
    QVERIFY(view.grabFramebuffer() == before);
    // Without data, too.
    view.clear();
    const QImage empty = view.grabFramebuffer();
    QVERIFY(empty != before);
    view.warm_up();
    QVERIFY(view.grabFramebuffer() == empty);
  }

  void all_axes_share_one_orientation_data() {
    QTest::addColumn<int>("axis");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("col");
    // The voxel z 2, x 5, y 9: perpendicular to z rows are x; to x and y they are z.
    QTest::newRow("xy") << static_cast<int>(Axis::z) << 5 << 9;
    QTest::newRow("yz") << static_cast<int>(Axis::x) << 2 << 9;
    QTest::newRow("xz") << static_cast<int>(Axis::y) << 2 << 5;
  }
  void all_axes_share_one_orientation() {
    QFETCH(int, axis);
    QFETCH(int, row);
    QFETCH(int, col);
    Volume volume;
    Pixels<float> pixels({6, 8, 12});
    pixels.at(2, 5, 9) = 1.0F;
    volume.pixels = pixels;
    SliceView view(static_cast<Axis>(axis));
    make_bare(view);
    view.set_shape(volume.size(), volume.voxel);
    const std::int64_t index = axis == 0 ? 2 : axis == 1 ? 5 : 9;
    view.set_plane(slice_pixels(volume, view.axis(), index), index);
    QVERIFY(show(view, {360, 300}));
    const QPointF where = view.to_widget(row + 0.5, col + 0.5);
    QVERIFY(distance(color_at(picture_of(view), where), kWhite) <= 1);
    QCOMPARE(view.voxel_at(where), (std::optional<Index3>(Index3{2, 5, 9})));
    QVERIFY(view.to_widget(row + 1, col).y() > view.to_widget(row, col).y());
    QVERIFY(view.to_widget(row, col + 1).x() > view.to_widget(row, col).x());
  }

  void anisotropic_pixels_keep_their_aspect() {
    SliceView view(Axis::x);
    make_bare(view);
    view.set_shape({8, 1, 24}, {3.0, 1.0, 1.0, "µm"});
    Plane plane = plane_of(8, 24, 0.0F);
    pixel(plane, 4, 12) = 1.0F;
    view.set_plane(plane, 0);
    QVERIFY(show(view, {400, 400}));
    const QImage shot = picture_of(view);
    const QPointF middle = view.to_widget(4.5, 12.5);
    const int wide = run_along_row(shot, middle, kWhite);
    const int tall = run_along_column(shot, middle, kWhite);
    QVERIFY(wide >= 10);
    QVERIFY2(std::abs(tall - 3 * wide) <= 3,
             qPrintable(QStringLiteral("%1 × %2").arg(wide).arg(tall)));
  }

  void contrast_gamma_and_colour_map_apply() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 1, 3}, {});
    view.set_plane({1, 3, {10.0F, 20.0F, 30.0F}}, 0);
    view.set_contrast({10.0, 30.0, 0.5});
    QVERIFY(show(view, {300, 150}));
    QImage shot = picture_of(view);
    const auto expected = static_cast<int>(std::lround(255.0 * std::sqrt(0.5)));
    const auto seen = [&](int col) { return color_at(shot, view.to_widget(0.5, col + 0.5)); };
    QVERIFY(distance(seen(0), kBlack) <= 1);
    QVERIFY(distance(seen(1), QColor(expected, expected, expected)) <= 1);
    QVERIFY(distance(seen(2), kWhite) <= 1);

    const ColorTable& magma = colormap("magma");
    view.set_color_table(magma);
    view.set_contrast({10.0, 30.0, 1.0});
    shot = picture_of(view);
    const auto& half = magma[128];
    QVERIFY(distance(seen(1), QColor(half[0], half[1], half[2])) <= 3);
  }

  void not_a_number_shows_the_background() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 1, 2}, {});
    view.set_plane({1, 2, {std::numeric_limits<float>::quiet_NaN(), 1.0F}}, 0);
    QVERIFY(show(view, {300, 200}));
    for (const ViewTheme& theme : {ViewTheme::light_theme(), ViewTheme::dark_theme()}) {
      view.set_theme(theme);
      const QImage shot = picture_of(view);
      QVERIFY(distance(color_at(shot, view.to_widget(0.5, 0.5)), theme.background) <= 1);
      QVERIFY(distance(color_at(shot, view.to_widget(0.5, 1.5)), kWhite) <= 1);
    }
  }

  void pictures_larger_than_a_texture_tile_are_whole() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 3, 9000}, {});
    Plane plane = plane_of(3, 9000, 0.0F);
    for (const int col : {0, 4095, 4096, 8191, 8192, 8999}) pixel(plane, 1, col) = 1.0F;
    view.set_plane(plane, 0);
    QVERIFY(show(view, {400, 200}));
    for (const int col : {0, 4095, 4096, 8191, 8192, 8999}) {
      view.navigation().set_camera({1.5, col + 0.5, 30.0});
      const QImage shot = picture_of(view);
      const QPointF at = view.to_widget(1.5, col + 0.5);
      QVERIFY2(distance(color_at(shot, at), kWhite) <= 1, qPrintable(QString::number(col)));
      QVERIFY(distance(color_at(shot, at + QPointF(0, 30)), kBlack) <= 1);
    }
  }

  void dots_are_discs_of_the_size_of_their_cells() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 16, 16}, {});
    view.set_contrast({0.0, 10.0, 1.0});
    // Centres as slice_dots() gives them: 0 is the middle of the first pixel.
    view.set_dots({{3.5F, 3.5F, 8.0F, 10.0F}, {12.5F, 12.5F, 2.0F, 5.0F}}, 0);
    QVERIFY(show(view, {400, 400}));
    const QImage shot = picture_of(view);
    const double device = shot.devicePixelRatio();
    const int large = run_along_row(shot, view.to_widget(4.0, 4.0), kWhite, 2);
    const int small = run_along_row(shot, view.to_widget(13.0, 13.0), QColor(128, 128, 128), 2);
    const double side = view.navigation().zoom() * 8.0 * device;
    QVERIFY2(large > 0.75 * side && large < side,
             qPrintable(QStringLiteral("%1 of %2").arg(large).arg(side)));
    QVERIFY2(std::abs(4.0 * small - large) <= 8.0 * device,
             qPrintable(QStringLiteral("%1, %2").arg(small).arg(large)));
    QVERIFY(std::abs(run_along_column(shot, view.to_widget(4.0, 4.0), kWhite, 2) - large) <= 2);
    // A disc, not a square: the corner of the cell is empty.
    QVERIFY(distance(color_at(shot, view.to_widget(0.6, 0.6)),
                     ViewTheme::dark_theme().background) <= 1);
    view.set_plane(plane_of(16, 16, 10.0F), 0);
    QVERIFY(distance(color_at(picture_of(view), view.to_widget(0.6, 0.6)), kWhite) <= 1);
  }

  void scale_bar_is_as_long_as_it_says() {
    SliceView view(Axis::z);
    view.overlays().set_crosshair_visible(false);
    view.overlays().set_captions_visible(false);
    view.set_shape({1, 200, 300}, {1.0, 0.25, 0.25, "µm"});
    view.set_plane(plane_of(200, 300, 0.0F), 0);
    QVERIFY(show(view, {500, 400}));
    for (const double factor : {1.0, 1.7, 2.9}) {
      view.navigation().zoom_at(factor, {250, 200});
      const SliceScaleBar bar = view.overlays().scale_bar();
      // By the transform alone: this many micrometres of 0.25 µm pixels.
      const double expected = view.to_widget(0, bar.length / 0.25).x() - view.to_widget(0, 0).x();
      QVERIFY(std::abs(bar.pixels - expected) < 1e-6);
      QVERIFY(bar.label.endsWith(QStringLiteral(" µm")));
      const double shown = bar.label.split(' ').first().toDouble();
      QVERIFY(std::abs(shown - bar.length) < 1e-9);
      // And on screen: the longest run of the text's colour near the lower edge.
      const QImage shot = picture_of(view);
      int longest = 0;
      for (int x = 5; x < 250; ++x) {
        longest = std::max(longest,
                           run_along_row(shot, {x + 0.5, 388.5}, ViewTheme::dark_theme().text, 6));
      }
      QVERIFY2(std::abs(longest - bar.pixels * shot.devicePixelRatio()) <= 2.0,
               qPrintable(QStringLiteral("%1, %2").arg(longest).arg(bar.pixels)));
    }
  }

  void crosshair_lies_on_its_pixel_in_the_colours_of_the_axes() {
    const ViewTheme theme = ViewTheme::dark_theme();
    SliceView view(Axis::z);
    view.overlays().set_scale_bar_visible(false);
    view.overlays().set_captions_visible(false);
    view.set_shape({4, 30, 40}, {});
    view.set_plane(plane_of(30, 40, 0.0F), 1);
    view.set_crosshair({1, 10, 25});
    QVERIFY(show(view, {420, 320}));
    const QImage shot = picture_of(view);
    const QPointF at = view.to_widget(10.5, 25.5);
    // Horizontal: the slice x = 10; vertical: the slice y = 25.
    const QRectF row_line(at.x() - 100, at.y() - 1.5, 80, 3);
    const QRectF col_line(at.x() - 1.5, at.y() + 30, 3, 80);
    QVERIFY(count_color(shot, row_line, theme.axis_x, 60) >= 60);
    QVERIFY(count_color(shot, col_line, theme.axis_y, 60) >= 60);
    // The pixel itself stays free, and off the lines nothing is drawn.
    QVERIFY(distance(color_at(shot, at), kBlack) <= 1);
    QCOMPARE(count_color(shot, row_line.translated(0, 30), theme.axis_x, 60), 0);
    view.overlays().set_crosshair_visible(false);
    QCOMPARE(count_color(picture_of(view), row_line, theme.axis_x, 60), 0);
  }

  void captions_say_where_and_whether_it_is_a_preview() {
    const ViewTheme theme = ViewTheme::dark_theme();
    SliceView view(Axis::z);
    view.set_shape({64, 100, 120}, {0.3, 0.1, 0.1, "µm"});
    Plane plane = plane_of(100, 120, 0.0F);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
      plane.values[i] = static_cast<float>(i % 120) / 120.0F;
    }
    view.set_color_table(colormap("viridis"));
    view.set_plane(plane, 12);
    view.overlays().set_caption({QStringLiteral("particles, constant"),
                                 QStringLiteral("gaussian σ = 2"), SliceCaption::Badge::preview});
    QVERIFY(show(view, {460, 400}));
    const QRectF corner(380, 5, 75, 26);
    const QImage preview = picture_of(view);
    QVERIFY(count_color(preview, corner, theme.preview_badge, 8) > 200);
    QVERIFY(count_color(preview, {5, 5, 60, 26}, theme.axis_z, 8) > 150);
    QVERIFY(count_color(preview, {40, 5, 200, 26}, theme.text, 24) > 40);
    view.overlays().set_caption(
        {QStringLiteral("particles, constant"), {}, SliceCaption::Badge::final_result});
    const QImage final_result = picture_of(view);
    QCOMPARE(count_color(final_result, corner, theme.preview_badge, 8), 0);
    view.overlays().set_captions_visible(false);
    QCOMPARE(count_color(picture_of(view), {5, 5, 60, 26}, theme.axis_z, 8), 0);
  }

  void wrong_shapes_are_refused() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 4, 4}, {});
    view.set_plane(plane_of(4, 4, 1.0F), 0);
    view.set_plane(plane_of(5, 4, 0.0F), 0);
    Plane lies = plane_of(4, 4, 0.0F);
    lies.values.resize(3);
    view.set_plane(lies, 0);
    QVERIFY(show(view, {300, 300}));
    QVERIFY(distance(color_at(picture_of(view), view.to_widget(2, 2)), kWhite) <= 1);
    view.clear();
    QVERIFY(distance(color_at(picture_of(view), view.to_widget(2, 2)),
                     ViewTheme::dark_theme().background) <= 1);
    QVERIFY(!SliceView(Axis::z).voxel_at({10, 10}));
  }
};

APRSCOPE_VIEW_TESTS(SliceViewTest)
#include "slice_view_test.moc"
