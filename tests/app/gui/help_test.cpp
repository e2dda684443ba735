// The help page: every "?" opens its place, all words are there, pictures are drawn, links lead
// out.
#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QDockWidget>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>

#include "app/gui/help/help_pictures.hpp"
#include "app/gui/help/help_text.hpp"
#include "app/gui/help/help_window.hpp"
#include "app/gui/window/help_button.hpp"
#include "app/gui/window/panel_tabs.hpp"
#include "app/gui/window/tour.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

int colors_of(const QImage& image) {
  QSet<QRgb> found;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) found.insert(image.pixel(x, y));
  }
  return static_cast<int>(found.size());
}

}  // namespace

class HelpTest : public QObject {
  Q_OBJECT

 public slots:
  void catch_url(const QUrl& url) { opened_ << url; }

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void the_menu_opens_the_beginning();
  void every_tab_opens_its_place();
  void the_question_mark_is_reached_by_keys();
  void data_and_history_open_theirs();
  void the_page_names_all_words();
  void pictures_are_drawn_in_both_themes();
  void the_page_shows_the_pictures();
  void the_page_follows_the_theme();
  void papers_open_in_the_browser();
  void links_and_contents_lead_to_parts();
  void the_contents_follow_the_page();

 private:
  HelpWindow* help() { return f_->window->findChild<HelpWindow*>(); }
  QTextBrowser& page() { return *help()->page(); }
  HelpButton& question_mark() { return static_cast<HelpButton&>(f_->window->panel_help()); }
  // What can be read without scrolling.
  QString visible_text() {
    const QRect area = page().viewport()->rect();
    QTextCursor from = page().cursorForPosition(area.topLeft());
    from.setPosition(page().cursorForPosition(area.bottomRight()).position(),
                     QTextCursor::KeepAnchor);
    return from.selectedText();
  }
  // The page is where it stays: a window that was just shown may still get its size.
  void rest() {
    (void)QTest::qWaitForWindowExposed(help());
    QTest::qWait(30);
  }
  // Whether the title of a part stands in the upper half of the window.
  bool shows(const QString& section) {
    rest();
    const QTextCursor title = page().document()->find(help_title(section));
    // The first is that of the page where a title names the page, too.
    QTextCursor found = title;
    while (!found.isNull() && found.block().text() != help_title(section)) {
      found = page().document()->find(help_title(section), found);
    }
    if (found.isNull()) return false;
    const int top = page().cursorRect(found).top();
    return help()->isVisible() && top >= 0 && top < page().viewport()->height() / 2 &&
           visible_text().contains(help_title(section));
  }
  // Clicks the first link to an address that can be seen.
  bool click_link(const QString& address) {
    rest();
    QTextDocument& document = *page().document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
      for (auto it = block.begin(); !it.atEnd(); ++it) {
        if (it.fragment().charFormat().anchorHref() != address) continue;
        QTextCursor cursor(&document);
        cursor.setPosition(it.fragment().position() + 1);
        const QRect at = page().cursorRect(cursor);
        if (!page().viewport()->rect().contains(at.center())) continue;
        QTest::mouseMove(page().viewport(), at.center());
        QTest::mouseClick(page().viewport(), Qt::LeftButton, {}, at.center());
        return true;
      }
    }
    return false;
  }

  std::unique_ptr<WindowFixture> f_;
  QList<QUrl> opened_;
};

void HelpTest::the_menu_opens_the_beginning() {
  QVERIFY(help() == nullptr);
  QTest::keyClick(f_->window.get(), Qt::Key_F1, Qt::ShiftModifier);
  QVERIFY(help() != nullptr && help()->isVisible());
  QVERIFY(shows(QStringLiteral("about")));
  // Nothing waits for it.
  QVERIFY(!help()->isModal());
  QTest::keyClick(help(), Qt::Key_Escape);
  QVERIFY(!help()->isVisible());
  // Again from where one has gone on reading: back to the beginning.
  f_->trigger("help_page");
  page().verticalScrollBar()->setValue(page().verticalScrollBar()->maximum());
  QVERIFY(!shows(QStringLiteral("about")));
  f_->trigger("help_page");
  QVERIFY(shows(QStringLiteral("about")));
}

void HelpTest::every_tab_opens_its_place() {
  const QStringList sections{"display", "convert", "filter",      "deconvolve",
                             "measure", "cells",   "reconstruct", "compare"};
  PanelTabs& tabs = f_->window->tabs();
  QCOMPARE(tabs.count(), static_cast<int>(sections.size()));
  for (qsizetype i = sections.size() - 1; i >= 0; --i) {
    // A panel and its place on the page have one name.
    const QPoint at = tabs.tab_rect(sections[i]).center();
    const QString title = tabs.tabText(tabs.tabBar()->tabAt(at));
    QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, at);
    QCOMPARE(f_->window->shown_panel(), sections[i]);
    QVERIFY(question_mark().isVisible());
    QVERIFY(question_mark().toolTip().startsWith(QStringLiteral("What is this?")));
    QVERIFY(question_mark().toolTip().contains(title));
    QVERIFY(question_mark().accessibleName().contains(title));
    QTest::mouseClick(&question_mark(), Qt::LeftButton);
    QVERIFY2(shows(sections[i]), qPrintable(sections[i] + QStringLiteral(": ") + visible_text()));
    QCOMPARE(help()->contents()->currentItem()->text(), help_title(sections[i]));
    // The place of one tab is not that of another.
    const QString& other = sections[(i + 2) % sections.size()];
    QVERIFY2(!shows(other), qPrintable(other));
  }
}

