// Messages and tool tips: they cover nothing, move nothing, leave, and can be read.
#include <QAbstractButton>
#include <QDesktopServices>
#include <QHelpEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScreen>
#include <QToolTip>

#include "app/gui/widgets/short_text.hpp"
#include "app/gui/widgets/show_in_folder.hpp"
#include "app/gui/window/message_bar.hpp"
#include "app/gui/window/message_log.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class LooksMessagesTest : public QObject {
  Q_OBJECT

 public slots:
  void folder_opened(const QUrl& url) { opened_ << url.toLocalFile(); }

 private slots:
  void init();
  void cleanup();
  void a_message_covers_and_moves_nothing_data();
  void a_message_covers_and_moves_nothing();
  void information_leaves_by_itself();
  void an_error_leaves_after_the_next_success();
  void what_the_pointer_is_on_stays();
  void missed_messages_can_be_read();
  void what_does_not_fit_is_in_the_tool_tip();
  void an_export_offers_its_folder();
  void long_tool_tips_are_wrapped();
  void paths_in_tool_tips_are_whole();
  void tool_tips_stay_on_the_screen();

 private:
  MessageBar& bar() { return f_->window->message_bar(); }
  static QLabel* tip();

  std::unique_ptr<WindowFixture> f_;
  QStringList opened_;
};

namespace {

QRect in_window(const QWidget& widget) {
  return {widget.mapTo(widget.window(), QPoint(0, 0)), widget.size()};
}

const QString kLong = QStringLiteral(
    "The image cannot be written there: the folder does not exist or is not yours. Choose another "
    "place, or ask whoever owns it");

}  // namespace

void LooksMessagesTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), {8, 32, 48}, {4, 16, 24});
  QVERIFY(f_->drop({f_->file("block.tif")}));
}

void LooksMessagesTest::cleanup() {
  QToolTip::hideText();
  f_.reset();
}

QLabel* LooksMessagesTest::tip() {
  for (QWidget* widget : QApplication::topLevelWidgets()) {
    if (widget->inherits("QTipLabel") && widget->isVisible()) return qobject_cast<QLabel*>(widget);
  }
  return nullptr;
}

void LooksMessagesTest::a_message_covers_and_moves_nothing_data() {
  QTest::addColumn<int>("width");
  for (const int width : {1000, 1280, 1600}) QTest::addRow("%d", width) << width;
}

void LooksMessagesTest::a_message_covers_and_moves_nothing() {
  QFETCH(int, width);
  f_->window->resize(width, 800);
  QTest::qWait(50);
  ViewsArea& views = f_->window->views();
  std::vector<QRect> before;
  for (const ViewPlace place : {ViewPlace::xy, ViewPlace::mip, ViewPlace::yz, ViewPlace::xz}) {
    before.push_back(in_window(views.view(place)));
  }
  for (const MessageKind kind : {MessageKind::info, MessageKind::warning, MessageKind::error}) {
    f_->document.messages().say(kind, kLong);
    QTest::qWait(30);
    QVERIFY(bar().isVisible());
    QCOMPARE(f_->window->width(), width);
    const QRect message = in_window(bar());
    QVERIFY(f_->window->rect().contains(message));
    std::size_t i = 0;
    for (const ViewPlace place : {ViewPlace::xy, ViewPlace::mip, ViewPlace::yz, ViewPlace::xz}) {
      const QRect view = in_window(views.view(place));
      QVERIFY(!message.intersects(view));
      QCOMPARE(view, before[i++]);
    }
    for (const QAbstractButton* button : f_->window->findChildren<QAbstractButton*>()) {
      if (!button->isVisible() || bar().isAncestorOf(button)) continue;
      QVERIFY2(!message.intersects(in_window(*button)), qPrintable(button->objectName()));
    }
    // All of it can be read.
    QVERIFY(bar().findChild<ShortText*>()->complete() || width < 1280);
  }
  bar().hide();
  QTest::qWait(30);
  QCOMPARE(in_window(views.view(ViewPlace::xy)), before[0]);
}

void LooksMessagesTest::information_leaves_by_itself() {
  bar().set_pace(0.02);
  f_->document.messages().say(MessageKind::info, QStringLiteral("done"));
  QCOMPARE(bar().text(), QStringLiteral("done"));
  QTRY_VERIFY_WITH_TIMEOUT(!bar().isVisible(), 5000);
  // The figures about the image are back in its place.
  QVERIFY(f_->window->findChild<QWidget*>(QStringLiteral("estimate_bar"))->isVisible());
}

void LooksMessagesTest::an_error_leaves_after_the_next_success() {
  bar().set_pace(0.05);
  f_->document.messages().say(MessageKind::error, kLong);
  // Longer than information stays.
  QTest::qWait(600);
  QVERIFY(bar().isVisible());
  f_->document.edits().set_automatic_contrast(f_->document.items().current()->id);
  DisplaySettings display = f_->document.items().current()->display;
  display.colormap = "green";
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QTRY_VERIFY_WITH_TIMEOUT(!bar().isVisible(), 1500);
  // What went well at once after it does not take it away unread.
  bar().set_pace(1.0);
  f_->document.messages().say(MessageKind::error, kLong);
  display.colormap = "magenta";
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QTest::qWait(300);
  QVERIFY(bar().isVisible());
}

