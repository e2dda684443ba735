// Files of several channels and time points that do not fit into memory, in the real window with
// real events: all become one file of particles, whose overview has its channels and time points,
// over each other and in detail.
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QWheelEvent>
#include <cmath>

#include "app/gui/document/large_files.hpp"
#include "app/gui/window/crop_dialog.hpp"
#include "app/gui/window/parts_words.hpp"
#include "app/gui/window/status_info.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/app/gui/channels_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kWhole{64, 96, 128};
// Less than the particles of a channel take, more than a level of them.
constexpr std::uint64_t kNotEnough = 100'000;
constexpr int kParts = 2;

// Other cells in each channel and time point.
Volume image_of(int channel, int time) {
  SyntheticOptions options;
  options.size = kWhole;
  options.seed = static_cast<std::uint64_t>(1 + channel + kParts * time);
  auto made = make_synthetic("cells", options);
  if (!made) qFatal("%s", made.error().message().c_str());
  made->channel = channel == 0 ? "GFP" : "mCherry";
  made->channel_index = channel;
  made->time = time;
  return *std::move(made);
}

}  // namespace

class OverviewChannelsTest : public ChannelsFixture {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { end(); }
  void all_parts_become_one_file();
  void channels_are_drawn_over_each_other_in_detail();
  void other_time_points_are_those_of_the_file();
  void in_3d_channels_are_as_fine_as_the_screen();
  void a_box_is_cut_from_all_channels();
  void all_channels_of_the_file_are_filtered();
  void what_was_chosen_while_all_is_read_is_shown();
  void a_workspace_knows_the_other_parts();

 private:
  void write_parts(const QString& path, bool with_tree = true);
  // Opens the particles as an overview.
  void open_overview();
  void zoom(QWidget& view, const QPointF& at, int notches, Qt::KeyboardModifiers keys);
  // Whether a finer plane of a slice z shows these pixels.
  void expect_pixels(const Plane& plane, const SliceDetail& detail, std::int64_t z, int channel,
                     int time);
  [[nodiscard]] QColor blended(float first, float second) const;
  const Item& current() { return *f_->document.items().current(); }
  const Pixels<float>& pixels(int channel, int time) const {
    return pixels_[static_cast<std::size_t>(channel + kParts * time)];
  }

  // What the particles of each channel and time point stand for.
  std::vector<Pixels<float>> pixels_;
  std::vector<Apr> particles_;
  std::int64_t side_ = 1;
};

void OverviewChannelsTest::init() {
  start();
  if (!pixels_.empty()) return;
  for (int time = 0; time < kParts; ++time) {
    for (int channel = 0; channel < kParts; ++channel) {
      auto made =
          execute({{"convert", {}}}, Dataset::create(image_of(channel, time)), *cpu_backend());
      QVERIFY(made.ok());
      particles_.push_back(made->data->apr());
      auto all = reconstruct(*particles_.back().access, particles_.back().main_field()->to_float(),
                             ReconstructionMode::constant, whole(kWhole));
      QVERIFY(all.ok());
      pixels_.push_back(*std::move(all));
    }
  }
}

void OverviewChannelsTest::write_parts(const QString& path, bool with_tree) {
  QVERIFY(write_apr_series(particles_, path.toStdString(), {.with_tree = with_tree}).ok());
}

void OverviewChannelsTest::open_overview() {
  f_->document.opener().large_files().set_memory(kNotEnough);
  write_parts(f_->file("parts.apr"));
  QVERIFY(f_->drop({f_->file("parts.apr")}));
  QVERIFY(file_level(current()));
  side_ = std::int64_t{1} << (finest_level(kWhole) - *file_level(current()));
  QVERIFY(side_ >= 4);
  // Room for what is read of the file.
  f_->document.opener().large_files().set_memory(std::uint64_t{1} << 30);
}

void OverviewChannelsTest::zoom(QWidget& view, const QPointF& at, int notches,
                                Qt::KeyboardModifiers keys) {
  for (int i = 0; i < notches; ++i) {
    QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, keys, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&view, &wheel);
  }
  QVERIFY(f_->settle());
}

void OverviewChannelsTest::expect_pixels(const Plane& plane, const SliceDetail& detail,
                                         std::int64_t z, int channel, int time) {
  const auto row0 = std::llround(detail.row * static_cast<double>(side_));
  const auto col0 = std::llround(detail.col * static_cast<double>(side_));
  QCOMPARE(static_cast<double>(plane.rows), detail.rows * static_cast<double>(side_));
  for (std::int64_t r = 0; r < plane.rows; ++r) {
    for (std::int64_t c = 0; c < plane.cols; ++c) {
      QCOMPARE(plane.values[static_cast<std::size_t>(r * plane.cols + c)],
               pixels(channel, time).at(z, row0 + r, col0 + c));
    }
  }
}

