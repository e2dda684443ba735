// Cells in 3-D, and corrections that cost what they change.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>
#include <algorithm>

#include <qcustomplot.h>

#include "app/gui/widgets/curve_view.hpp"
#include "tests/app/gui/cells_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// How many pixels of a picture are coloured, and the mean brightness of these.
struct Coloured {
  int count = 0;
  double brightness = 0.0;
};

// How often a widget was hidden, or given another size.
class HideCounter : public QObject {
 public:
  explicit HideCounter(QWidget& widget) : widget_(widget) { widget.installEventFilter(this); }
  ~HideCounter() override { widget_.removeEventFilter(this); }
  [[nodiscard]] int count() const { return count_; }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Hide || event->type() == QEvent::Resize) ++count_;
    return false;
  }

 private:
  QWidget& widget_;
  int count_ = 0;
};

Coloured coloured(QWidget& widget) {
  const QImage shot = widget.grab().toImage();
  Coloured out;
  for (int y = 0; y < shot.height(); ++y) {
    for (int x = 0; x < shot.width(); ++x) {
      const QColor color = shot.pixelColor(x, y);
      if (color.hsvSaturation() < 60 || color.value() < 40) continue;
      ++out.count;
      out.brightness += color.value();
    }
  }
  if (out.count > 0) out.brightness /= out.count;
  return out;
}

}  // namespace

class CellsViewsTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void surfaces_of_cells_are_shown_in_3d_and_clicked();
  void a_projection_has_the_colours_of_its_cells();
  void cells_of_particles_are_shown_in_3d();
  void a_correction_is_clicked_in_3d();
  void corrections_share_the_pixels_and_are_undone_to_the_same_bytes();
  void the_command_line_repeats_corrections_to_the_same_bytes();
  void a_double_click_corrects_nothing();
  void a_stroke_of_the_brush_is_one_step();
  void a_correction_reaches_slice_and_table();
  void a_correction_leaves_the_rest_as_it_is();
  void enter_goes_to_the_next_suspicious_cell();
  void the_status_line_tells_of_the_cell_under_the_pointer();
  void a_range_of_the_histogram_chooses_its_cells();
  void any_column_has_a_histogram();
  void a_drag_over_a_wall_merges();
  void cells_lie_over_other_data_of_the_same_size();
  void cells_of_other_data_go_and_change_with_it();

 private:
  MipView& mip() { return w_->window.window->views().mip(); }
  void show_in_3d(const char* how) {
    auto* choice = w_->find<QComboBox>("cells_in_3d");
    QVERIFY(choice != nullptr);
    choice->setFocus();
    QTest::keyClicks(choice, QLatin1String(how));
    QCOMPARE(choice->currentText(), QLatin1String(how));
    QVERIFY(w_->window.settle());
  }
  // Where the first slice has a pixel, seen from the front.
  QPoint in_3d(std::int64_t x, std::int64_t y) {
    return mip()
        .to_widget(0.0, static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5)
        .toPoint();
  }
  QByteArray bytes_of(const char* name) {
    QFile file(w_->window.file(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::unique_ptr<CellsWindow> w_;
};

void CellsViewsTest::init() {
  w_ = std::make_unique<CellsWindow>();
  QVERIFY(w_->opened);
}

void CellsViewsTest::cleanup() { w_.reset(); }

void CellsViewsTest::surfaces_of_cells_are_shown_in_3d_and_clicked() {
  w_->find_cells(4);
  mip().navigation().set_preset(MipPreset::front);
  QVERIFY(w_->window.settle());
  const int before = coloured(mip()).count;
  show_in_3d("Surfaces");
  QTRY_VERIFY(mip().shows_labels());
  QTRY_VERIFY(coloured(mip()).count > before + 5000);
  // A click there chooses the cell and its row, and goes to it; Shift adds another.
  QTest::mouseClick(&mip(), Qt::LeftButton, {}, in_3d(8, 30));
  QTRY_COMPARE(w_->chosen(), std::vector<std::uint32_t>{w_->label({0, 8, 30})});
  QTRY_COMPARE(w_->view().table().chosen_rows().size(), std::size_t{1});
  QCOMPARE(w_->document().view().crosshair().z, std::int64_t{0});
  QVERIFY(std::abs(w_->document().view().crosshair().y - 30) <= 2);
  QVERIFY(w_->window.settle());
  QTest::mouseClick(&mip(), Qt::LeftButton, Qt::ShiftModifier, in_3d(30, 30));
  QTRY_COMPARE(w_->chosen(), (std::vector<std::uint32_t>{
                                 std::min(w_->label({0, 8, 30}), w_->label({0, 30, 30})),
                                 std::max(w_->label({0, 8, 30}), w_->label({0, 30, 30}))}));
  // The others are like glass: darker, as far as they do not lie before or behind.
  QVERIFY(w_->window.settle());
  const QImage shot = mip().grab().toImage();
  const double ratio = shot.devicePixelRatio();
  QTRY_VERIFY(w_->window.settle());
  const auto value = [&](std::int64_t x, std::int64_t y) {
    return mip().grab().toImage().pixelColor((QPointF(in_3d(x, y)) * ratio).toPoint()).value();
  };
  QTRY_VERIFY(value(30, 34) > value(34, 5) + 60);
  // All of them are cut by the border.
  w_->press("cells_whole_only");
  QVERIFY(w_->window.settle());
  QTRY_VERIFY(coloured(mip()).count < before + 500);
  show_in_3d("Off");
  QTRY_VERIFY(!mip().shows_labels());
}

void CellsViewsTest::a_projection_has_the_colours_of_its_cells() {
  w_->find_cells(4);
  show_in_3d("Coloured");
  QTRY_VERIFY(mip().shows_labels());
  QTRY_VERIFY(coloured(mip()).count > 1000);
  // Off with all cells.
  w_->press("cells_shown");
  QTRY_VERIFY(!mip().shows_labels());
}

void CellsViewsTest::cells_of_particles_are_shown_in_3d() {
  QVERIFY(w_->document().runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(w_->window.settle());
  w_->open_panel();
  QVERIFY(w_->window.settle());
  w_->press("cells_apply");
  QVERIFY(w_->window.settle());
  QTRY_VERIFY(w_->labels() != nullptr);
  mip().navigation().set_preset(MipPreset::front);
  const int before = coloured(mip()).count;
  show_in_3d("Surfaces");
  QTRY_VERIFY(mip().shows_labels());
  QTRY_VERIFY(coloured(mip()).count > before + 5000);
  QTest::mouseClick(&mip(), Qt::LeftButton, {}, in_3d(30, 10));
  QTRY_COMPARE(w_->chosen().size(), std::size_t{1});
}

void CellsViewsTest::a_correction_is_clicked_in_3d() {
  w_->find_cells(4);
  mip().navigation().set_preset(MipPreset::front);
  show_in_3d("Surfaces");
  QTRY_VERIFY(mip().shows_labels());
  w_->press("correct_delete");
  QTest::mouseClick(&mip(), Qt::LeftButton, {}, in_3d(8, 8));
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QCOMPARE(w_->label({0, 8, 8}), 0U);
}

void CellsViewsTest::corrections_share_the_pixels_and_are_undone_to_the_same_bytes() {
  w_->find_cells(4);
  const Item* original = &w_->document().items().all().front();
  QVERIFY(w_->document().items().current()->dataset->shares_values(*original->dataset));
  const std::vector<std::uint32_t> first = w_->labels()->values;
  w_->press("correct_delete");
  QVERIFY(w_->window.settle());
  std::vector<std::vector<std::uint32_t>> states{first};
  const std::pair<std::int64_t, std::int64_t> places[] = {{8, 8}, {8, 30}, {30, 8}};
  for (const auto& [x, y] : places) {
    w_->click(x, y);
    QTRY_COMPARE(w_->table().rows(), 4 - states.size());
    QVERIFY(w_->window.settle());
    states.push_back(w_->labels()->values);
    QVERIFY(w_->document().items().current()->dataset->shares_values(*original->dataset));
  }
  QCOMPARE(states.back()[0], 0U);
  // The third found the copy before the second free.
  const int copies = w_->document().corrections().amended_labels().copies();
  QVERIFY2(copies <= 3, qPrintable(QString::number(copies)));
  QUndoStack& undo = w_->document().undo_stack();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t back = states.size() - 1; back-- > 0;) {
      undo.undo();
      QVERIFY(w_->labels()->values == states[back]);
      QTRY_COMPARE(w_->table().rows(), 4 - back);
      QVERIFY(w_->window.settle());
      QCOMPARE(w_->document().items().current()->recipe.steps.size(), back + 1);
    }
    for (std::size_t next = 1; next < states.size(); ++next) {
      undo.redo();
      QVERIFY(w_->labels()->values == states[next]);
      QTRY_COMPARE(w_->table().rows(), 4 - next);
      QVERIFY(w_->window.settle());
    }
  }
  // The table, which looked at what changed only, is that of all labels.
  const auto whole = cpu_backend()->measure(
      *complete({"cells", {}}), *Dataset::create(w_->document().items().current()->dataset->copy()),
      {});
  QVERIFY(whole.ok());
  QCOMPARE(w_->table().rows(), whole->tables.front().rows());
  for (std::size_t c = 0; c < w_->table().columns.size(); ++c) {
    for (std::size_t r = 0; r < w_->table().rows(); ++r) {
      QCOMPARE(QString::fromStdString(cell_text(w_->table().columns[c], r)),
               QString::fromStdString(cell_text(whole->tables.front().columns[c], r)));
    }
  }
}

void CellsViewsTest::the_command_line_repeats_corrections_to_the_same_bytes() {
  w_->find_cells(4);
  w_->press("correct_merge");
  w_->click(8, 8);
  w_->click(8, 30);
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  w_->press("correct_split");
  w_->click(8, 8);
  w_->click(8, 30);
  w_->press("correct_done");
  QTRY_COMPARE(w_->table().rows(), std::size_t{4});
  w_->press("correct_erase");
  w_->click(30, 30);
  w_->press("correct_delete");
  w_->click(30, 8);
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QVERIFY(w_->window.settle());
  // One taken back and done again is one.
  w_->document().undo_stack().undo();
  w_->document().undo_stack().redo();
  QVERIFY(w_->window.settle());
  QCOMPARE(w_->document().items().current()->recipe.steps.size(), std::size_t{5});
  const std::uint64_t id = w_->document().items().current()->id;
  QVERIFY(w_->document().exporter().export_item(id, w_->window.file("steps.json")) != 0);
  ExportOptions labels;
  labels.labels = true;
  QVERIFY(w_->document().exporter().export_item(id, w_->window.file("window.tif"), labels) != 0);
  QVERIFY(w_->window.settle());
  QCOMPARE(
      QProcess::execute(command_line_program(),
                        {QStringLiteral("run"), w_->window.file("steps.json"), QStringLiteral("-o"),
                         w_->window.file("replayed.tif"), QStringLiteral("--quiet")}),
      0);
  QVERIFY(!bytes_of("window.tif").isEmpty());
  QVERIFY(bytes_of("window.tif") == bytes_of("replayed.tif"));
}

void CellsViewsTest::a_double_click_corrects_nothing() {
  w_->find_cells(4);
  const std::vector<std::uint32_t> before = w_->labels()->values;
  w_->press("correct_delete");
  SliceView& slice = w_->window.slice(Axis::z);
  const QPoint at = w_->place(8, 8);
  QTest::mousePress(&slice, Qt::LeftButton, {}, at);
  QTest::mouseRelease(&slice, Qt::LeftButton, {}, at);
  QTest::mouseDClick(&slice, Qt::LeftButton, {}, at);
  QVERIFY(w_->window.settle());
  QTRY_COMPARE(w_->table().rows(), std::size_t{4});
  QVERIFY(w_->labels()->values == before);
  QCOMPARE(w_->document().items().current()->recipe.steps.size(), std::size_t{1});
  QVERIFY(w_->window.window->views().maximised() == ViewPlace::xy);
  // The next click is one again.
  QTest::mouseClick(&slice, Qt::LeftButton, {}, w_->place(30, 30));
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
}

void CellsViewsTest::a_stroke_of_the_brush_is_one_step() {
  w_->find_cells(4);
  const std::uint32_t left = w_->label({5, 8, 8});
  const std::int64_t z = w_->document().view().crosshair().z;
  w_->press("correct_paint");
  const Index3 crosshair = w_->document().view().crosshair();
  SliceView& slice = w_->window.slice(Axis::z);
  QTest::mousePress(&slice, Qt::LeftButton, {}, w_->place(8, 8));
  QTest::mouseMove(&slice, w_->place(8, 20));
  QTest::mouseMove(&slice, w_->place(8, 33));
  QTest::mouseRelease(&slice, Qt::LeftButton, {}, w_->place(8, 33));
  QTRY_COMPARE(w_->document().items().current()->recipe.steps.size(), std::size_t{2});
  for (std::int64_t y = 8; y <= 33; ++y) QCOMPARE(w_->label({z, 8, y}), left);
  QVERIFY(w_->label({z, 13, 33}) != left);
  // It did not move the crosshair, and the next stroke begins in a cell of its own.
  QCOMPARE(w_->document().view().crosshair(), crosshair);
  QVERIFY(w_->window.settle());
  const std::uint32_t below = w_->label({z, 30, 8});
  QTest::mousePress(&slice, Qt::LeftButton, {}, w_->place(30, 8));
  QTest::mouseMove(&slice, w_->place(25, 8));
  QTest::mouseMove(&slice, w_->place(14, 8));
  QTest::mouseRelease(&slice, Qt::LeftButton, {}, w_->place(14, 8));
  QTRY_COMPARE(w_->label({z, 14, 8}), below);
}

// APRSCOPE_CELLS_SIDE=512 gives the figure for a large image.
void CellsViewsTest::a_correction_reaches_slice_and_table() {
  bool asked = false;
  const int side = qEnvironmentVariableIntValue("APRSCOPE_CELLS_SIDE", &asked);
  const std::int64_t across = asked ? std::max(2, side / 20) : 5;
  w_.reset();
  w_ = std::make_unique<CellsWindow>(across, asked ? side : 20);
  QVERIFY(w_->opened);
  const auto cells = static_cast<std::size_t>(across * across);
  w_->find_cells(cells);
  w_->press("correct_delete");
  QVERIFY(w_->window.settle());
  std::vector<qint64> took;
  for (int k = 0; k < 5; ++k) {
    const std::int64_t at = 10 + 20 * (k % across);
    const std::size_t rows = w_->table().rows();
    bool slice = false;
    bool table = false;
    QElapsedTimer clock;
    QEventLoop loop;
    const auto check = [&] {
      table = table || w_->table().rows() == rows - 1;
      if (slice && table) loop.quit();
    };
    const auto one = connect(
        &w_->window.window->views().feed(), &SliceFeed::picture_ready, this,
        [&](const SlicePicture& picture) {
          if (picture.axis != Axis::z || picture.labels.values.empty()) return;
          slice =
              slice ||
              picture.labels.values[static_cast<std::size_t>(at * picture.labels.cols + 10)] == 0;
          check();
        });
    QTimer poll;
    connect(&poll, &QTimer::timeout, this, check);
    QTimer::singleShot(60000, &loop, &QEventLoop::quit);
    clock.start();
    poll.start(1);
    w_->click(at, 10);
    if (!slice || !table) loop.exec();
    took.push_back(clock.elapsed());
    disconnect(one);
    QVERIFY(slice && table);
    QVERIFY(w_->window.settle());
  }
  std::sort(took.begin(), took.end());
  qInfo(
      "%lld x %lld x %lld pixels, %zu cells: correction to slice and table %lld ms (median of 5; "
      "%lld to %lld), labels copied %d times",
      static_cast<long long>(asked ? side : 20), static_cast<long long>(20 * across),
      static_cast<long long>(20 * across), cells, took[2], took.front(), took.back(),
      w_->document().corrections().amended_labels().copies());
  // With room for a machine with much else to do.
  QVERIFY(took[2] < 5000);
}

// The table stays in its place, sorted as it was, and nothing is computed that labels do not
// change.
void CellsViewsTest::a_correction_leaves_the_rest_as_it_is() {
  w_.reset();
  w_ = std::make_unique<CellsWindow>(4, 12);
  QVERIFY(w_->opened);
  w_->find_cells(16);
  auto* cells = w_->find<QTableView>("table_cells");
  QHeaderView* header = cells->horizontalHeader();
  const int x = header->sectionViewportPosition(0) + 8;
  for (int clicks = 0; clicks < 2; ++clicks) {
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, header->height() / 2));
  }
  const auto first_label = [&] { return cells->model()->index(0, 0).data().toString(); };
  QTRY_COMPARE(first_label(), QStringLiteral("16"));
  header->resizeSection(1, header->sectionSize(1) + 37);
  const int wide = header->sectionSize(1);
  w_->press("correct_delete");
  QVERIFY(w_->window.settle());
  QStringList jobs;
  const auto listen =
      connect(&w_->document().background(), &JobBridge::job_changed, this,
              [&](const JobStatus& status) { jobs << QString::fromStdString(status.title); });
  const auto watched = std::make_unique<HideCounter>(w_->view());
  w_->click(10, 10);
  QTRY_COMPARE(w_->table().rows(), std::size_t{15});
  QVERIFY(w_->window.settle());
  disconnect(listen);
  QVERIFY(jobs.contains(QStringLiteral("Measuring")));
  QVERIFY2(jobs.filter(QStringLiteral("stimating")).isEmpty(), qPrintable(jobs.join(u',')));
  QCOMPARE(watched->count(), 0);
  QCOMPARE(first_label(), QStringLiteral("16"));
  QCOMPARE(header->sectionSize(1), wide);
}

