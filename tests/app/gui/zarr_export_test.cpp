// Channels and time points that are exported as OME-Zarr through the dialog, with the colours and
// contrasts of the window, and open again as they were shown.
#include "app/gui/document/zarr_export.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QRadioButton>

#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/export_dialog.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "tests/app/gui/channels_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ZarrExportTest : public ChannelsFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void what_is_shown_opens_again_as_it_was();
  void one_channel_alone_and_the_newer_version();
  void results_are_written_for_all_of_their_file();
  void channels_made_by_other_steps_are_written_so();
  void one_channel_has_the_colour_of_its_map();

 private:
  ExportDialog* ask_zarr();
  void type(const char* field, const QString& text);
  bool write(ExportDialog& dialog, const char* name);
  SourceInfo info_of(const char* name);
};

// The dialog, with OME-Zarr chosen by the mouse.
ExportDialog* ZarrExportTest::ask_zarr() {
  f_->trigger("export");
  auto* dialog = f_->window->findChild<ExportDialog*>();
  if (dialog == nullptr || !QTest::qWaitForWindowExposed(dialog)) return nullptr;
  auto* zarr = dialog->findChild<QRadioButton*>(QStringLiteral("export_zarr"));
  auto* version = dialog->findChild<QComboBox*>(QStringLiteral("export_zarr_version"));
  if (version->isEnabled()) return nullptr;
  QTest::mouseClick(zarr, Qt::LeftButton, {}, QPoint(8, zarr->height() / 2));
  return zarr->isChecked() && version->isEnabled() ? dialog : nullptr;
}

void ZarrExportTest::type(const char* field, const QString& text) {
  auto* number = child<RealField>(QString::fromLatin1(field));
  number->setFocus();
  QTest::keyClick(number, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(number, text);
  QTest::keyClick(number, Qt::Key_Return);
}

bool ZarrExportTest::write(ExportDialog& dialog, const char* name) {
  auto* path = dialog.findChild<QLineEdit*>(QStringLiteral("export_path"));
  path->setFocus();
  path->selectAll();
  QTest::keyClicks(path, f_->file(name));
  QTest::keyClick(path, Qt::Key_Return);
  // The dialog goes when the events are done; another one is not mistaken for it.
  const bool gone =
      QTest::qWaitFor([this] { return f_->window->findChild<ExportDialog*>() == nullptr; }, 60000);
  return gone && f_->settle() && QFileInfo(f_->file(name)).isDir();
}

SourceInfo ZarrExportTest::info_of(const char* name) {
  auto info = inspect(f_->file(name).toStdString());
  if (!info) qWarning("%s", info.error().message().c_str());
  return info ? *std::move(info) : SourceInfo{};
}

void ZarrExportTest::what_is_shown_opens_again_as_it_was() {
  QVERIFY(open());
  QVERIFY(together());
  pick_colour(1, QStringLiteral("Blue"));
  QVERIFY(f_->settle());
  type("channel_high_1", QStringLiteral("6000"));
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 128)));

  ExportDialog* dialog = ask_zarr();
  QVERIFY(dialog != nullptr);
  auto* all = dialog->findChild<QCheckBox*>(QStringLiteral("export_zarr_parts"));
  QVERIFY(all->isVisible() && all->isEnabled() && all->isChecked());
  QCOMPARE(all->text(), QStringLiteral("all 2 channels and 2 time points"));
  QVERIFY(write(*dialog, "out.ome.zarr"));

  const SourceInfo info = info_of("out.ome.zarr");
  QCOMPARE(info.format, std::string("OME-Zarr 0.4"));
  QCOMPARE(info.channels, (std::vector<std::string>{"GFP", "mCherry"}));
  QCOMPARE(info.times, 2);
  for (int channel = 0; channel < 2; ++channel) {
    for (int time = 0; time < 2; ++time) {
      const auto part = load(info, {channel, time});
      QVERIFY(part.ok());
      const auto& volume = std::get<Volume>(*part);
      QVERIFY(volume.size() == (Size3{16, 24, 32}));
      for (std::int64_t x = 0; x < 24; ++x) {
        for (std::int64_t y = 0; y < 32; ++y) {
          QCOMPARE(volume.value({8, x, y}), static_cast<float>(value_at(time, channel, x, y)));
        }
      }
    }
  }
  QVERIFY(f_->drop({f_->file("out.ome.zarr")}));
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  f_->document.view().set_crosshair({8, 2, 2});
  QVERIFY(f_->settle());
  if (!Channels::shown(*f_->document.items().current())) QVERIFY(together());
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
  QVERIFY(near(kSecond, QColor(0, 26, 128)));
  QVERIFY(near(kBoth, QColor(0, 255, 128)));
}

