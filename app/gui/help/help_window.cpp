#include "app/gui/help/help_window.hpp"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QListWidget>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QScreen>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <algorithm>

#include "app/gui/help/help_canvas.hpp"
#include "app/gui/help/help_pictures.hpp"
#include "app/gui/help/help_text.hpp"
#include "app/gui/widgets/theme.hpp"

namespace aprscope::gui {
namespace {

constexpr int kContentsWidth = 232;
constexpr int kPageWidth = 724;  // a picture, margins and the scroll bar
constexpr int kWindowHeight = 780;
constexpr int kPageMargin = 28;
constexpr int kIdRole = Qt::UserRole;
// A part counts as reached when its title is this near to the top, in pixels.
constexpr int kReached = 60;
constexpr int kAir = 18;

const QString kScheme = QStringLiteral("picture:");

// Qt's rich text supports few style sheets, so sizes and colours are inserted here.
QString style_of(const QPalette& palette) {
  const QColor text = palette.color(QPalette::Text);
  return QStringLiteral(
             "h1 { font-size: 20pt; font-weight: 600; margin-top: 6px; margin-bottom: 2px; }"
             "h2 { font-size: 14pt; font-weight: 600; margin-top: 34px; margin-bottom: 6px; }"
             "p { margin-top: 8px; margin-bottom: 8px; line-height: 135%; }"
             "li { margin-top: 4px; margin-bottom: 4px; line-height: 130%; }"
             "p.picture { line-height: 100%; margin-top: 12px; margin-bottom: 12px; }"
             "a { color: %1; text-decoration: none; }"
             "p.note { color: %2; }"
             "p.formula { font-size: 13pt; background-color: %3; margin-left: 24px; }")
      .arg(palette.color(QPalette::Link).name(),
           mixed(text, palette.color(QPalette::Base), 0.35).name(),
           palette.color(QPalette::AlternateBase).name());
}

QString with_pictures(QString body) {
  static const QRegularExpression marker(QStringLiteral(R"(\{picture:(\w+)\})"));
  QRegularExpressionMatch found;
  while ((found = marker.match(body)).hasMatch()) {
    const QString name = found.captured(1);
    const QSize size = help_picture_size(name);
    body.replace(found.capturedStart(), found.capturedLength(),
                 QStringLiteral("<p class=\"picture\"><img src=\"%1%2\" width=\"%3\" "
                                "height=\"%4\"></p>")
                     .arg(kScheme, name)
                     .arg(size.width())
                     .arg(size.height()));
  }
  return body;
}

}  // namespace

HelpWindow::HelpWindow(Theme& theme, QWidget* parent) : QDialog(parent), theme_(theme) {
  setObjectName(QStringLiteral("help_window"));
  setWindowTitle(tr("What is this?"));
  setWindowFlag(Qt::WindowMinMaxButtonsHint);
  resize(QSize(kContentsWidth + kPageWidth, kWindowHeight).boundedTo(screen()->availableSize()));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  contents_ = new QListWidget(this);
  contents_->setObjectName(QStringLiteral("help_contents"));
  contents_->setAccessibleName(tr("Contents"));
  contents_->setFixedWidth(kContentsWidth);
  contents_->setWordWrap(true);
  page_ = new QTextBrowser(this);
  page_->setObjectName(QStringLiteral("help_page"));
  page_->setAccessibleName(windowTitle());
  page_->setOpenLinks(false);
  page_->setFrameShape(QFrame::NoFrame);
  page_->setMinimumWidth(420);
  layout->addWidget(contents_);
  layout->addWidget(page_, 1);
  for (const HelpSection& section : help_sections()) {
    auto* line = new QListWidgetItem(section.title, contents_);
    line->setData(kIdRole, section.id);
  }
  contents_->setCurrentRow(0);
  connect(contents_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* line) {
    if (line != nullptr) scroll_to(line->data(kIdRole).toString());
  });
  // Also if the row is chosen already, since the page may have been scrolled by hand.
  connect(contents_, &QListWidget::itemClicked, this,
          [this](const QListWidgetItem* line) { scroll_to(line->data(kIdRole).toString()); });
  connect(page_, &QTextBrowser::anchorClicked, this, &HelpWindow::follow_link);
  connect(page_->verticalScrollBar(), &QScrollBar::valueChanged, this,
          &HelpWindow::follow_scrolling);
  connect(&theme, &Theme::changed, this, &HelpWindow::fill);
  fill();
}

void HelpWindow::fill() {
  const QScopedValueRollback<bool> leading(leading_, true);
  const int at = page_->verticalScrollBar()->value();
  QTextDocument* const document = page_->document();
  document->clear();
  document->setDocumentMargin(kPageMargin);
  const QPalette colors = QApplication::palette();
  document->setDefaultStyleSheet(style_of(colors));
  for (const QString& name : help_picture_names()) {
    document->addResource(QTextDocument::ImageResource, QUrl(kScheme + name),
                          draw_help_picture(name, colors, font(), devicePixelRatioF()));
  }
  QString html = QStringLiteral("<h1>%1</h1>").arg(windowTitle());
  for (const HelpSection& section : help_sections()) {
    html += QStringLiteral("<h2><a name=\"%1\"></a>%2</h2>%3")
                .arg(section.id, section.title, with_pictures(section.body));
  }
  document->setHtml(html);
  page_->verticalScrollBar()->setValue(at);
}

int HelpWindow::row_of(const QString& section) const {
  for (int row = 0; row < contents_->count(); ++row) {
    if (contents_->item(row)->data(kIdRole).toString() == section) return row;
  }
  return 0;
}

void HelpWindow::open_at(const QString& section) {
  // The page is laid out again when it is first shown, so scroll once more after that.
  if (!isVisible()) {
    QTimer::singleShot(0, this,
                       [this] { scroll_to(contents_->currentItem()->data(kIdRole).toString()); });
  }
  show();
  raise();
  activateWindow();
  const int row = row_of(section);
  contents_->setCurrentRow(row);
  scroll_to(contents_->item(row)->data(kIdRole).toString());
  page_->setFocus();
}

void HelpWindow::scroll_to(const QString& section) {
  const QScopedValueRollback<bool> leading(leading_, true);
  if (row_of(section) == 0) {
    page_->verticalScrollBar()->setValue(0);
  } else {
    page_->scrollToAnchor(section);
    // Leaves some space above the title, unless the page ends here.
    QScrollBar* const bar = page_->verticalScrollBar();
    if (bar->value() < bar->maximum()) bar->setValue(bar->value() - kAir);
  }
}

void HelpWindow::follow_link(const QUrl& link) {
  if (link.scheme().isEmpty()) {
    contents_->setCurrentRow(row_of(link.fragment()));
    scroll_to(link.fragment());
  } else if (link == QUrl(QLatin1String(kTourLink))) {
    emit tour_requested();
  } else {
    QDesktopServices::openUrl(link);
  }
}

// Selects the part in the list that the page shows.
void HelpWindow::follow_scrolling() {
  if (leading_) return;
  const int top = page_->verticalScrollBar()->value() + kReached;
  QString reached;
  for (QTextBlock block = page_->document()->begin(); block.isValid(); block = block.next()) {
    if (page_->document()->documentLayout()->blockBoundingRect(block).top() > top) break;
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QStringList names = it.fragment().charFormat().anchorNames();
      if (!names.isEmpty()) reached = names.front();
    }
  }
  const QSignalBlocker quiet(contents_);
  contents_->setCurrentRow(row_of(reached));
}

}  // namespace aprscope::gui