void CellsViewsTest::enter_goes_to_the_next_suspicious_cell() {
  w_->find_cells(4);
  w_->press("correct_next");
  QTRY_COMPARE(w_->chosen().size(), std::size_t{1});
  const auto first = w_->chosen();
  // In the bar and in a slice.
  QTest::keyClick(w_->find<QAbstractButton>("correct_next"), Qt::Key_Return);
  QTRY_VERIFY(w_->chosen().size() == 1 && w_->chosen() != first);
  const auto second = w_->chosen();
  QTest::keyClick(&w_->window.slice(Axis::z), Qt::Key_Return);
  QTRY_VERIFY(w_->chosen().size() == 1 && w_->chosen() != second);
}

void CellsViewsTest::the_status_line_tells_of_the_cell_under_the_pointer() {
  w_->find_cells(4);
  QVERIFY(move_pointer(w_->window.slice(Axis::z), w_->place(8, 8)));
  auto* value = w_->find<QLabel>("status_value");
  const QString cell = QStringLiteral("cell %1: ").arg(w_->label({0, 8, 8}));
  QTRY_VERIFY2(value->text().contains(cell), qPrintable(value->text()));
  QVERIFY2(value->text().contains(QStringLiteral("µm³ (border)")), qPrintable(value->text()));
}