// Green and magenta, as light adds up.
QColor OverviewChannelsTest::blended(float first, float second) const {
  const Item& item = *f_->document.items().current();
  std::array<double, 3> rgb{};
  const auto channels = f_->document.channels().of(item);
  for (std::size_t c = 0; c < 2; ++c) {
    const Contrast& contrast = channels[c].look.contrast;
    const double value = static_cast<double>(c == 0 ? first : second);
    const double share =
        std::pow(std::clamp((value - contrast.low) / (contrast.high - contrast.low), 0.0, 1.0),
                 contrast.gamma);
    for (std::size_t i = 0; i < 3; ++i) {
      rgb[i] += share * static_cast<double>(channels[c].look.colour[i]);
    }
  }
  const auto byte = [](double v) { return static_cast<int>(std::lround(std::min(v, 255.0))); };
  return {byte(rgb[0]), byte(rgb[1]), byte(rgb[2])};
}

void OverviewChannelsTest::all_parts_become_one_file() {
  QCOMPARE(all_parts_words(2, 1), QStringLiteral("all 2 channels"));
  QCOMPARE(all_parts_words(1, 3), QStringLiteral("all 3 time points"));
  using Made = aprscope::test::ZarrArrayMaker<std::uint16_t>;
  std::vector<Volume> images;
  for (int i = 0; i < kParts * kParts; ++i) images.push_back(image_of(i % kParts, i / kParts));
  const QString source = f_->file("parts.ome.zarr");
  write_two_channels(source);
  const Made made{std::filesystem::path(source.toStdString()) / "0",
                  {2, 2, kWhole.z, kWhole.x, kWhole.y},
                  {1, 1, 16, kWhole.x, kWhole.y},
                  [&](const Made::Index& i) {
                    const Volume& image = images[static_cast<std::size_t>(i[1] + kParts * i[0])];
                    return std::get<Pixels<std::uint16_t>>(image.pixels).at(i[2], i[3], i[4]);
                  }};
  made.write_2("<u2", nullptr, "/");
  f_->document.opener().large_files().set_memory(kNotEnough);
  for (const bool together : {true, false}) {
    QVERIFY(f_->drop({source}));
    QMessageBox* box = nullptr;
    for (auto* open : f_->window->findChildren<QMessageBox*>(QStringLiteral("conversion_box"))) {
      if (open->isVisible()) box = open;
    }
    QVERIFY(box != nullptr && box->checkBox() != nullptr);
    QVERIFY(box->checkBox()->text().contains(QStringLiteral("all 2 channels and 2 time points")));
    QVERIFY(box->checkBox()->isChecked());
    if (!together) {
      QTest::mouseClick(box->checkBox(), Qt::LeftButton, {},
                        QPoint(8, box->checkBox()->height() / 2));
    }
    for (QAbstractButton* button : box->buttons()) {
      if (box->buttonRole(button) == QMessageBox::AcceptRole) {
        QTest::mouseClick(button, Qt::LeftButton);
      }
    }
    QFileDialog* dialog = nullptr;
    for (auto* open : f_->window->findChildren<QFileDialog*>()) {
      if (open->isVisible()) dialog = open;
    }
    QVERIFY(dialog != nullptr);
    const QString path = f_->file(together ? "all.apr" : "one.apr");
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    name->setText(path);
    QTest::keyClick(name, Qt::Key_Return);
    QVERIFY(f_->settle());
    const auto info = inspect(path.toStdString());
    QVERIFY2(info.ok(), info.ok() ? "" : info.error().message().c_str());
    QCOMPARE(info->channels.size(), std::size_t(together ? 2 : 1));
    QCOMPARE(info->times, together ? 2 : 1);
    for (int i = 0; i < (together ? kParts * kParts : 1); ++i) {
      const auto part = load(*info, {i % kParts, i / kParts});
      QVERIFY(part.ok());
      const Apr& wanted = particles_[static_cast<std::size_t>(i)];
      const Apr& apr = std::get<Apr>(*part);
      QVERIFY(apr.access->particles() == wanted.access->particles());
      QVERIFY(apr.main_field()->to_float() == wanted.main_field()->to_float());
      QCOMPARE(apr.tree_fields.size(), std::size_t{1});
    }
    QTRY_VERIFY(f_->document.items().current() != nullptr);
    QVERIFY(f_->settle());
    QVERIFY(file_level(current()));
    QCOMPARE(current().file_channels, together ? 2 : 1);
    QCOMPARE(current().file_times, together ? 2 : 1);
  }
}