void ZarrExportTest::one_channel_alone_and_the_newer_version() {
  QVERIFY(open());
  QVERIFY(together());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_name_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  ExportDialog* dialog = ask_zarr();
  QVERIFY(dialog != nullptr);
  auto* all = dialog->findChild<QCheckBox*>(QStringLiteral("export_zarr_parts"));
  QTest::mouseClick(all, Qt::LeftButton, {}, QPoint(8, all->height() / 2));
  QVERIFY(!all->isChecked());
  auto* version = dialog->findChild<QComboBox*>(QStringLiteral("export_zarr_version"));
  QCOMPARE(version->currentIndex(), 0);
  version->setFocus();
  QTest::keyClick(version, Qt::Key_Down);
  QVERIFY(version->currentText().contains(QStringLiteral("0.5")));
  QVERIFY(write(*dialog, "one.zarr"));
  const SourceInfo info = info_of("one.zarr");
  QCOMPARE(info.format, std::string("OME-Zarr 0.5"));
  QCOMPARE(info.channels, std::vector<std::string>{"mCherry"});
  QCOMPARE(info.times, 1);
  QVERIFY(info.hints == (std::vector<ChannelHint>{{Rgb{255, 0, 255}, {{0.0, 3000.0}}}}));
}

void ZarrExportTest::results_are_written_for_all_of_their_file() {
  QVERIFY(open("two.apr"));
  QVERIFY(f_->document.runner().apply(*parse_stencil_spec("gaussian:sigma=1")) != 0);
  QVERIFY(f_->settle());
  const auto wanted = execute({{"reconstruct", {}}}, f_->document.items().current()->dataset,
                              f_->document.backend());
  QVERIFY(wanted.ok());
  const int channel = f_->document.items().current()->recipe.channel;
  ExportDialog* dialog = ask_zarr();
  QVERIFY(dialog != nullptr);
  QVERIFY(write(*dialog, "smooth.ome.zarr"));
  const SourceInfo info = info_of("smooth.ome.zarr");
  QCOMPARE(info.channels.size(), std::size_t{2});
  QCOMPARE(info.times, 1);
  const auto part = load(info, {channel, 0});
  QVERIFY(part.ok());
  QVERIFY(std::get<Volume>(*part).to_float().values == wanted->data->volume().to_float().values);
  // Green and magenta, as channels are shown that have no colours of their own.
  QVERIFY(info.hints[0].colour == (Rgb{0, 255, 0}));
  QVERIFY(info.hints[1].colour == (Rgb{255, 0, 255}));
}

// One channel was filtered with another sigma than the one that is chosen.
void ZarrExportTest::channels_made_by_other_steps_are_written_so() {
  QVERIFY(open());
  QVERIFY(together());
  const std::uint64_t original = f_->document.items().current_id();
  std::map<int, std::vector<float>> wanted;
  for (const int channel : {0, 1}) {
    f_->document.items().set_current(original);
    f_->document.opener().select(original, {channel, 0});
    QVERIFY(f_->settle());
    const char* spec = channel == 0 ? "box:size=3" : "box:size=5";
    QVERIFY(f_->document.runner().apply(*parse_stencil_spec(spec)) != 0);
    QVERIFY(f_->settle());
    wanted[channel] = f_->document.items().current()->dataset->volume().to_float().values;
  }
  QVERIFY(Channels::shown(*f_->document.items().current()));
  ExportDialog* dialog = ask_zarr();
  QVERIFY(dialog != nullptr);
  QVERIFY(write(*dialog, "boxes.ome.zarr"));
  const SourceInfo info = info_of("boxes.ome.zarr");
  for (const int channel : {0, 1}) {
    const auto part = load(info, {channel, 0});
    QVERIFY(part.ok());
    QVERIFY(std::get<Volume>(*part).to_float().values == wanted[channel]);
  }
}

void ZarrExportTest::one_channel_has_the_colour_of_its_map() {
  write_block_tiff(f_->file("block.tif"), {12, 20, 24}, {6, 8, 10});
  QVERIFY(f_->drop({f_->file("block.tif")}));
  const std::uint64_t id = f_->document.items().current_id();
  const auto hint_with = [&](const char* map, const char* name) -> ChannelHint {
    f_->document.items().change(id, [map](Item& item) {
      item.display.colormap = map;
      item.display.contrast = Contrast{50.0, 2000.0, 1.0};
    });
    ExportDialog* dialog = ask_zarr();
    if (dialog == nullptr) return {};
    if (dialog->findChild<QCheckBox*>(QStringLiteral("export_zarr_parts"))->isVisible()) return {};
    if (!write(*dialog, name)) return {};
    const SourceInfo info = info_of(name);
    return info.hints.empty() ? ChannelHint{} : info.hints.front();
  };
  const std::array<double, 2> window{50.0, 2000.0};
  QVERIFY(hint_with("grey", "a.zarr") == (ChannelHint{Rgb{255, 255, 255}, window}));
  QVERIFY(hint_with("magenta", "b.zarr") == (ChannelHint{Rgb{255, 0, 255}, window}));
  // One that was imported, such as Red.lut of ImageJ.
  ColorTable red{};
  for (std::size_t i = 0; i < red.size(); ++i) red[i] = {static_cast<std::uint8_t>(i), 0, 0, 255};
  const std::string imported = add_colormap("Red", red);
  QVERIFY(hint_with(imported.c_str(), "d.zarr") == (ChannelHint{Rgb{255, 0, 0}, window}));
  // No single colour says this one.
  QVERIFY(hint_with("viridis", "c.zarr") == (ChannelHint{Rgb{255, 255, 255}, window}));
}

APRSCOPE_GUI_TESTS(ZarrExportTest)
#include "zarr_export_test.moc"