void CellsViewsTest::a_range_of_the_histogram_chooses_its_cells() {
  w_->find_cells(4);
  auto& plot = w_->view().curve().plot();
  const auto drag = [&](double from, double to) {
    const int y = plot.axisRect()->center().y();
    const QPoint a(qRound(plot.xAxis->coordToPixel(from)), y);
    const QPoint b(qRound(plot.xAxis->coordToPixel(to)), y);
    QTest::mousePress(&plot, Qt::LeftButton, {}, a);
    QTest::mouseMove(&plot, (a + b) / 2);
    QTest::mouseMove(&plot, b);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, b);
  };
  // All four have about 1200 µm³.
  drag(1000.0, 1300.0);
  QTRY_COMPARE(w_->chosen().size(), std::size_t{4});
  QTRY_COMPARE(w_->view().table().chosen_rows().size(), std::size_t{4});
  drag(200.0, 700.0);
  QTRY_VERIFY(w_->chosen().empty());
}

void CellsViewsTest::any_column_has_a_histogram() {
  w_->find_cells(4);
  auto* curves = w_->find<QComboBox>("measurement_curves");
  QVERIFY(curves->isVisible());
  curves->setFocus();
  // Of places in the image: two cells have lower ones of each.
  const auto shown = [&] { return w_->view().curve().curve().x.id; };
  for (int i = 0; i < curves->count() && shown() != "y"; ++i) QTest::keyClick(curves, Qt::Key_Down);
  QCOMPARE(shown(), std::string("y"));
  QCOMPARE(curves->currentText(), QStringLiteral("Centroid y (px)"));
  auto& plot = w_->view().curve().plot();
  const int y = plot.axisRect()->center().y();
  const QPoint a(qRound(plot.xAxis->coordToPixel(8.0)), y);
  const QPoint b(qRound(plot.xAxis->coordToPixel(20.0)), y);
  QTest::mousePress(&plot, Qt::LeftButton, {}, a);
  QTest::mouseMove(&plot, (a + b) / 2);
  QTest::mouseMove(&plot, b);
  QTest::mouseRelease(&plot, Qt::LeftButton, {}, b);
  QTRY_COMPARE(w_->chosen().size(), std::size_t{2});
  for (const std::uint32_t label : w_->chosen()) {
    QVERIFY(label == w_->label({5, 8, 8}) || label == w_->label({5, 30, 8}));
  }
  // It stays when the table changes.
  w_->press("correct_merge");
  w_->click(8, 8);
  w_->click(30, 8);
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QVERIFY(w_->window.settle());
  QCOMPARE(w_->view().curve().curve().x.id, std::string("y"));
}

