#pragma once

#include <QAction>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/gui/document/channel_items.hpp"
#include "app/gui/document/channels.hpp"
#include "app/gui/panels/all_channels_box.hpp"
#include "app/gui/widgets/channel_rows.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/zarr_maker.hpp"

namespace aprscope::gui::test {

// Rows 8 to 11 of all slices: the first channel is bright in columns 8 to 15, the second in 12 to
// 19.
inline constexpr Index3 kFirst{8, 9, 9};
inline constexpr Index3 kBoth{8, 9, 13};
inline constexpr Index3 kSecond{8, 9, 17};
inline constexpr Index3 kNeither{8, 20, 25};

inline bool bright(std::int64_t channel, std::int64_t x, std::int64_t y) {
  const std::int64_t begin = channel == 0 ? 8 : 12;
  return x >= 8 && x < 12 && y >= begin && y < begin + 8;
}

inline std::uint16_t value_at(std::int64_t time, std::int64_t channel, std::int64_t x,
                              std::int64_t y) {
  if (!bright(channel, x, y)) return channel == 0 ? 400 : 0;
  return static_cast<std::uint16_t>((channel == 0 ? 4000 : 3000) / (time + 1));
}

// An OME-Zarr of two time points and two channels, 16 × 24 × 32, green and magenta by its metadata.
inline void write_two_channels(const QString& path) {
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
inline Volume first_image(int channel) {
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
inline void write_two_channel_apr(const QString& path) {
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

inline int distance(const QColor& a, const QColor& b) {
  return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                   std::abs(a.blue() - b.blue())});
}

/// A window for files of two channels, and what of their pictures is looked at.
class ChannelsFixture : public QObject {
 protected:
  void start() { f_ = std::make_unique<WindowFixture>(); }
  void end() { f_.reset(); }

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

inline bool ChannelsFixture::open(const char* name) {
  const QString path = f_->file(name);
  if (path.endsWith(QLatin1String("zarr"))) write_two_channels(path);
  if (path.endsWith(QLatin1String("apr"))) write_two_channel_apr(path);
  if (!f_->drop({path})) return false;
  f_->document.view().set_crosshair({8, 2, 2});  // its lines are out of the way
  return f_->settle();
}

inline bool ChannelsFixture::together() {
  auto* button = child<QToolButton>(QStringLiteral("channels_together"));
  if (!button->isVisible()) return false;
  QTest::mouseClick(button, Qt::LeftButton);
  return f_->settle() && button->isChecked();
}

// A button of a panel, with the box for all channels checked.
inline bool ChannelsFixture::press(const QString& panel, const QString& button) {
  if (!f_->window->show_panel(panel)) return false;
  auto* pressed = child<QAbstractButton>(button);
  auto* box = pressed->parentWidget()->findChild<AllChannelsBox*>();
  if (box == nullptr || !box->isVisible()) return false;
  if (!box->isChecked()) QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  if (!box->isChecked() || !f_->settle()) return false;
  QTest::mouseClick(pressed, Qt::LeftButton);
  return f_->settle();
}

inline QColor ChannelsFixture::at(const Index3& p, Axis axis) {
  SliceView& view = f_->slice(axis);
  const auto row = static_cast<double>(axis == Axis::z ? p.x : p.z);
  const auto col = static_cast<double>(axis == Axis::y ? p.x : p.y);
  const QPixmap shot = view.grab();
  return shot.toImage().pixelColor(
      (view.to_widget(row + 0.5, col + 0.5) * shot.devicePixelRatio()).toPoint());
}

inline bool ChannelsFixture::near(const Index3& p, const QColor& wanted, Axis axis, int tolerance) {
  const QColor seen = at(p, axis);
  if (distance(seen, wanted) <= tolerance) return true;
  qWarning() << "seen" << seen.name() << "wanted" << wanted.name();
  return false;
}

// The colour of the projection along z at a place of the image.
inline QColor ChannelsFixture::in_3d(double x, double y) {
  MipView& mip = f_->window->views().mip();
  mip.navigation().set_preset(MipPreset::front);
  mip.overlays().set_planes_visible(false);
  if (!f_->settle()) return {};
  const QPixmap shot = mip.grab();
  return shot.toImage().pixelColor((mip.to_widget(8.0, x, y) * shot.devicePixelRatio()).toPoint());
}

inline void ChannelsFixture::pick_colour(int channel, const QString& name) {
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

}  // namespace aprscope::gui::test
