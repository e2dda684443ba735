// Sides that are not of the same are named, and compared only when that was chosen.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <cmath>

#include "app/gui/panels/compare_panel.hpp"
#include "app/gui/widgets/profile_plot.hpp"
#include "app/gui/window/message_bar.hpp"
#include "tests/app/gui/compare_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CompareUnlikeTest : public CompareFixture {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void a_result_of_another_channel_is_not_measured_unasked();
  void what_is_alike_is_found_first();
  void one_and_the_same_is_refused();
  void a_line_of_a_larger_image_goes();

 private:
  template <class Widget>
  Widget& panel(const char* name) {
    return *compare_panel().findChild<Widget*>(QLatin1String(name));
  }
  QString psnr() { return compare_panel().metric_text(QStringLiteral("psnr"), 0); }
};

void CompareUnlikeTest::a_result_of_another_channel_is_not_measured_unasked() {
  write_series_apr(f_->file("series.apr"));
  QVERIFY(f_->drop({f_->file("series.apr")}));
  const std::uint64_t original = f_->document.items().current()->id;
  QVERIFY(f_->document.runner().apply(*complete({"box", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t result = f_->document.items().current()->id;
  f_->document.items().set_current(original);
  auto* channel = f_->window->findChild<QSlider*>(QStringLiteral("channel_slider"));
  channel->setFocus();
  QTest::keyClick(channel, Qt::Key_Right);
  // A slider that is moved asks for a channel when it rests.
  QTRY_COMPARE(f_->document.items().find(original)->selection.channel, 1);
  QVERIFY(f_->settle());
  f_->document.items().set_current(result);
  QTest::keyClick(f_->window.get(), Qt::Key_F9);
  QVERIFY(settle());
  QVERIFY(comparison().active());
  auto& unlike = panel<QLabel>("compare_unlike");
  QVERIFY(unlike.isVisible());
  QVERIFY2(unlike.text().contains(QStringLiteral("channel (A 2, B 1)")), qPrintable(unlike.text()));
  QCOMPARE(psnr(), QStringLiteral("–"));
  QVERIFY(!area().feed().volume_metrics().metrics);
  QVERIFY(area().feed().picture()->difference.values.empty());
  // Said to be wanted, they are measured, and still named.
  QTest::mouseClick(&panel<QPushButton>("compare_accept"), Qt::LeftButton);
  QVERIFY(settle());
  QTRY_VERIFY2(psnr().contains(QStringLiteral("dB")), qPrintable(psnr()));
  QVERIFY(unlike.isVisible());
  QVERIFY(!panel<QPushButton>("compare_accept").isVisible());
  // Of one channel again, there is nothing to name.
  f_->document.opener().select(original, {0, 0});
  QVERIFY(f_->settle());
  QVERIFY(settle());
  QVERIFY2(!unlike.isVisible(), qPrintable(unlike.text()));
}

void CompareUnlikeTest::what_is_alike_is_found_first() {
  write_block_tiff(f_->file("small.tif"), {12, 24, 48}, {5, 10, 15});
  write_block_tiff(f_->file("large.tif"), size_, bright_);
  write_block_tiff(f_->file("other.tif"), size_, other_);
  QVERIFY(f_->drop({f_->file("small.tif")}));
  QVERIFY(f_->drop({f_->file("large.tif")}));
  QVERIFY(f_->drop({f_->file("other.tif")}));
  // Before it begins, the panel shows what it would be.
  QTest::keyClick(f_->window.get(), Qt::Key_F9);
  QVERIFY(settle());
  QCOMPARE(comparison().a()->name, QStringLiteral("large"));
  QCOMPARE(comparison().b()->name, QStringLiteral("other"));
  QVERIFY(!panel<QLabel>("compare_unlike").isVisible());
  QTRY_VERIFY(psnr().contains(QStringLiteral("dB")));
}

void CompareUnlikeTest::one_and_the_same_is_refused() {
  open();
  compare_blocks(CompareMode::side_by_side);
  const std::uint64_t a = comparison().a()->id;
  const std::uint64_t b = comparison().b()->id;
  auto& choice = panel<QComboBox>("compare_a");
  choice.setFocus();
  QTest::keyClick(&choice, Qt::Key_Down);
  QVERIFY(settle());
  QVERIFY2(f_->window->message_bar().text().contains(QStringLiteral("one and the same")),
           qPrintable(f_->window->message_bar().text()));
  QCOMPARE(comparison().a()->id, a);
  QCOMPARE(comparison().b()->id, b);
  QCOMPARE(choice.currentData().toULongLong(), static_cast<qulonglong>(a));
}

void CompareUnlikeTest::a_line_of_a_larger_image_goes() {
  open();
  compare_blocks(CompareMode::side_by_side);
  f_->trigger("compare_line_action");
  SliceView& left = area().left();
  drag(left, left.to_widget(20.5, 10.5).toPoint(), left.to_widget(20.5, 80.5).toPoint());
  QVERIFY(comparison().settings().line.has_value());
  write_block_tiff(f_->file("small.tif"), {12, 24, 48}, {5, 10, 15});
  QVERIFY(f_->drop({f_->file("small.tif")}));
  // The small image beside the large one: nothing is plotted of what lies outside of it.
  QVERIFY(settle());
  QCOMPARE(comparison().b()->name, QStringLiteral("small"));
  const std::vector<double>& values = area().profile().b().values;
  QVERIFY(!values.empty());
  QVERIFY(std::isnan(values.back()));
  QVERIFY(!std::isnan(values.front()));
  // As the reference, it has no such line.
  QTest::keyClick(f_->window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(settle());
  QCOMPARE(comparison().a()->name, QStringLiteral("small"));
  QVERIFY(!comparison().settings().line.has_value());
}

APRSCOPE_GUI_TESTS(CompareUnlikeTest)
#include "compare_unlike_test.moc"
