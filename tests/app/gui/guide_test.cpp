// The guide in the window: the pages of resources/docs, read and followed with the mouse.
#include <QDesktopServices>
#include <QDirIterator>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

#include "app/gui/help/guide_pages.hpp"
#include "app/gui/help/guide_window.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class GuideTest : public QObject {
  Q_OBJECT

 public slots:
  void catch_url(const QUrl& url) { opened_ << url; }

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void anchors_are_those_of_links();
  void remarks_of_tests_are_left_out();
  void the_menu_opens_its_contents();
  void links_lead_to_pages_and_back();
  void a_link_to_a_heading_shows_it();
  void other_files_open_outside();
  void every_page_is_read_and_its_pictures_fit();

 private:
  GuideWindow* guide() { return f_->window->findChild<GuideWindow*>(); }
  QTextBrowser& page() { return *guide()->page(); }
  void open() {
    f_->trigger("guide");
    QVERIFY(guide() != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(guide()));
  }
  QString title() { return page().document()->begin().text(); }
  void press(const char* button) {
    auto* found = guide()->findChild<QToolButton*>(QLatin1String(button));
    QVERIFY(found != nullptr);
    QVERIFY(found->isEnabled());
    QTest::mouseClick(found, Qt::LeftButton);
  }
  // Scrolls to the first link to an address, as a reader does, and clicks it.
  bool click_link(const QString& address) {
    QTextDocument& document = *page().document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
      for (auto it = block.begin(); !it.atEnd(); ++it) {
        if (it.fragment().charFormat().anchorHref() != address) continue;
        QTextCursor cursor(&document);
        cursor.setPosition(it.fragment().position() + 1);
        QScrollBar& bar = *page().verticalScrollBar();
        bar.setValue(bar.value() + page().cursorRect(cursor).top() - 100);
        const QPoint at = page().cursorRect(cursor).center();
        if (!page().viewport()->rect().contains(at)) return false;
        QTest::mouseMove(page().viewport(), at);
        QTest::mouseClick(page().viewport(), Qt::LeftButton, {}, at);
        return true;
      }
    }
    return false;
  }

  std::unique_ptr<WindowFixture> f_;
  QList<QUrl> opened_;
};

void GuideTest::anchors_are_those_of_links() {
  QCOMPARE(heading_anchor(QStringLiteral("Coarser levels")), QStringLiteral("coarser-levels"));
  QCOMPARE(heading_anchor(QStringLiteral(" How good is my map? ")),
           QStringLiteral("how-good-is-my-map"));
  QCOMPARE(heading_anchor(QStringLiteral("A, B & C-D_e")), QStringLiteral("a-b--c-d_e"));
  QCOMPARE(heading_anchor(QStringLiteral("Größe in µm³")), QStringLiteral("größe-in-µm³"));
}

void GuideTest::remarks_of_tests_are_left_out() {
  QCOMPARE(without_remarks(QStringLiteral("a\n<!-- not run:\nwhy -->\nb <!-- x -->c")),
           QStringLiteral("a\nb c"));
}

void GuideTest::the_menu_opens_its_contents() {
  open();
  QCOMPARE(title(), QStringLiteral("The guide, by task"));
  QVERIFY(page().toPlainText().contains(QStringLiteral("Convert")));
  // Once more it is the same window.
  f_->trigger("guide");
  QCOMPARE(f_->window->findChildren<GuideWindow*>().size(), 1);
}

void GuideTest::links_lead_to_pages_and_back() {
  open();
  QVERIFY(click_link(QStringLiteral("convert.md")));
  QCOMPARE(title(), QStringLiteral("Convert pixels to particles"));
  press("guide_back");
  QCOMPARE(title(), QStringLiteral("The guide, by task"));
  press("guide_forward");
  QCOMPARE(title(), QStringLiteral("Convert pixels to particles"));
  press("guide_contents");
  QCOMPARE(title(), QStringLiteral("The guide, by task"));
}

void GuideTest::a_link_to_a_heading_shows_it() {
  open();
  QVERIFY(click_link(QStringLiteral("filter.md")));
  QCOMPARE(title(), QStringLiteral("Filter"));
  QVERIFY(click_link(QStringLiteral("../command-line.md#filters-as-text")));
  QCOMPARE(title(), QStringLiteral("The command line"));
  const QTextCursor found = page().document()->find(QStringLiteral("Filters as text"));
  QCOMPARE(found.block().text(), QStringLiteral("Filters as text"));
  QVERIFY(page().verticalScrollBar()->value() > 0);
  const int top = page().cursorRect(found).top();
  QVERIFY2(top >= 0 && top < page().viewport()->height() / 2, qPrintable(QString::number(top)));
}

void GuideTest::other_files_open_outside() {
  open();
  QVERIFY(click_link(QStringLiteral("filter.md")));
  QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "catch_url");
  const bool clicked = click_link(QStringLiteral("../../recipes/denoise.json"));
  QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
  QVERIFY(clicked);
  QCOMPARE(opened_.size(), 1);
  QVERIFY(opened_.front().toLocalFile().endsWith(QStringLiteral("recipes/denoise.json")));
  QVERIFY(QFileInfo::exists(opened_.front().toLocalFile()));
  QCOMPARE(title(), QStringLiteral("Filter"));
}

void GuideTest::every_page_is_read_and_its_pictures_fit() {
  open();
  const QString docs =
      QString::fromStdString((aprscope::test::source_dir() / "resources" / "docs").string());
  QDirIterator pages(docs, {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories);
  int read = 0;
  int pictures = 0;
  while (pages.hasNext()) {
    const QString path = pages.next();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString first = QString::fromUtf8(file.readLine()).mid(2).trimmed();
    page().setSource(QUrl::fromLocalFile(path));
    QCOMPARE(title(), first);
    QVERIFY2(!page().toPlainText().contains(QStringLiteral("<!--")), qPrintable(path));
    ++read;
    for (QTextBlock block = page().document()->begin(); block.isValid(); block = block.next()) {
      for (auto it = block.begin(); !it.atEnd(); ++it) {
        const QTextCharFormat format = it.fragment().charFormat();
        if (!format.isImageFormat()) continue;
        const QUrl name = page().source().resolved(QUrl(format.toImageFormat().name()));
        const auto picture =
            page().document()->resource(QTextDocument::ImageResource, name).value<QImage>();
        QVERIFY2(!picture.isNull(), qPrintable(name.toString()));
        QVERIFY(picture.width() <= page().viewport()->width());
        ++pictures;
      }
    }
  }
  QVERIFY(read > 15);
  QVERIFY(pictures > 8);
}

APRSCOPE_GUI_TESTS(GuideTest)
#include "guide_test.moc"
