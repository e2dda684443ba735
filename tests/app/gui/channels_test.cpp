// Channels of a file over each other: colours of the file, eyes, contrast, 3-D, status bar, undo,
// workspaces.
#include "app/gui/document/channels.hpp"

#include <QAction>
#include <QCheckBox>
#include <QMenu>
#include <QSlider>
#include <QToolButton>

#include "app/gui/document/channel_items.hpp"
#include "app/gui/panels/all_channels_box.hpp"
#include "app/gui/widgets/channel_rows.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/status_info.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/io/write.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/zarr_maker.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// Rows 8 to 11 of all slices: the first channel is bright in columns 8 to 15, the second in 12 to
// 19.
constexpr Index3 kFirst{8, 9, 9};
constexpr Index3 kBoth{8, 9, 13};
constexpr Index3 kSecond{8, 9, 17};
constexpr Index3 kNeither{8, 20, 25};

bool bright(std::int64_t channel, std::int64_t x, std::int64_t y) {
  const std::int64_t begin = channel == 0 ? 8 : 12;
  return x >= 8 && x < 12 && y >= begin && y < begin + 8;
}

std::uint16_t value_at(std::int64_t time, std::int64_t channel, std::int64_t x, std::int64_t y) {
  if (!bright(channel, x, y)) return channel == 0 ? 400 : 0;
  return static_cast<std::uint16_t>((channel == 0 ? 4000 : 3000) / (time + 1));
}

// An OME-Zarr of two time points and two channels, 16 × 24 × 32, green and magenta by its metadata.
void write_two_channels(const QString& path) {
  const std::filesystem::path root = path.toStdString();
  using Made = aprscope::test::ZarrArrayMaker<std::uint16_t>;
  const Made made{root / "0", {2, 2, 16, 24, 32}, {1, 1, 16, 24, 32}, [](const Made::Index& i) {
                    return value_at(i[0], i[1], i[3], i[4]);
                  }};
  made.write_2("<u2", nullptr, "/");
  using Json = nlohmann::ordered_json;
  const auto axis = [](const char* name, const char* type) {
    return Json{{"name", name}, {"type", type}};
  };
  const auto channel = [](const char* name, const char* colour, int end) {
    return Json{{"label", name}, {"color", colour}, {"window", {{"start", 0}, {"end", end}}}};
  };
  aprscope::test::write_json(root / ".zgroup", {{"zarr_format", 2}});
  aprscope::test::write_json(
      root / ".zattrs",
      {{"multiscales",
        Json::array(
            {{{"version", "0.4"},
              {"axes", Json::array({axis("t", "time"), axis("c", "channel"), axis("z", "space"),
                                    axis("y", "space"), axis("x", "space")})},
              {"datasets",
               Json::array({Json{
                   {"path", "0"},
                   {"coordinateTransformations",
                    Json::array({Json{{"type", "scale"}, {"scale", {1, 1, 1, 1, 1}}}})}}})}}})},
       {"omero",
        {{"channels",
          Json::array({channel("GFP", "00FF00", 4000), channel("mCherry", "FF00FF", 3000)})}}}});
}

// A channel of the first time point.
Volume first_image(int channel) {
  Pixels<std::uint16_t> pixels({16, 24, 32});
  for (std::int64_t z = 0; z < 16; ++z) {
    for (std::int64_t x = 0; x < 24; ++x) {
      for (std::int64_t y = 0; y < 32; ++y) pixels.at(z, x, y) = value_at(0, channel, x, y);
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  return volume;
}

// Two channels of particles in one file, as convert() makes them.
void write_two_channel_apr(const QString& path) {
  std::vector<Apr> series;
  for (int channel = 0; channel < 2; ++channel) {
    auto apr = convert(first_image(channel), {});
    if (!apr) qFatal("%s", apr.error().message().c_str());
    apr->channel = channel == 0 ? "GFP" : "mCherry";
    apr->channel_index = channel;
    series.push_back(*std::move(apr));
  }
  const Status written = write_apr_series(series, path.toStdString());
  if (!written) qFatal("%s", written.error().message().c_str());
}

int distance(const QColor& a, const QColor& b) {
  return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                   std::abs(a.blue() - b.blue())});
}

}  // namespace

class ChannelsTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void one_click_shows_all_in_the_colours_of_the_file();
  void an_eye_hides_and_shows();
  void another_colour_and_contrast_reach_slices_and_3d();
  void all_axes_show_them();
  void three_d_adds_the_projections();
  void the_status_bar_tells_all_values();
  void a_click_on_a_name_chooses_without_reading_again();
  void time_changes_all_channels_together();
  void what_is_done_can_be_undone();
  void a_workspace_remembers();
  void particles_of_a_file_lie_over_each_other();
  void channels_converted_one_by_one_lie_over_each_other();
  void one_click_converts_and_filters_all_that_are_seen();
  void hidden_channels_are_left_alone();
  void a_filter_is_previewed_among_the_others();
  void one_that_cannot_be_read_closes_its_eye();

 private:
  bool open(const char* name = "two.ome.zarr");
  bool together();
  bool press(const QString& panel, const QString& button);
  template <class T>
  T* child(const QString& name) {
    return f_->window->findChild<T*>(name);
  }
  QColor at(const Index3& p, Axis axis = Axis::z);
  bool near(const Index3& p, const QColor& wanted, Axis axis = Axis::z, int tolerance = 3);
  QColor in_3d(double x, double y);
  void pick_colour(int channel, const QString& name);

  std::unique_ptr<WindowFixture> f_;
};

void ChannelsTest::init() { f_ = std::make_unique<WindowFixture>(); }
void ChannelsTest::cleanup() { f_.reset(); }

bool ChannelsTest::open(const char* name) {
  const QString path = f_->file(name);
  if (path.endsWith(QLatin1String("zarr"))) write_two_channels(path);
  if (path.endsWith(QLatin1String("apr"))) write_two_channel_apr(path);
  if (!f_->drop({path})) return false;
  f_->document.view().set_crosshair({8, 2, 2});  // its lines are out of the way
  return f_->settle();
}

bool ChannelsTest::together() {
  auto* button = child<QToolButton>(QStringLiteral("channels_together"));
  if (!button->isVisible()) return false;
  QTest::mouseClick(button, Qt::LeftButton);
  return f_->settle() && button->isChecked();
}

// A button of a panel, with the box for all channels checked.
bool ChannelsTest::press(const QString& panel, const QString& button) {
  if (!f_->window->show_panel(panel)) return false;
  auto* pressed = child<QAbstractButton>(button);
  auto* box = pressed->parentWidget()->findChild<AllChannelsBox*>();
  if (box == nullptr || !box->isVisible()) return false;
  if (!box->isChecked()) QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  if (!box->isChecked() || !f_->settle()) return false;
  QTest::mouseClick(pressed, Qt::LeftButton);
  return f_->settle();
}

QColor ChannelsTest::at(const Index3& p, Axis axis) {
  SliceView& view = f_->slice(axis);
  const auto row = static_cast<double>(axis == Axis::z ? p.x : p.z);
  const auto col = static_cast<double>(axis == Axis::y ? p.x : p.y);
  const QPixmap shot = view.grab();
  return shot.toImage().pixelColor(
      (view.to_widget(row + 0.5, col + 0.5) * shot.devicePixelRatio()).toPoint());
}

bool ChannelsTest::near(const Index3& p, const QColor& wanted, Axis axis, int tolerance) {
  const QColor seen = at(p, axis);
  if (distance(seen, wanted) <= tolerance) return true;
  qWarning() << "seen" << seen.name() << "wanted" << wanted.name();
  return false;
}

// The colour of the projection along z at a place of the image.
QColor ChannelsTest::in_3d(double x, double y) {
  MipView& mip = f_->window->views().mip();
  mip.navigation().set_preset(MipPreset::front);
  mip.overlays().set_planes_visible(false);
  if (!f_->settle()) return {};
  const QPixmap shot = mip.grab();
  return shot.toImage().pixelColor((mip.to_widget(8.0, x, y) * shot.devicePixelRatio()).toPoint());
}

void ChannelsTest::pick_colour(int channel, const QString& name) {
  auto* button = child<QToolButton>(QStringLiteral("channel_colour_%1").arg(channel));
  QTimer::singleShot(300, button, [button, name] {
    for (QAction* action : button->menu()->actions()) {
      if (action->text() != name) continue;
      const QRect where = button->menu()->actionGeometry(action);
      QTest::mouseClick(button->menu(), Qt::LeftButton, Qt::NoModifier, where.center());
    }
  });
  QTest::mouseClick(button, Qt::LeftButton);
}