void HelpTest::the_question_mark_is_reached_by_keys() {
  QWidget* const window = f_->window.get();
  window->setFocus();
  bool reached = false;
  for (int i = 0; i < 200 && !reached; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    reached = QApplication::focusWidget() == &question_mark();
  }
  QVERIFY(reached);
  QTest::keyClick(&question_mark(), Qt::Key_Space);
  QVERIFY(shows(QStringLiteral("display")));
}

void HelpTest::data_and_history_open_theirs() {
  for (const char* name : {"data_dock", "history_dock"}) {
    auto* const dock = f_->window->findChild<QDockWidget*>(QLatin1String(name));
    auto* const button = dock->findChild<HelpButton*>();
    QVERIFY(button != nullptr && button->isVisible());
    QVERIFY(button->toolTip().contains(dock->windowTitle()));
    // In the title, above what the dock holds, and beside the button that closes it.
    QVERIFY(button->geometry().bottom() <= dock->widget()->geometry().top());
    auto* const close =
        dock->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton"));
    QVERIFY(close != nullptr && close->isVisible());
    QVERIFY(!button->geometry().intersects(close->geometry()));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(shows(QStringLiteral("keeping")));
    help()->hide();
    // It keeps its place where the dock gets another size.
    f_->window->resizeDocks({dock}, {360}, Qt::Horizontal);
    QTRY_VERIFY(dock->width() > 300);
    QVERIFY(button->geometry().left() > dock->width() - 70);
    QVERIFY(!button->geometry().intersects(close->geometry()));
  }
}

void HelpTest::the_page_names_all_words() {
  f_->trigger("help_page");
  const QString text = page().toPlainText();
  for (const char* word : {"pixels",
                           "particle",
                           "Adaptive Particle Representation",
                           "cells",
                           "level",
                           "level map",
                           "CR = pixels ÷ particles",
                           "computational ratio",
                           "relative error E",
                           "| I(y) − Î(y) | ≤ E · σ(y)",
                           "local intensity scale",
                           "smoothed signal",
                           "thresholds",
                           "nothing is promised",
                           "stencil",
                           "restricted",
                           "rescaled",
                           "Richardson–Lucy",
                           "point-spread function",
                           "PSF",
                           "Compare with pixels",
                           "PSNR",
                           "SSIM",
                           "workspace",
                           "recipe",
                           "Export"}) {
    QVERIFY2(text.contains(QString::fromUtf8(word)), word);
  }
  // Nothing of how the text is written is left over.
  for (const char* left : {"{picture", "<p", "href", "&nbsp;"}) {
    QVERIFY2(!text.contains(QLatin1String(left)), left);
  }
}

void HelpTest::pictures_are_drawn_in_both_themes() {
  const QStringList names = help_picture_names();
  QVERIFY(names.size() >= 8);
  std::map<QString, QImage> dark;
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    f_->theme.apply(kind);
    const QPalette palette = QApplication::palette();
    for (const QString& name : names) {
      const QImage image = draw_help_picture(name, palette, QApplication::font(), 1.0);
      QCOMPARE(image.size(), help_picture_size(name));
      const int colors = colors_of(image);
      QVERIFY2(colors > 30, qPrintable(QStringLiteral("%1: %2").arg(name).arg(colors)));
      // On the ground of the page, in each theme its own.
      QCOMPARE(image.pixelColor(image.width() - 1, image.height() - 1),
               palette.color(QPalette::Base));
      if (kind == ThemeKind::dark) {
        dark[name] = image;
      } else {
        QVERIFY(image != dark[name]);
      }
      const QImage sharp = draw_help_picture(name, palette, QApplication::font(), 2.0);
      QCOMPARE(sharp.size(), 2 * help_picture_size(name));
    }
  }
  QVERIFY(draw_help_picture(QStringLiteral("none"), {}, {}, 1.0).isNull());
}

