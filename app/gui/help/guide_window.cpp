#include "app/gui/help/guide_window.hpp"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QScreen>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "app/gui/help/guide_pages.hpp"
#include "app/gui/widgets/theme.hpp"

namespace aprscope::gui {
namespace {

constexpr int kWidth = 820;
constexpr int kHeight = 780;
constexpr int kMargin = 28;
// As wide as pictures are shown, whatever their size.
constexpr int kPictureWidth = kWidth - 2 * kMargin - 48;
constexpr int kCellPadding = 5;
constexpr int kBelowText = 8;
constexpr int kAboveHeading = 22;

// A text browser that reads pages and pictures from files and scales pictures to its width.
class PageBrowser : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

  QVariant loadResource(int type, const QUrl& name) override {
    if (type == QTextDocument::ImageResource) {
      const QImage picture(name.toLocalFile());
      return picture.width() > kPictureWidth
                 ? picture.scaledToWidth(kPictureWidth, Qt::SmoothTransformation)
                 : picture;
    }
    QFile file(name.toLocalFile());
    if (!file.open(QIODevice::ReadOnly)) {
      return tr("%1 cannot be read.").arg(name.toLocalFile()).toUtf8();
    }
    return without_remarks(QString::fromUtf8(file.readAll())).toUtf8();
  }
};

QToolButton* step(QWidget* parent, const char* name, const QString& text, const QKeySequence& key) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setShortcut(key);
  button->setAutoRaise(true);
  return button;
}

}  // namespace

GuideWindow::GuideWindow(const QString& first, Theme& theme, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("guide_window"));
  setWindowTitle(tr("Guide"));
  setWindowFlag(Qt::WindowMinMaxButtonsHint);
  resize(QSize(kWidth, kHeight).boundedTo(screen()->availableSize()));
  page_ = new PageBrowser(this);
  page_->setObjectName(QStringLiteral("guide_page"));
  page_->setAccessibleName(windowTitle());
  page_->setOpenLinks(false);
  page_->setFrameShape(QFrame::NoFrame);

  auto* back = step(this, "guide_back", tr("Back"), QKeySequence::Back);
  auto* forward = step(this, "guide_forward", tr("Forward"), QKeySequence::Forward);
  auto* contents = step(this, "guide_contents", tr("Contents"), QKeySequence(tr("Alt+Home")));
  back->setEnabled(false);
  forward->setEnabled(false);
  connect(back, &QToolButton::clicked, page_, &QTextBrowser::backward);
  connect(forward, &QToolButton::clicked, page_, &QTextBrowser::forward);
  connect(contents, &QToolButton::clicked, page_, &QTextBrowser::home);
  connect(page_, &QTextBrowser::backwardAvailable, back, &QToolButton::setEnabled);
  connect(page_, &QTextBrowser::forwardAvailable, forward, &QToolButton::setEnabled);
  connect(page_, &QTextBrowser::anchorClicked, this, &GuideWindow::follow_link);
  connect(page_, &QTextBrowser::sourceChanged, this, &GuideWindow::arrange);
  connect(&theme, &Theme::changed, this, [this] {
    page_->reload();
    arrange();
  });

  auto* steps = new QHBoxLayout;
  for (QToolButton* button : {back, forward, contents}) steps->addWidget(button);
  steps->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(steps);
  layout->addWidget(page_, 1);
  page_->setSource(QUrl::fromLocalFile(first));
  page_->setFocus();
}

// Opens pages of the guide here; the desktop opens all else (recipes, folders, the web).
void GuideWindow::follow_link(const QUrl& link) {
  if (link.isLocalFile() && link.path().endsWith(QStringLiteral(".md"))) {
    page_->setSource(link);
    show_heading(link.fragment());
  } else {
    QDesktopServices::openUrl(link);
  }
}

// Sets margins around text and in tables, which Markdown does not specify.
void GuideWindow::arrange() {
  QTextDocument& document = *page_->document();
  document.setDocumentMargin(kMargin);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    // Items of lists, cells of tables and lines of code have small distances.
    const bool code = block.blockFormat().nonBreakableLines();
    if (cursor.currentTable() != nullptr || block.textList() != nullptr || code) continue;
    QTextBlockFormat air;
    air.setBottomMargin(kBelowText);
    if (block.blockFormat().headingLevel() > 1) air.setTopMargin(kAboveHeading);
    cursor.mergeBlockFormat(air);
  }
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (table == nullptr) continue;
    QTextTableFormat format = table->format();
    format.setCellPadding(kCellPadding);
    format.setCellSpacing(0);
    format.setBorderCollapse(true);
    format.setBorder(0.5);
    format.setBorderBrush(palette().mid());
    table->setFormat(format);
  }
}

void GuideWindow::show_heading(const QString& anchor) {
  if (anchor.isEmpty()) return;
  const QTextDocument& document = *page_->document();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() == 0 || heading_anchor(block.text()) != anchor) continue;
    page_->setTextCursor(QTextCursor(block));
    page_->verticalScrollBar()->setValue(page_->verticalScrollBar()->value() +
                                         page_->cursorRect().top());
    return;
  }
}

}  // namespace aprscope::gui