void OverviewChannelsTest::channels_are_drawn_over_each_other_in_detail() {
  open_overview();
  f_->document.view().set_crosshair({30 / side_, 0, 0});
  QVERIFY(together());
  const auto overview = f_->document.channels().of(current());
  QVERIFY(overview[1].dataset && overview[1].dataset->size() == current().dataset->size());
  SliceView& xy = f_->slice(Axis::z);
  const auto side = static_cast<double>(side_);
  zoom(xy, xy.to_widget(48 / side, 64 / side), 14, Qt::ControlModifier);
  const std::int64_t z = xy.navigation().fine_index();
  const SliceDetail& detail = xy.overlays().detail();
  QVERIFY(!detail.plane.values.empty());
  QCOMPARE(detail.others.size(), std::size_t{1});
  expect_pixels(detail.plane, detail, z, 0, 0);
  expect_pixels(detail.others[0].plane, detail, z, 1, 0);
  // What is on screen are the pixels of both.
  const QImage shot = xy.grab().toImage();
  int checked = 0;
  int coloured = 0;
  for (std::int64_t x = 32; x < 64; ++x) {
    for (std::int64_t y = 48; y < 80; ++y) {
      const QPointF at = xy.to_widget((static_cast<double>(x) + 0.5) / side,
                                      (static_cast<double>(y) + 0.5) / side);
      if (!xy.rect().adjusted(120, 90, -120, -90).contains(at.toPoint())) continue;
      const QColor wanted = blended(pixels(0, 0).at(z, x, y), pixels(1, 0).at(z, x, y));
      const QColor seen = shot.pixelColor(at.toPoint());
      QVERIFY2(distance(seen, wanted) <= 4, qPrintable(seen.name() + " for " + wanted.name()));
      ++checked;
      if (std::abs(seen.red() - seen.green()) > 10) ++coloured;
    }
  }
  QVERIFY2(checked > 20, qPrintable(QString::number(checked)));
  QVERIFY2(coloured > 5, qPrintable(QString::number(coloured)));
  // The status bar has the values of the file of both.
  const QPoint on = xy.to_widget(50.5 / side, 60.5 / side).toPoint();
  QVERIFY(move_pointer(xy, on));
  auto* status = f_->window->findChild<StatusInfo*>();
  const auto number = [](float v) { return QString::number(static_cast<double>(v), 'g', 6); };
  const QString values =
      QStringLiteral("GFP %1  ·  mCherry %2")
          .arg(number(pixels(0, 0).at(z, 50, 60)), number(pixels(1, 0).at(z, 50, 60)));
  QTRY_VERIFY2(status->value_text().startsWith(values),
               qPrintable(status->value_text() + " for " + values));
  // Alone, a channel has its own colours again.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channels_together")), Qt::LeftButton);
  QVERIFY(f_->settle());
  const QColor grey = xy.grab().toImage().pixelColor(on);
  QVERIFY2(grey.red() == grey.green() && grey.green() == grey.blue(), qPrintable(grey.name()));
}

