// Corrections that cost what they change.
#include <QElapsedTimer>
#include <QHeaderView>
#include <QProcess>
#include <QTableView>
#include <QUndoStack>
#include <algorithm>

#include "app/gui/widgets/curve_view.hpp"
#include "tests/app/gui/cells_views_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

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

}  // namespace

class CellsCorrectionsTest : public CellsViewsFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void corrections_share_the_pixels_and_are_undone_to_the_same_bytes();
  void the_command_line_repeats_corrections_to_the_same_bytes();
  void a_double_click_corrects_nothing();
  void a_stroke_of_the_brush_is_one_step();
  void a_correction_reaches_slice_and_table();
  void a_correction_leaves_the_rest_as_it_is();
  void a_drag_over_a_wall_merges();
};

void CellsCorrectionsTest::corrections_share_the_pixels_and_are_undone_to_the_same_bytes() {
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

void CellsCorrectionsTest::the_command_line_repeats_corrections_to_the_same_bytes() {
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

void CellsCorrectionsTest::a_double_click_corrects_nothing() {
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

void CellsCorrectionsTest::a_stroke_of_the_brush_is_one_step() {
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
void CellsCorrectionsTest::a_correction_reaches_slice_and_table() {
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
void CellsCorrectionsTest::a_correction_leaves_the_rest_as_it_is() {
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

void CellsCorrectionsTest::a_drag_over_a_wall_merges() {
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

APRSCOPE_GUI_TESTS(CellsCorrectionsTest)
#include "cells_corrections_test.moc"
