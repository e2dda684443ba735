// Numbers of a file that does not fit into memory: those of the overview at once, those of all of
// its particles when asked for.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "app/gui/panels/measure_panel.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{64, 96, 128};
// Less than the particles take, more than a level of them.
constexpr std::uint64_t kLittle = 100'000;
const Index3 kBright{40, 70, 90};

double mean_of(const Measurement& found) {
  return std::get<std::vector<double>>(found.tables.front().column("mean")->cells).front();
}

}  // namespace

class LargeMeasureTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void all_particles_of_the_file_are_measured();
  void a_box_is_one_of_the_file();
  void a_workspace_measures_them_again();
  void what_needs_all_in_memory_is_not_offered();

 private:
  // Opens the panel of measurements on the overview, statistics chosen.
  void open_overview();
  void measure_whole();
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  // What the program finds in all particles, in memory.
  Measurement in_memory(const Operation& operation);
  const Item& current() { return *f_->document.items().current(); }

  std::unique_ptr<WindowFixture> f_;
  QString path_;
};

void LargeMeasureTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), kSize, kBright);
  auto image = load_file(f_->file("block.tif").toStdString());
  QVERIFY(image.ok());
  auto made = execute({{"convert", {}}}, Dataset::create(*std::move(image)), *cpu_backend());
  QVERIFY(made.ok());
  AprWriteOptions options;
  options.with_tree = true;
  path_ = f_->file("large.apr");
  QVERIFY(write_apr(made->data->apr(), path_.toStdString(), options).ok());
}

void LargeMeasureTest::open_overview() {
  LargeFiles& large = f_->document.opener().large_files();
  large.set_memory(kLittle);
  QVERIFY(f_->drop({path_}));
  QVERIFY(file_level(current()));
  // Parts are no thinner than the coarsest cells of a slab.
  large.set_memory(50'000'000);
  QVERIFY(f_->window->show_panel(QStringLiteral("measure")));
  auto* choice = find<QComboBox>("measure_choice");
  choice->setFocus();
  QTest::keyClicks(choice, QStringLiteral("stat"));
  QVERIFY(f_->settle());
}