void OverviewChannelsTest::other_time_points_are_those_of_the_file() {
  open_overview();
  const Size3 size = current().dataset->size();
  const QString name = current().name;
  QVERIFY(together());
  SliceView& xy = f_->slice(Axis::z);
  f_->document.view().set_crosshair({30 / side_, 0, 0});
  const auto side = static_cast<double>(side_);
  zoom(xy, xy.to_widget(48 / side, 64 / side), 14, Qt::ControlModifier);
  // Another slice than the one in the middle of those that the overview shows as one.
  for (int i = 0; i < 2; ++i) {
    QWheelEvent wheel(QRectF(xy.rect()).center(), xy.mapToGlobal(QRectF(xy.rect()).center()), {},
                      {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&xy, &wheel);
    QVERIFY(f_->settle());
  }
  const std::int64_t z = xy.navigation().fine_index();
  QVERIFY(z % side_ != side_ / 2);
  auto* time = child<QSlider>(QStringLiteral("time_slider"));
  QVERIFY(time != nullptr && time->isVisible());
  time->setFocus();
  QTest::keyClick(time, Qt::Key_Right);
  QTRY_COMPARE(current().selection.time, 1);
  QVERIFY(f_->settle());
  QVERIFY(file_level(current()) && current().dataset->size() == size);
  QCOMPARE(current().name, name);
  QCOMPARE(xy.navigation().fine_index(), z);
  const SliceDetail& detail = xy.overlays().detail();
  QCOMPARE(detail.others.size(), std::size_t{1});
  expect_pixels(detail.plane, detail, z, 0, 1);
  expect_pixels(detail.others[0].plane, detail, z, 1, 1);
  // The other channel, chosen, is the one that has the status and is filtered.
  auto* channel = child<QSlider>(QStringLiteral("channel_slider"));
  QVERIFY(channel != nullptr && channel->isVisible());
  channel->setFocus();
  QTest::keyClick(channel, Qt::Key_Right);
  QTRY_COMPARE(current().selection.channel, 1);
  QVERIFY(f_->settle());
  QVERIFY(file_level(current()) && current().dataset->size() == size);
  const SliceDetail& now = xy.overlays().detail();
  expect_pixels(now.plane, now, z, 1, 1);
  expect_pixels(now.others[0].plane, now, z, 0, 1);
}

void OverviewChannelsTest::in_3d_channels_are_as_fine_as_the_screen() {
  open_overview();
  QVERIFY(together());
  ViewOptions options = f_->document.view().options();
  options.box = false;
  options.planes = false;
  f_->document.view().set_options(options);
  f_->window->views().maximise(ViewPlace::mip);
  QVERIFY(f_->settle());
  MipView& mip = f_->window->views().mip();
  mip.navigation().set_preset(MipPreset::front);
  zoom(mip, mip.rect().center(), 8, Qt::NoModifier);
  QVERIFY(mip.rays().shows_detail());
  QCOMPARE(mip.rays().detail()->channels.size(), std::size_t{2});
  const MipFrame& frame = mip.frame();
  const int finer = finest_level(kWhole) - *file_level(current());
  std::vector<RayImage> wanted;
  for (std::size_t c = 0; c < 2; ++c) {
    auto caster = Dataset::create(Apr(particles_[c]))->raycaster();
    QVERIFY(caster.ok());
    auto image = (*caster)->render(finer_camera(mip.navigation().ray_camera(), finer), frame.width,
                                   frame.height, 99);
    QVERIFY(image.ok());
    wanted.push_back(*std::move(image));
  }
  const QImage shot = mip.grab().toImage();
  const QRect seen = shot.rect().adjusted(4, 40, -4, -4);
  int wrong = 0;
  int checked = 0;
  for (int y = seen.top(); y <= seen.bottom(); ++y) {
    for (int x = seen.left(); x <= seen.right(); ++x) {
      const auto i = static_cast<std::size_t>(y * frame.width + x);
      if (std::isnan(wanted[0].values[i])) continue;
      ++checked;
      const QColor colour = blended(wanted[0].values[i], wanted[1].values[i]);
      if (distance(shot.pixelColor(x, y), colour) > 4) ++wrong;
    }
  }
  QVERIFY(checked > 10000);
  QVERIFY2(wrong < 50, qPrintable(QString::number(wrong)));
  // A channel that is hidden is not waited for, and comes back as fine; so does the item's own.
  for (int i = 0; i < 4; ++i) {
    auto* eye = child<QToolButton>(QStringLiteral("channel_eye_%1").arg(i / 2));
    QVERIFY(eye != nullptr);
    eye->click();
    QVERIFY(f_->settle());
    QVERIFY(mip.rays().shows_detail());
  }
}

void OverviewChannelsTest::a_box_is_cut_from_all_channels() {
  open_overview();
  QVERIFY(together());
  f_->document.runner().set_to_all_channels(true);
  QTest::keyClick(f_->window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  CropDialog* dialog = nullptr;
  QVERIFY(QTest::qWaitFor(
      [&] { return (dialog = f_->window->findChild<CropDialog*>()) != nullptr; }, 60000));
  const Region box{{16, 32, 32}, {48, 64, 96}};
  dialog->set_box(box);
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                    Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  // The one of the channel that was chosen is current, with the other one over it.
  QCOMPARE(current().recipe.channel, 0);
  QVERIFY(current().is_apr() && current().dataset->size() == box.size());
  const auto channels = f_->document.channels().of(current());
  QCOMPARE(channels.size(), std::size_t{2});
  for (std::size_t c = 0; c < 2; ++c) {
    QVERIFY(channels[c].dataset);
    const float wanted = pixels(static_cast<int>(c), 0).at(20, 40, 50);
    QCOMPARE(channels[c].dataset->probe({4, 8, 18}).value, wanted);
  }
}

// What was tried on boxes of all channels becomes one file of all of them.
void OverviewChannelsTest::all_channels_of_the_file_are_filtered() {
  open_overview();
  QVERIFY(together());
  f_->document.runner().set_to_all_channels(true);
  QTest::keyClick(f_->window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  CropDialog* dialog = nullptr;
  QVERIFY(QTest::qWaitFor(
      [&] { return (dialog = f_->window->findChild<CropDialog*>()) != nullptr; }, 60000));
  dialog->set_box({{16, 32, 32}, {48, 64, 96}});
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                    Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  // Each channel's box has steps of its own.
  f_->document.runner().set_to_all_channels(false);
  const auto smooth = [](double sigma) {
    return Operation{"gaussian", {{"sigma", std::array<double, 3>{sigma, sigma, sigma}}}};
  };
  const int time = current().recipe.time;
  for (const std::size_t channel : {1U, 0U}) {
    const Item box = f_->document.items().all()[1 + channel];
    QCOMPARE(box.recipe.channel, static_cast<int>(channel));
    f_->document.items().set_current(box.id);
    QVERIFY(f_->document.runner().apply(smooth(1.0 + static_cast<double>(channel))) != 0);
    QVERIFY(f_->settle());
  }
  QCOMPARE(f_->document.items().all().size(), std::size_t{5});
  QCOMPARE(current().recipe.channel, 0);
  f_->document.runner().set_to_all_channels(true);
  f_->window->findChild<QAction*>(QStringLiteral("apply_to_whole"))->trigger();
  auto* file = f_->window->findChild<QFileDialog*>();
  QVERIFY(file != nullptr);
  auto* name = file->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  name->setText(f_->file("all.apr"));
  QTest::keyClick(name, Qt::Key_Return);
  QVERIFY(f_->settle());
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{6});
  const auto info = inspect(f_->file("all.apr").toStdString());
  QVERIFY(info.ok());
  QCOMPARE(info->channels, (std::vector<std::string>{"GFP", "mCherry"}));
  for (int channel = 0; channel < kParts; ++channel) {
    const auto made = load(*info, {channel, 0});
    QVERIFY(made.ok());
    const Apr& whole = particles_[static_cast<std::size_t>(channel + kParts * time)];
    const auto wanted =
        execute({smooth(1.0 + channel)}, Dataset::create(Data{whole}), *cpu_backend());
    QVERIFY(wanted.ok());
    QVERIFY(std::get<Apr>(*made).main_field()->values == wanted->data->apr().main_field()->values);
  }
}

void OverviewChannelsTest::what_was_chosen_while_all_is_read_is_shown() {
  f_->document.opener().large_files().set_at_once(kNotEnough);
  write_parts(f_->file("parts.apr"));
  bool asked = false;
  connect(&f_->document.items(), &ItemList::current_changed, f_->window.get(), [&] {
    const Item* item = f_->document.items().current();
    if (item == nullptr || asked) return;
    asked = file_level(*item).has_value();
    f_->document.opener().select(item->id, {1, 1});
  });
  QVERIFY(f_->drop({f_->file("parts.apr")}));
  QVERIFY(asked);
  QTRY_VERIFY(!file_level(current()));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QCOMPARE(current().selection, (SourceSelection{1, 1}));
  QVERIFY(current().dataset->size() == kWhole && current().recipe.steps.empty());
  QCOMPARE(current().recipe.time, 1);
  QCOMPARE(current().dataset->probe({30, 40, 50}).value, pixels(1, 1).at(30, 40, 50));
}

void OverviewChannelsTest::a_workspace_knows_the_other_parts() {
  open_overview();
  // What was exported is another part than the one that is shown by then.
  f_->document.exporter().export_item(current().id, f_->file("level.tif"), {});
  QVERIFY(f_->settle());
  QVERIFY(!current().saved_as.empty());
  f_->document.opener().select(current().id, {1, 0});
  QVERIFY(f_->settle());
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  WindowFixture again;
  QVERIFY(again.drop({f_->file("w.aprscope")}));
  const Item* item = again.document.items().current();
  QVERIFY(item != nullptr && file_level(*item) == file_level(current()));
  QCOMPARE(item->selection, (SourceSelection{1, 0}));
  QCOMPARE(item->dataset->probe({1, 2, 3}).value, current().dataset->probe({1, 2, 3}).value);
  again.document.opener().select(item->id, {0, 1});
  QVERIFY(again.settle());
  item = again.document.items().current();
  QCOMPARE(item->selection, (SourceSelection{0, 1}));
  QVERIFY(item->dataset->size() == current().dataset->size());
}

APRSCOPE_GUI_TESTS(OverviewChannelsTest)
#include "overview_channels_test.moc"