void ChannelsTest::one_click_shows_all_in_the_colours_of_the_file() {
  QVERIFY(open());
  // One channel alone, in grey, as before.
  QCOMPARE(at(kFirst).red(), at(kFirst).green());
  QVERIFY(together());
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
  // A tenth of the first channel's range lies everywhere.
  QVERIFY(near(kSecond, QColor(255, 26, 255)));
  QVERIFY(near(kNeither, QColor(0, 26, 0)));
  auto* rows = f_->window->findChild<ChannelRows*>();
  QVERIFY(rows->isVisible());
  QCOMPARE(rows->rows().size(), std::size_t{2});
  QCOMPARE(rows->rows()[0].name, QStringLiteral("GFP"));
  QCOMPARE(rows->rows()[1].look.colour, (Rgb{255, 0, 255}));
  QVERIFY(rows->rows()[0].chosen && !rows->rows()[1].chosen);
  // And back.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channels_together")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(!rows->isVisible());
  QCOMPARE(at(kFirst).red(), at(kFirst).green());
}

void ChannelsTest::an_eye_hides_and_shows() {
  QVERIFY(open());
  QVERIFY(together());
  auto* first = child<QToolButton>(QStringLiteral("channel_eye_0"));
  auto* second = child<QToolButton>(QStringLiteral("channel_eye_1"));
  QTest::mouseClick(second, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(0, 255, 0)));
  QVERIFY(near(kSecond, QColor(0, 26, 0)));
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(0, 26, 0)) <= 6);
  QTest::mouseClick(second, Qt::LeftButton);
  QTest::mouseClick(first, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(255, 0, 255)));
  QVERIFY(near(kFirst, QColor(0, 0, 0)));
  QTest::mouseClick(second, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(0, 0, 0)));
}

void ChannelsTest::another_colour_and_contrast_reach_slices_and_3d() {
  QVERIFY(open());
  QVERIFY(together());
  pick_colour(1, QStringLiteral("Blue"));
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 255)));
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(0, 26, 255)) <= 6);
  auto* high = child<RealField>(QStringLiteral("channel_high_1"));
  high->setFocus();
  QTest::keyClick(high, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(high, QStringLiteral("6000"));
  QTest::keyClick(high, Qt::Key_Return);
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 128)));
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(0, 26, 128)) <= 6);
  auto* gamma = child<RealField>(QStringLiteral("channel_gamma_1"));
  gamma->setFocus();
  QTest::keyClick(gamma, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(gamma, QStringLiteral("2"));
  QTest::keyClick(gamma, Qt::Key_Return);
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 64)));
  // By the data again: what is bright there is drawn in the full colour.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_auto_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 255)));
}

void ChannelsTest::all_axes_show_them() {
  QVERIFY(open());
  QVERIFY(together());
  f_->document.view().set_crosshair({2, kBoth.x, kBoth.y});
  QVERIFY(f_->settle());
  QVERIFY(near({8, kBoth.x, 9}, QColor(0, 255, 0), Axis::x));
  QVERIFY(near({8, kBoth.x, 17}, QColor(255, 26, 255), Axis::x));
  QVERIFY(near({8, 10, kBoth.y}, QColor(255, 255, 255), Axis::y));
  QVERIFY(near({8, 20, kBoth.y}, QColor(0, 26, 0), Axis::y));
}

void ChannelsTest::three_d_adds_the_projections() {
  QVERIFY(open());
  QVERIFY(together());
  QVERIFY(distance(in_3d(9.5, 9.5), QColor(0, 255, 0)) <= 6);
  QVERIFY(distance(in_3d(9.5, 13.5), QColor(255, 255, 255)) <= 6);
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(255, 26, 255)) <= 6);
  QVERIFY(distance(in_3d(20.5, 25.5), QColor(0, 26, 0)) <= 6);
}

void ChannelsTest::the_status_bar_tells_all_values() {
  QVERIFY(open());
  QVERIFY(together());
  SliceView& xy = f_->slice(Axis::z);
  StatusInfo& status = *f_->window->findChild<StatusInfo*>();
  const auto hover = [&](const Index3& p) {
    return move_pointer(
        xy, xy.to_widget(static_cast<double>(p.x) + 0.5, static_cast<double>(p.y) + 0.5).toPoint());
  };
  QVERIFY(hover(kSecond));
  QTRY_COMPARE(status.value_text(), QStringLiteral("GFP 400  ·  mCherry 3000"));
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_0")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(hover(kFirst));
  QTRY_COMPARE(status.value_text(), QStringLiteral("mCherry 0"));
}