void CellsViewsTest::a_drag_over_a_wall_merges() {
  w_->find_cells(4);
  w_->press("correct_merge");
  SliceView& slice = w_->window.slice(Axis::z);
  const auto drag = [&](const QPoint& from, const QPoint& to) {
    QTest::mousePress(&slice, Qt::LeftButton, {}, from);
    QTest::mouseMove(&slice, (from + to) / 2);
    QTest::mouseMove(&slice, to);
    QTest::mouseRelease(&slice, Qt::LeftButton, {}, to);
  };
  drag(w_->place(8, 8), w_->place(8, 33));
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QCOMPARE(w_->label({5, 8, 8}), w_->label({5, 8, 33}));
  QVERIFY(w_->window.settle());
  // Within one cell there is nothing to merge; clicks do as before.
  drag(w_->place(30, 6), w_->place(30, 12));
  QVERIFY(w_->window.settle());
  QCOMPARE(w_->table().rows(), std::size_t{3});
  w_->click(30, 8);
  w_->click(30, 33);
  QTRY_COMPARE(w_->table().rows(), std::size_t{2});
}

void CellsViewsTest::cells_lie_over_other_data_of_the_same_size() {
  w_->find_cells(4);
  const auto cells = w_->document().items().current()->dataset->labels();
  QVERIFY(!w_->find<QComboBox>("cells_of")->isVisible() ||
          w_->find<QComboBox>("cells_of")->count() > 1);
  QVERIFY(write_tiff(tissue(2, 12), w_->window.file("other.tif").toStdString()).ok());
  QVERIFY(w_->window.drop({w_->window.file("other.tif")}));
  QVERIFY(w_->document().items().current()->dataset->labels() == nullptr);
  auto* of = w_->find<QComboBox>("cells_of");
  QTRY_COMPARE(of->count(), 2);
  of->setFocus();
  QTest::keyClick(of, Qt::Key_Down);
  QVERIFY(w_->window.settle());
  QVERIFY(w_->document().labels().labels() == cells);
  QCOMPARE(w_->window.picture(Axis::z).labels.values.size(), std::size_t{1600});
  // Of an image of another size there are none.
  write_block_tiff(w_->window.file("block.tif"), {4, 6, 8}, {1, 2, 3});
  QVERIFY(w_->window.drop({w_->window.file("block.tif")}));
  QVERIFY(w_->document().labels().labels() != cells);
  QTRY_COMPARE(of->count(), 1);
}

