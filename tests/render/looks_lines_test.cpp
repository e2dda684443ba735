// What is drawn over the data is seen, whatever the data: the crosshair, and which view has the
// keyboard.
#include <algorithm>
#include <array>

#include "render/mip_view.hpp"
#include "tests/render/slice_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

namespace {

int brightness(const QColor& c) {
  return (299 * c.red() + 587 * c.green() + 114 * c.blue()) / 1000;
}

// The largest step in brightness across a line: what tells it from what is around.
int step_across(const QImage& shot, const QPointF& at, const QPointF& aside) {
  int darkest = 255;
  int brightest = 0;
  for (int k = -4; k <= 4; ++k) {
    const int seen = brightness(color_at(shot, at + k * aside));
    darkest = std::min(darkest, seen);
    brightest = std::max(brightest, seen);
  }
  return brightest - darkest;
}

}  // namespace

class LooksLinesTest : public QObject {
  Q_OBJECT

 private slots:
  void the_crosshair_is_seen_in_both_themes_over_anything_data() {
    QTest::addColumn<bool>("light");
    QTest::addColumn<int>("axis");
    QTest::addColumn<float>("value");
    for (const bool light : {false, true}) {
      for (const int axis : {0, 1, 2}) {
        for (const float value : {0.0F, 0.35F, 0.5F, 0.7F, 1.0F}) {
          QTest::addRow("%s, axis %d, value %.2f", light ? "light" : "dark", axis,
                        static_cast<double>(value))
              << light << axis << value;
        }
      }
    }
  }
  void the_crosshair_is_seen_in_both_themes_over_anything() {
    QFETCH(bool, light);
    QFETCH(int, axis);
    QFETCH(float, value);
    SliceView view(static_cast<Axis>(axis));
    view.overlays().set_scale_bar_visible(false);
    view.overlays().set_captions_visible(false);
    view.set_theme(light ? ViewTheme::light_theme() : ViewTheme::dark_theme());
    view.set_shape({40, 40, 40}, {});
    view.set_contrast({0.0, 1.0, 1.0});
    view.set_plane(plane_of(40, 40, value), 20);
    view.set_crosshair({20, 20, 20});
    QVERIFY(show(view, {360, 300}));
    const QImage shot = picture_of(view);
    const QPointF at = view.to_widget(20.5, 20.5);
    constexpr int kSeen = 75;
    for (const double along : {50.0, 80.0, 110.0}) {
      const int row = step_across(shot, at + QPointF(along, 0), {0, 1});
      const int column = step_across(shot, at + QPointF(0, along), {1, 0});
      QVERIFY2(row >= kSeen && column >= kSeen,
               qPrintable(QStringLiteral("%1 and %2").arg(row).arg(column)));
    }
    // Without it there is nothing to see there.
    view.overlays().set_crosshair_visible(false);
    QVERIFY(step_across(picture_of(view), at + QPointF(80, 0), {0, 1}) < 5);
  }

  void the_view_with_the_keyboard_has_a_frame() {
    QWidget both;
    auto* slice = new SliceView(Axis::z, &both);
    auto* volume = new MipView(&both);
    slice->setGeometry(0, 0, 300, 240);
    volume->setGeometry(310, 0, 300, 240);
    slice->set_shape({4, 30, 40}, {});
    slice->set_plane(plane_of(30, 40, 0.0F), 1);
    QVERIFY(show(both, {620, 240}));
    QApplication::setActiveWindow(&both);
    for (const ViewTheme& theme : {ViewTheme::dark_theme(), ViewTheme::light_theme()}) {
      slice->set_theme(theme);
      volume->set_theme(theme);
      const auto framed = [&](QWidget& view) {
        const QImage shot = picture_of(view);
        const double w = view.width();
        const double h = view.height();
        const std::array<QPointF, 4> edges{QPointF(0.5 * w, 0.5), QPointF(0.5 * w, h - 1.0),
                                           QPointF(0.5, 0.5 * h), QPointF(w - 1.0, 0.5 * h)};
        return std::all_of(edges.begin(), edges.end(), [&](const QPointF& edge) {
          return distance(color_at(shot, edge), theme.focus) <= 12;
        });
      };
      slice->setFocus();
      QTRY_VERIFY(framed(*slice));
      QVERIFY(!framed(*volume));
      volume->setFocus();
      QTRY_VERIFY(framed(*volume));
      QTRY_VERIFY(!framed(*slice));
    }
  }

  void texts_follow_the_size_that_is_asked_for() {
    SliceView view(Axis::z);
    view.overlays().set_crosshair_visible(false);
    view.set_shape({4, 30, 40}, {0.3, 0.1, 0.1, "µm"});
    view.set_plane(plane_of(30, 40, 0.0F), 1);
    QVERIFY(show(view, {420, 320}));
    ViewTheme theme = ViewTheme::dark_theme();
    const auto pill = [&] {
      return count_color(picture_of(view), QRectF(0, 0, 200, 60), theme.axis_z, 8);
    };
    const int usual = pill();
    theme.text_scale = 1.5;
    view.set_theme(theme);
    QVERIFY2(pill() > 5 * usual / 4, qPrintable(QStringLiteral("%1, %2").arg(usual).arg(pill())));
  }
};

APRSCOPE_VIEW_TESTS(LooksLinesTest)
#include "looks_lines_test.moc"
