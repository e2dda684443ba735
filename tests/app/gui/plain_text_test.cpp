// Names from files are shown as they are: nothing in them is obeyed as HTML.
#include <QLabel>
#include <QMessageBox>
#include <QTimer>
#include <QToolTip>

#include "app/gui/widgets/may_replace.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class PlainTextTest : public QObject {
  Q_OBJECT

 private slots:
  void no_label_guesses();
  void tool_tips_are_plain();
  void questions_are_plain();
  void rich_text_on_purpose_stays();
};

namespace {

const QString kName = QStringLiteral("<b>bold<h1>");

// Qt would take such a name for HTML.
bool looks_rich() { return Qt::mightBeRichText(kName); }

}  // namespace

void PlainTextTest::no_label_guesses() {
  QVERIFY(looks_rich());
  WindowFixture f;
  const QString path = f.file("<b>bold<h1>.tif");
  write_block_tiff(path, {8, 16, 24}, {4, 8, 12});
  QVERIFY(f.drop({path}));
  QCOMPARE(f.document.items().current()->name, kName);
  QVERIFY(f.settle());
  int labels = 0;
  for (const QLabel* label : f.window->findChildren<QLabel*>()) {
    if (!label->isVisible()) continue;
    QVERIFY2(label->textFormat() != Qt::AutoText, qPrintable(label->text()));
    ++labels;
  }
  QVERIFY(labels > 5);
}

void PlainTextTest::tool_tips_are_plain() {
  WindowFixture f;
  QToolTip::showText(f.window->mapToGlobal(QPoint(50, 50)), kName, f.window.get());
  bool found = false;
  for (const QWidget* widget : QApplication::topLevelWidgets()) {
    const auto* label = qobject_cast<const QLabel*>(widget);
    if (label == nullptr || !label->inherits("QTipLabel") || !label->isVisible()) continue;
    QCOMPARE(label->text(), kName);
    QCOMPARE(label->textFormat(), Qt::PlainText);
    found = true;
  }
  QVERIFY(found);
}

void PlainTextTest::questions_are_plain() {
  WindowFixture f;
  const QString path = f.file("<b>bold<h1>.tif");
  write_block_tiff(path, {8, 16, 24}, {4, 8, 12});
  bool asked = false;
  QTimer::singleShot(0, this, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(box != nullptr);
    for (const QLabel* label : box->findChildren<QLabel*>()) {
      if (!label->text().contains(kName)) continue;
      QCOMPARE(label->textFormat(), Qt::PlainText);
      asked = true;
    }
    box->reject();
  });
  QVERIFY(!may_replace(f.window.get(), path));
  QVERIFY(asked);
}

void PlainTextTest::rich_text_on_purpose_stays() {
  WindowFixture f;
  QLabel rich(QStringLiteral("<b>bold</b>"));
  rich.setTextFormat(Qt::RichText);
  rich.show();
  QCOMPARE(rich.textFormat(), Qt::RichText);
  f.trigger("about");
  const auto* box = f.window->findChild<QMessageBox*>();
  QVERIFY(box != nullptr);
  QCOMPARE(box->textFormat(), Qt::RichText);
}

APRSCOPE_GUI_TESTS(PlainTextTest)
#include "plain_text_test.moc"