void CellsViewsTest::cells_of_other_data_go_and_change_with_it() {
  w_->find_cells(4);
  const std::uint64_t cells = w_->document().items().current()->id;
  w_->press("correct_delete");
  w_->click(8, 8);
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QVERIFY(write_tiff(tissue(2, 12), w_->window.file("other.tif").toStdString()).ok());
  QVERIFY(w_->window.drop({w_->window.file("other.tif")}));
  auto* of = w_->find<QComboBox>("cells_of");
  QTRY_COMPARE(of->count(), 2);
  of->setFocus();
  QTest::keyClick(of, Qt::Key_Down);
  QVERIFY(w_->window.settle());
  QCOMPARE(w_->document().labels().other(), cells);
  const auto value = [&] { return w_->window.picture(Axis::z).labels.values; };
  QTRY_COMPARE(value().size(), std::size_t{1600});
  QCOMPARE(value()[8 * 40 + 8], 0U);
  // A correction there that is taken back is seen here.
  const std::uint64_t current = w_->document().items().current()->id;
  w_->document().items().change(cells, [&](Item& item) {
    auto labels = std::make_shared<Labels>(*item.dataset->labels());
    labels->values.assign(labels->values.size(), 1);
    item.dataset = item.dataset->with_labels(labels, {}, {});
  });
  QVERIFY(w_->window.settle());
  QTRY_COMPARE(value()[8 * 40 + 8], 1U);
  // Closed, it takes its cells with it.
  QSignalSpy spy(&w_->document().labels(), &ShownLabels::changed);
  w_->document().edits().close(cells);
  QCOMPARE(w_->document().items().current()->id, current);
  QCOMPARE(w_->document().labels().other(), 0U);
  QVERIFY(spy.count() > 0);
  QVERIFY(w_->window.settle());
  QTRY_VERIFY(value().empty());
}

APRSCOPE_GUI_TEST_MAIN(CellsViewsTest)
#include "cells_views_test.moc"
