#include "app/gui/window/start_page.hpp"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/gui/widgets/marked_text.hpp"
#include "app/gui/widgets/settings.hpp"
#include "core/io/formats.hpp"

namespace aprscope::gui {
namespace {

constexpr int kWidth = 520;
constexpr int kIcon = 72;
constexpr int kFiles = 6;
constexpr double kTitle = 1.8;  // factor of the size of other texts
// The action that opens the help page about APRs, if it exists.
const QString kHelpAction = QStringLiteral("help_page");

QString home_as_tilde(const QString& folder) {
  const QString home = QDir::homePath();
  return folder == home || folder.startsWith(home + QLatin1Char('/'))
             ? QLatin1Char('~') + folder.mid(home.size())
             : folder;
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("start_page"));
  build();
}

void StartPage::build() {
  auto* inside = new QWidget(this);
  auto* centred = new QHBoxLayout(inside);
  auto* column = new QVBoxLayout;
  column->setSpacing(10);
  column->addStretch(2);
  auto* icon = new QLabel(inside);
  icon->setPixmap(QIcon(QStringLiteral(":/icons/aprscope.svg")).pixmap(kIcon, kIcon));
  column->addWidget(icon, 0, Qt::AlignHCenter);
  title_ = new QLabel(tr("See images as adaptive particles"), inside);
  title_->setObjectName(QStringLiteral("start_title"));
  title_->setAlignment(Qt::AlignHCenter);
  title_->setWordWrap(true);
  fit_title();
  column->addWidget(title_);
  auto* what = new QLabel(
      tr("An adaptive particle representation (APR) of a microscopy image keeps fine resolution "
         "only where there is something to see. It takes a fraction of the memory and of the time "
         "to filter, with a bound on the error."),
      inside);
  what->setProperty("muted", true);
  what->setAlignment(Qt::AlignHCenter);
  what->setWordWrap(true);
  column->addWidget(what);
  what_ = new QPushButton(tr("What is an APR?"), inside);
  what_->setObjectName(QStringLiteral("start_help"));
  what_->setProperty("link", true);
  what_->setCursor(Qt::PointingHandCursor);
  connect(what_, &QPushButton::clicked, this, [this] {
    if (auto* help = window()->findChild<QAction*>(kHelpAction)) help->trigger();
  });
  column->addWidget(what_, 0, Qt::AlignHCenter);
  column->addSpacing(10);
  build_buttons(*column);
  column->addSpacing(14);
  recent_ = new QWidget(inside);
  recent_->setObjectName(QStringLiteral("start_recent"));
  auto* files = new QVBoxLayout(recent_);
  files->setContentsMargins(0, 0, 0, 0);
  files->setSpacing(2);
  column->addWidget(recent_);
  column->addStretch(3);
  centred->addStretch(1);
  centred->addLayout(column, 20);
  centred->addStretch(1);
  inside->setMaximumWidth(kWidth * 2);

  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setAlignment(Qt::AlignHCenter);
  scroll->setWidget(inside);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
}

void StartPage::build_buttons(QVBoxLayout& column) {
  auto* open = new QPushButton(tr("Open an image …"), this);
  open->setObjectName(QStringLiteral("start_open"));
  open->setProperty("primary", true);
  auto* demo = new QPushButton(tr("Open the demo image"), this);
  demo->setObjectName(QStringLiteral("start_demo"));
  connect(open, &QPushButton::clicked, this, &StartPage::open_requested);
  connect(demo, &QPushButton::clicked, this, &StartPage::demo_requested);
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  row->addStretch(1);
  row->addWidget(open);
  row->addWidget(demo);
  row->addStretch(1);
  column.addLayout(row);
  auto* drop = new QLabel(
      tr("… or drop it here: %1, or a workspace").arg(QString::fromStdString(format_names())),
      this);
  drop->setProperty("muted", true);
  drop->setAlignment(Qt::AlignHCenter);
  drop->setWordWrap(true);
  column.addWidget(drop);
}

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  what_->setVisible(window()->findChild<QAction*>(kHelpAction) != nullptr);
  fill_recent();
}

void StartPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  fit_title();
  if (isVisible()) fill_recent();
}

void StartPage::fit_title() {
  QFont large = font();
  large.setPointSizeF(kTitle * font().pointSizeF());
  large.setBold(true);
  title_->setFont(large);
}

void StartPage::fill_recent() {
  qDeleteAll(recent_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  const QStringList files = recent_files().mid(0, kFiles);
  recent_->setVisible(!files.isEmpty());
  if (files.isEmpty()) return;
  auto* title = new QLabel(tr("Recent files"), recent_);
  title->setProperty("muted", true);
  title->setAlignment(Qt::AlignHCenter);
  recent_->layout()->addWidget(title);
  for (const QString& path : files) {
    const QFileInfo info(path);
    QString text = info.fileName();
    text += QStringLiteral("   ") + home_as_tilde(info.path());
    text = fontMetrics().elidedText(text, Qt::ElideMiddle, kWidth - 60);
    auto* button = new QPushButton(with_ampersands(text), recent_);
    button->setObjectName(QStringLiteral("start_recent_file"));
    button->setProperty("link", true);
    button->setCursor(Qt::PointingHandCursor);
    button->setToolTip(path);
    connect(button, &QPushButton::clicked, this, [this, path] { emit file_requested(path); });
    recent_->layout()->addWidget(button);
    recent_->layout()->setAlignment(button, Qt::AlignHCenter);
  }
}

}  // namespace aprscope::gui
