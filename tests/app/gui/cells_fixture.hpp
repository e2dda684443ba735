#pragma once

#include <QAbstractButton>
#include <cstdint>
#include <memory>
#include <utility>

#include "app/gui/document/label_choice.hpp"
#include "app/gui/panels/cells_panel.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace aprscope::gui::test {

/// Columns of 18 × 18 pixels between walls of 2 pixels, `across` of them along x and y each, in so
/// many slices.
inline Volume tissue(std::int64_t across, std::int64_t slices) {
  constexpr std::int64_t kPitch = 20;
  const std::int64_t side = across * kPitch;
  Pixels<std::uint16_t> pixels(Size3{slices, side, side});
  const auto wall = [](std::int64_t i) { return i % kPitch == 0 || i % kPitch == kPitch - 1; };
  for (std::int64_t z = 0; z < slices; ++z) {
    for (std::int64_t x = 0; x < side; ++x) {
      for (std::int64_t y = 0; y < side; ++y) {
        pixels.at(z, x, y) = static_cast<std::uint16_t>(wall(x) || wall(y) ? 3000 : 100);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "tissue";
  volume.voxel = {1.0, 0.5, 0.5, "µm"};
  return volume;
}

/// A window with such a tissue, driven by mouse and keys.
class CellsWindow {
 public:
  explicit CellsWindow(std::int64_t across = 2, std::int64_t slices = 12) {
    const QString path = window.file("tissue.tif");
    opened = write_tiff(tissue(across, slices), path.toStdString()).ok() && window.drop({path});
  }

  WindowFixture window;
  bool opened = false;

  Document& document() { return window.document; }
  MeasurementView& view() { return window.window->measurement_view(); }
  const Table& table() { return view().table().table(); }
  const std::vector<std::uint32_t>& chosen() { return window.window->labels().chosen(); }
  const Labels* labels() {
    const Item* item = document().items().current();
    return item != nullptr ? item->dataset->labels().get() : nullptr;
  }
  std::uint32_t label(const Index3& p) {
    const Size3 n = document().items().current()->dataset->size();
    return labels()->values[static_cast<std::size_t>((p.z * n.x + p.x) * n.y + p.y)];
  }
  template <class Widget>
  Widget* find(const char* name) {
    return window.window->findChild<Widget*>(QLatin1String(name));
  }
  void press(const char* name) { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
  QPoint place(std::int64_t x, std::int64_t y) {
    return window.slice(Axis::z)
        .to_widget(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5)
        .toPoint();
  }
  void click(std::int64_t x, std::int64_t y, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseClick(&window.slice(Axis::z), Qt::LeftButton, keys, place(x, y));
  }
  void open_panel() {
    QTest::keyClick(window.window.get(), Qt::Key_F11, Qt::ControlModifier);
    QTRY_COMPARE(window.window->shown_panel(), QStringLiteral("cells"));
  }
  void find_cells(std::size_t expected) {
    open_panel();
    QVERIFY(window.settle());
    press("cells_apply");
    QVERIFY(window.settle());
    QTRY_VERIFY(labels() != nullptr && view().isVisible() && table().rows() == expected);
    QVERIFY(window.settle());
  }
};

}  // namespace aprscope::gui::test