void LooksMessagesTest::what_the_pointer_is_on_stays() {
  bar().set_pace(0.1);
  f_->document.messages().say(MessageKind::info, QStringLiteral("to be read"));
  QTest::qWait(50);
  QTest::mouseMove(f_->window.get(), QPoint(3, 3));
  QTest::mouseMove(&bar(), QPoint(30, 10));
  QTRY_VERIFY(bar().underMouse());
  QTest::qWait(900);
  QVERIFY(bar().isVisible());
  QTest::mouseMove(f_->window.get(), QPoint(3, 3));
  QTRY_VERIFY_WITH_TIMEOUT(!bar().isVisible(), 5000);
}

void LooksMessagesTest::missed_messages_can_be_read() {
  MessageLog& log = *f_->window->findChild<MessageLog*>();
  QVERIFY(!log.isVisible());
  f_->document.messages().say(MessageKind::warning, QStringLiteral("the <b>first</b>"));
  f_->document.messages().say(MessageKind::info, QStringLiteral("the second"));
  bar().hide();
  QVERIFY(log.isVisible());
  QTest::mouseClick(&log, Qt::LeftButton);
  auto* popup = log.findChild<QWidget*>(QStringLiteral("message_log_popup"));
  QVERIFY(popup != nullptr && popup->isVisible());
  const QString text = popup->findChild<QPlainTextEdit*>()->toPlainText();
  const auto first = text.indexOf(QStringLiteral("the <b>first</b>"));
  const auto second = text.indexOf(QStringLiteral("the second"));
  QVERIFY2(second >= 0 && first > second, qPrintable(text));
  QVERIFY(popup->screen()->geometry().contains(popup->geometry()));
  QTest::keyClick(popup, Qt::Key_Escape);
  QTRY_VERIFY(log.findChild<QWidget*>(QStringLiteral("message_log_popup")) == nullptr);
}

void LooksMessagesTest::what_does_not_fit_is_in_the_tool_tip() {
  QString text;
  for (int i = 0; i < 100; ++i) text += QStringLiteral("word%1 ").arg(i);
  f_->document.messages().say(MessageKind::error, text);
  QTest::qWait(30);
  auto* label = bar().findChild<ShortText*>();
  QVERIFY(!label->complete());
  QCOMPARE(label->toolTip(), text);
  f_->document.messages().say(MessageKind::error, QStringLiteral("short"));
  QVERIFY(label->complete());
  QVERIFY(label->toolTip().isEmpty());
}

void LooksMessagesTest::an_export_offers_its_folder() {
  QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "folder_opened");
  opened_.clear();
  f_->window->export_to(f_->file("out.tif"), {});
  QVERIFY(f_->settle());
  QVERIFY2(bar().text().contains(QStringLiteral("out.tif")), qPrintable(bar().text()));
  auto* offer = bar().findChild<QAbstractButton*>(QStringLiteral("message_offer"));
  QVERIFY(offer->isVisible());
  QTest::mouseClick(offer, Qt::LeftButton);
  const QString folder = QString::fromStdString(f_->folder().path().string());
  QCOMPARE(opened_, QStringList{folder});
  // The folder of pictures of a movie is shown itself.
  QVERIFY(show_in_folder(folder));
  QCOMPARE(opened_.back(), folder);
  QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
}

void LooksMessagesTest::long_tool_tips_are_wrapped() {
  QWidget& list = *f_->window->findChild<QWidget*>(QStringLiteral("history"));
  QString text;
  for (int i = 0; i < 40; ++i) text += QStringLiteral("<i>words to read %1 ").arg(i);
  // As it comes when the pointer rests, and again for another widget while one is shown.
  for (QWidget* widget : {&list, static_cast<QWidget*>(f_->window.get())}) {
    widget->setToolTip(text);
    const QPoint at(20, 20);
    QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &help);
    QTRY_VERIFY(tip() != nullptr);
    const QLabel* shown = tip();
    QCOMPARE(shown->text(), text);
    QCOMPARE(shown->textFormat(), Qt::PlainText);
    const int letter = shown->fontMetrics().averageCharWidth();
    QVERIFY2(shown->width() < 75 * letter, qPrintable(QString::number(shown->width() / letter)));
    // All lines have room.
    QVERIFY(shown->height() >= shown->heightForWidth(shown->width()) - 2);
  }
  QToolTip::hideText();
  QTRY_VERIFY(tip() == nullptr);
  QToolTip::showText(f_->window->mapToGlobal(QPoint(50, 50)), QStringLiteral("short"));
  QTRY_VERIFY(tip() != nullptr);
  QVERIFY(tip()->height() < 3 * tip()->fontMetrics().lineSpacing());
}

void LooksMessagesTest::paths_in_tool_tips_are_whole() {
  const QString path = QStringLiteral("/a/") + QString(120, QLatin1Char('x'));
  QToolTip::showText(f_->window->mapToGlobal(QPoint(50, 50)), path);
  QTRY_VERIFY(tip() != nullptr);
  QVERIFY(tip()->width() >= tip()->fontMetrics().horizontalAdvance(path));
}

void LooksMessagesTest::tool_tips_stay_on_the_screen() {
  const QRect screen = f_->window->screen()->availableGeometry();
  for (const QPoint& corner :
       {screen.topRight() + QPoint(-5, 5), screen.bottomRight() - QPoint(5, 5),
        screen.bottomLeft() + QPoint(5, -5)}) {
    QToolTip::hideText();
    QTRY_VERIFY(tip() == nullptr);
    QToolTip::showText(corner, QStringLiteral("many words ").repeated(40));
    QTRY_VERIFY(tip() != nullptr);
    QTRY_VERIFY(screen.contains(tip()->geometry()));
    QVERIFY(!tip()->geometry().contains(corner));
  }
}

APRSCOPE_GUI_TESTS(LooksMessagesTest)
#include "looks_messages_test.moc"