void ChannelsTest::a_click_on_a_name_chooses_without_reading_again() {
  QVERIFY(open());
  QVERIFY(together());
  // Not one byte of it is there any more: what is shown is at hand.
  std::filesystem::remove_all(f_->file("two.ome.zarr").toStdString());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_name_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  const Item& item = *f_->document.items().current();
  QCOMPARE(item.selection.channel, 1);
  QCOMPARE(item.recipe.channel, 1);
  QCOMPARE(item.dataset->probe(kSecond).value, 3000.0F);
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
  QCOMPARE(child<QSlider>(QStringLiteral("channel_slider"))->value(), 1);
  QVERIFY(f_->window->findChild<ChannelRows*>()->rows()[1].chosen);
}

void ChannelsTest::time_changes_all_channels_together() {
  QVERIFY(open());
  QVERIFY(together());
  auto* time = child<QSlider>(QStringLiteral("time_slider"));
  time->setFocus();
  QTest::keyClick(time, Qt::Key_End);
  QTRY_COMPARE(f_->document.items().current()->selection.time, 1);
  // As soon as one has changed, the other has.
  const auto channels = f_->document.channels().of(*f_->document.items().current());
  QCOMPARE(channels.size(), std::size_t{2});
  QCOMPARE(channels[0].dataset->probe(kBoth).value, 2000.0F);
  QCOMPARE(channels[1].dataset->probe(kBoth).value, 1500.0F);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(128, 128, 128)));
  QVERIFY(distance(in_3d(9.5, 13.5), QColor(128, 128, 128)) <= 6);
}

void ChannelsTest::what_is_done_can_be_undone() {
  QVERIFY(open());
  QVERIFY(together());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(0, 255, 0)));
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
  QVERIFY(child<QToolButton>(QStringLiteral("channel_eye_1"))->isChecked());
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QCOMPARE(at(kFirst).red(), at(kFirst).green());
  QVERIFY(!child<QToolButton>(QStringLiteral("channels_together"))->isChecked());
  f_->trigger("redo");
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(255, 26, 255)));
}