void HelpTest::the_page_shows_the_pictures() {
  f_->trigger("help_page");
  QStringList shown;
  const QTextDocument& document = *page().document();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextImageFormat format = it.fragment().charFormat().toImageFormat();
      if (!format.isValid()) continue;
      const auto image =
          document.resource(QTextDocument::ImageResource, QUrl(format.name())).value<QImage>();
      QVERIFY2(!image.isNull(), qPrintable(format.name()));
      shown << format.name().section(QLatin1Char(':'), -1);
      // None is wider than the page.
      QVERIFY(format.width() <= page().viewport()->width());
    }
  }
  QStringList all = help_picture_names();
  shown.sort();
  all.sort();
  QCOMPARE(shown, all);
  // And on the screen: the map of levels is the most colourful of them.
  help()->open_at(QStringLiteral("levels"));
  QTest::qWait(50);
  const QImage seen = page().viewport()->grab().toImage();
  int strong = 0;
  for (int y = 0; y < seen.height(); ++y) {
    for (int x = 0; x < seen.width(); ++x) {
      const QColor c = seen.pixelColor(x, y);
      strong += c.hsvSaturation() > 150 && c.value() > 150 ? 1 : 0;
    }
  }
  QVERIFY2(strong > 5000, qPrintable(QString::number(strong)));
}

void HelpTest::the_page_follows_the_theme() {
  help();
  f_->trigger("help_page");
  help()->open_at(QStringLiteral("scale"));
  const double before = brightness(page().viewport()->grab().toImage());
  QVERIFY(before < 80.0);
  f_->trigger("theme");
  QTest::qWait(50);
  QVERIFY(brightness(page().viewport()->grab().toImage()) > 180.0);
  // One reads on where one was.
  QVERIFY(shows(QStringLiteral("scale")));
  f_->trigger("theme");
}

void HelpTest::papers_open_in_the_browser() {
  QDesktopServices::setUrlHandler(QStringLiteral("https"), this, "catch_url");
  f_->trigger("help_page");
  help()->open_at(QStringLiteral("papers"));
  QVERIFY(visible_text().contains(help_title(QStringLiteral("papers"))));
  for (const char* address :
       {"https://doi.org/10.1038/s41467-018-07390-9", "https://doi.org/10.1109/TIP.2022.3181487",
        "https://arxiv.org/abs/2112.03592", "https://doi.org/10.1364/JOSA.62.000055",
        "https://doi.org/10.1086/111605"}) {
    opened_.clear();
    QVERIFY2(click_link(QLatin1String(address)), address);
    QVERIFY2(opened_ == QList<QUrl>{QUrl(QLatin1String(address))}, address);
    // The page stays where it is.
    QVERIFY(visible_text().contains(help_title(QStringLiteral("papers"))));
  }
  QDesktopServices::unsetUrlHandler(QStringLiteral("https"));
}

void HelpTest::links_and_contents_lead_to_parts() {
  f_->trigger("help_page");
  QVERIFY(click_link(QStringLiteral("#filter")));
  QVERIFY(shows(QStringLiteral("filter")));
  QVERIFY(click_link(QStringLiteral("#stencils")));
  QVERIFY(shows(QStringLiteral("stencils")));
  // No link leads nowhere.
  static const QRegularExpression link(QStringLiteral("href=\"([^\"]*)\""));
  int within = 0;
  for (const HelpSection& section : help_sections()) {
    auto found = link.globalMatch(section.body);
    while (found.hasNext()) {
      const QString address = found.next().captured(1);
      if (!address.startsWith(QLatin1Char('#'))) continue;
      ++within;
      QVERIFY2(!help_title(address.mid(1)).isEmpty(), qPrintable(address));
    }
  }
  QVERIFY(within > 5);
  // Each line of the contents, with the mouse, and with the keys.
  QListWidget& contents = *help()->contents();
  QCOMPARE(contents.count(), static_cast<int>(help_sections().size()));
  for (const char* id : {"scale", "particles", "compare"}) {
    for (int row = 0; row < contents.count(); ++row) {
      if (contents.item(row)->text() != help_title(QLatin1String(id))) continue;
      QTest::mouseClick(contents.viewport(), Qt::LeftButton, {},
                        contents.visualItemRect(contents.item(row)).center());
    }
    QVERIFY2(shows(QLatin1String(id)), id);
  }
  QTest::keyClick(&contents, Qt::Key_Home);
  QVERIFY(shows(QStringLiteral("about")));
  // The one to the tour begins it, in the window.
  QVERIFY(!f_->window->tour().active());
  QVERIFY(click_link(QLatin1String(kTourLink)));
  QVERIFY(f_->window->tour().active());
  QVERIFY(!help()->isVisible());
}

void HelpTest::the_contents_follow_the_page() {
  f_->trigger("help_page");
  QScrollBar& bar = *page().verticalScrollBar();
  bar.setValue(bar.maximum() / 2);
  const QString middle = help()->contents()->currentItem()->text();
  QVERIFY(middle != help_title(QStringLiteral("about")));
  bar.setValue(0);
  QCOMPARE(help()->contents()->currentItem()->text(), help_title(QStringLiteral("about")));
  // Scrolled away by hand, the line that is chosen leads back.
  help()->open_at(QStringLiteral("filter"));
  const int place = bar.value();
  bar.setValue(place + 20);
  QListWidget& contents = *help()->contents();
  QTest::mouseClick(contents.viewport(), Qt::LeftButton, {},
                    contents.visualItemRect(contents.currentItem()).center());
  QCOMPARE(bar.value(), place);
}

APRSCOPE_GUI_TESTS(HelpTest)
#include "help_test.moc"