void LargeMeasureTest::measure_whole() {
  auto* whole = find<QPushButton>("measure_whole");
  QVERIFY(whole->isVisible());
  QTest::mouseClick(whole, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(current().is_measurement());
}

Measurement LargeMeasureTest::in_memory(const Operation& operation) {
  auto all = load_file(path_.toStdString());
  if (!all) qFatal("%s", all.error().message().c_str());
  auto found = cpu_backend()->measure(operation, *Dataset::create(*std::move(all)), {});
  if (!found) qFatal("%s", found.error().message().c_str());
  return *std::move(found);
}

void LargeMeasureTest::all_particles_of_the_file_are_measured() {
  open_overview();
  QCOMPARE(find<QLabel>("measure_note")->text(), QStringLiteral("Of the overview that is shown."));
  const std::uint64_t overview = current().id;
  measure_whole();
  const Item& made = current();
  QCOMPARE(made.name, QStringLiteral("Histogram and statistics (whole file)"));
  QCOMPARE(made.parent, overview);
  // One step, on the file itself.
  QCOMPARE(made.recipe.steps.size(), std::size_t{1});
  QCOMPARE(made.recipe.input, path_.toStdString());
  const Measurement expected = in_memory(made.recipe.steps.front());
  QCOMPARE(mean_of(*made.measurement), mean_of(expected));
  QVERIFY(made.measurement->tables.front().columns.size() ==
          expected.tables.front().columns.size());
  // The overview stays beside the numbers, which an edit does not replace by those of it.
  QCOMPARE(find<QLabel>("measure_note")->text(),
           QStringLiteral("Of the whole file; after an edit, measure it again."));
  QVERIFY(!find<QPushButton>("measure_keep")->isEnabled());
  QVERIFY(!made.source);
  QVERIFY(made.dataset == f_->document.items().find(overview)->dataset);
  // What is made of it begins with the level, also where that was removed.
  f_->document.items().set_current(overview);
  f_->trigger("remove");
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  const Item data = f_->document.items().data_of(f_->document.items().all().front());
  QVERIFY(file_level(data));
}

void LargeMeasureTest::a_box_is_one_of_the_file() {
  open_overview();
  const std::uint64_t overview = current().id;
  const int side = 1 << (7 - *file_level(current()));
  const Size3 size = current().dataset->size();
  auto* form = f_->window->findChild<MeasurePanel*>()->form();
  // All but the first plane of the level, in its pixels.
  const QString box = QStringLiteral("1:%1,0:%2,0:%3").arg(size.z).arg(size.x).arg(size.y);
  auto* field = form->findChild<QLineEdit*>(QStringLiteral("region"));
  QVERIFY(field != nullptr);
  field->setFocus();
  QTest::keyClicks(field, box);
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(f_->settle());
  measure_whole();
  const auto region = [](const Operation& of) {
    return std::get<std::string>(of.parameters.at("region"));
  };
  const Operation made = current().recipe.steps.front();
  QCOMPARE(region(made), QStringLiteral("%1:64,0:96,0:128").arg(side).toStdString());
  QCOMPARE(mean_of(*current().measurement), mean_of(in_memory(made)));
  // Measured again, the box is that of the file as it is; the overview has no such box.
  measure_whole();
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  QVERIFY(current().recipe.steps.front() == made);
  f_->document.items().set_current(overview);
  QVERIFY(f_->settle());
  QCOMPARE(region(form->operation()), std::string());
}

void LargeMeasureTest::a_workspace_measures_them_again() {
  open_overview();
  measure_whole();
  const double mean = mean_of(*current().measurement);
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  WindowFixture again;
  again.document.opener().large_files().set_memory(kLittle);
  QVERIFY(again.drop({f_->file("w.aprscope")}));
  QTRY_COMPARE(again.document.items().all().size(), std::size_t{2});
  const Item& numbers = again.document.items().all()[1];
  QVERIFY(numbers.is_measurement());
  QVERIFY(numbers.beside_level != 0);
  QCOMPARE(mean_of(*numbers.measurement), mean);
  QVERIFY(numbers.dataset == again.document.items().all()[0].dataset);
  // Without the overview, its level is read again.
  again.document.items().set_current(again.document.items().all()[0].id);
  again.trigger("remove");
  QVERIFY(again.settle());
  QVERIFY(again.window->save_workspace_to(again.file("v.aprscope")).ok());
  WindowFixture third;
  QVERIFY(third.drop({again.file("v.aprscope")}));
  QTRY_COMPARE(third.document.items().all().size(), std::size_t{1});
  const Item& alone = third.document.items().all().front();
  QCOMPARE(mean_of(*alone.measurement), mean);
  QVERIFY(!alone.is_apr());
  QVERIFY(alone.dataset->size() == f_->document.items().all()[0].dataset->size());
}

void LargeMeasureTest::what_needs_all_in_memory_is_not_offered() {
  // Nor is anything where the particles fit.
  QVERIFY(f_->drop({path_}));
  QVERIFY(current().is_apr());
  QVERIFY(f_->window->show_panel(QStringLiteral("measure")));
  QVERIFY(f_->settle());
  QVERIFY(!find<QPushButton>("measure_whole")->isVisible());
  QVERIFY(find<QPushButton>("measure_keep")->isVisible());
  open_overview();
  // Not typed: that would go on with the word before.
  auto* choice = find<QComboBox>("measure_choice");
  choice->setCurrentIndex(choice->findData(QStringLiteral("topology")));
  QVERIFY(f_->settle());
  QVERIFY(find<QPushButton>("measure_whole")->isVisible());
  auto* form = f_->window->findChild<MeasurePanel*>()->form();
  auto* pieces = form->findChild<QCheckBox*>(QStringLiteral("betti"));
  QVERIFY(pieces != nullptr);
  QTest::mouseClick(pieces, Qt::LeftButton, {}, {8, pieces->height() / 2});
  QVERIFY(f_->settle());
  QVERIFY(!find<QPushButton>("measure_whole")->isVisible());
}

APRSCOPE_GUI_TESTS(LargeMeasureTest)
#include "large_measure_test.moc"