void ChannelsTest::a_workspace_remembers() {
  QVERIFY(open());
  QVERIFY(together());
  pick_colour(0, QStringLiteral("Yellow"));
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  const QString path = f_->file("channels.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  const DisplaySettings before = f_->document.items().current()->display;
  const std::uint64_t id = f_->document.items().current_id();
  QVERIFY(f_->drop({path}));
  QVERIFY(f_->document.items().current_id() != id);
  QCOMPARE(f_->document.items().current()->display, before);
  QVERIFY(near(kBoth, QColor(255, 255, 0)));
  QVERIFY(!child<QToolButton>(QStringLiteral("channel_eye_1"))->isChecked());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
}

void ChannelsTest::particles_of_a_file_lie_over_each_other() {
  QVERIFY(open("two.apr"));
  QVERIFY(together());
  // Names and colours: a file of particles has no colours, so green and magenta.
  const auto* rows = f_->window->findChild<ChannelRows*>();
  QCOMPARE(rows->rows()[0].look.colour, (Rgb{0, 255, 0}));
  QCOMPARE(rows->rows()[1].look.colour, (Rgb{255, 0, 255}));
  const bool first_is_gfp = rows->rows()[0].name == QLatin1String("GFP");
  const Index3 one = first_is_gfp ? kFirst : kSecond;
  const Index3 other = first_is_gfp ? kSecond : kFirst;
  const QColor a = at(one);
  QVERIFY2(a.green() > 200 && a.red() < 60, qPrintable(a.name()));
  const QColor b = at(other);
  QVERIFY2(b.red() > 200 && b.blue() > 200 && b.green() < 60, qPrintable(b.name()));
  const QColor both = at(kBoth);
  QVERIFY2(both.red() > 200 && both.green() > 200 && both.blue() > 200, qPrintable(both.name()));
  const QColor deep = in_3d(9.5, 13.5);
  QVERIFY2(deep.red() > 200 && deep.green() > 200, qPrintable(deep.name()));
}

void ChannelsTest::channels_converted_one_by_one_lie_over_each_other() {
  QVERIFY(open());
  QVERIFY(together());
  const std::uint64_t original = f_->document.items().current_id();
  QVERIFY(f_->document.runner().apply(*complete({"convert", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t first = f_->document.items().current_id();
  // The other channel is nowhere yet.
  const ChannelItems others =
      other_channels(*f_->document.items().current(), f_->document.channels());
  QVERIFY(others.items.empty());
  QCOMPARE(others.missing, QStringList(QStringLiteral("channel 2")));
  QVERIFY(f_->document.items().find(first)->is_apr());
  QVERIFY(near(kSecond, QColor(0, 26, 0), Axis::z, 8));
  QVERIFY(!f_->window->findChild<ChannelRows*>()->rows()[1].there);
  f_->document.items().set_current(original);
  f_->document.opener().select(original, {1, 0});
  QVERIFY(f_->settle());
  QVERIFY(f_->document.runner().apply(*complete({"convert", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t second = f_->document.items().current_id();
  QVERIFY(second != first);
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
  QVERIFY(near(kFirst, QColor(0, 255, 0), Axis::z, 8));
  QVERIFY(distance(in_3d(9.5, 13.5), QColor(255, 255, 255)) <= 10);
  // Its name leads to the other result.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_name_0")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().current_id(), first);
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
}

void ChannelsTest::one_click_converts_and_filters_all_that_are_seen() {
  QVERIFY(open());
  QVERIFY(together());
  const ItemList& items = f_->document.items();
  QVERIFY(press(QStringLiteral("convert"), QStringLiteral("convert_button")));
  QCOMPARE(items.all().size(), std::size_t{3});
  QVERIFY(other_channels(*items.current(), f_->document.channels()).missing.isEmpty());
  // That of the channel that was chosen is looked at, and the other is seen with it.
  QCOMPARE(items.current_id(), items.all()[1].id);
  QCOMPARE(items.current()->recipe.channel, 0);
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
  QVERIFY(near(kFirst, QColor(0, 255, 0), Axis::z, 8));
  QVERIFY(near(kSecond, QColor(255, 26, 255), Axis::z, 8));
  // Each is what converting its channel gives.
  for (int channel = 0; channel < 2; ++channel) {
    const Item& made = items.all()[static_cast<std::size_t>(channel) + 1];
    QCOMPARE(made.recipe.channel, channel);
    QCOMPARE(made.parent, items.all()[0].id);
    QCOMPARE(made.recipe.steps.size(), std::size_t{1});
    const auto wanted = convert(first_image(channel), {});
    QVERIFY(wanted.ok());
    QCOMPARE(made.dataset->apr().access->count(), wanted->access->count());
    const auto both = Dataset::create(Data(*wanted));
    QVERIFY(std::ranges::equal(made.dataset->values().particles(), both->values().particles()));
  }
  // A filter of the results: again both.
  QVERIFY(press(QStringLiteral("filter"), QStringLiteral("filter_apply")));
  QCOMPARE(items.all().size(), std::size_t{5});
  QCOMPARE(items.all()[4].recipe.channel, 1);
  QCOMPARE(items.all()[4].recipe.steps, items.all()[3].recipe.steps);
  QCOMPARE(items.all()[4].parent, items.all()[2].id);
  QCOMPARE(items.current_id(), items.all()[3].id);
}

void ChannelsTest::hidden_channels_are_left_alone() {
  QVERIFY(open());
  // One channel alone: there is nothing to choose.
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  auto* convert = child<QAbstractButton>(QStringLiteral("convert_button"));
  auto* box = convert->parentWidget()->findChild<AllChannelsBox*>();
  QVERIFY(box != nullptr && !box->isVisible());
  QVERIFY(together());
  QVERIFY(press(QStringLiteral("convert"), QStringLiteral("convert_button")));
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  f_->document.items().set_current(f_->document.items().all()[0].id);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  QVERIFY(!box->isVisible());
  QTest::mouseClick(convert, Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{4});
}

void ChannelsTest::a_filter_is_previewed_among_the_others() {
  QVERIFY(open());
  QVERIFY(together());
  const auto blurred = parse_stencil_spec("gaussian:sigma=3");
  QVERIFY(blurred.ok());
  f_->document.preview().set(*blurred);
  QVERIFY(f_->settle());
  // The first channel is spread out, the second as it was.
  const QColor first = at(kFirst);
  QVERIFY2(first.green() < 200 && first.red() <= 3, qPrintable(first.name()));
  QVERIFY(at(kSecond).red() >= 252);
  f_->document.preview().clear();
  QVERIFY(f_->settle());
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
}

void ChannelsTest::one_that_cannot_be_read_closes_its_eye() {
  QVERIFY(open());
  std::filesystem::remove_all(f_->file("two.ome.zarr").toStdString());
  auto* button = child<QToolButton>(QStringLiteral("channels_together"));
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(!child<QToolButton>(QStringLiteral("channel_eye_1"))->isChecked());
  QVERIFY(near(kBoth, QColor(0, 255, 0)));
}

APRSCOPE_GUI_TEST_MAIN(ChannelsTest)
#include "channels_test.moc"
