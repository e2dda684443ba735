#include "app/gui/window/command_palette.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "app/gui/widgets/marked_text.hpp"

namespace aprscope::gui {
namespace {

const QString kCommandStep = QStringLiteral(" › ");
constexpr int kCommandColumns = 72;
constexpr int kCommandLines = 18;
constexpr int kCommandFromTop = 48;  // of the window, in logical pixels

void collect_commands(const QList<QAction*>& actions, const QString& before, bool enabled,
                      const QAction* left_out, QList<MenuCommand>& found) {
  for (QAction* action : actions) {
    if (action->isSeparator() || !action->isVisible() || action == left_out) continue;
    const QString text = before + without_marks(action->text());
    const bool usable = enabled && action->isEnabled();
    if (QMenu* menu = action->menu()) {
      emit menu->aboutToShow();
      collect_commands(menu->actions(), text + kCommandStep, usable, left_out, found);
    } else {
      found.append({action, text, usable});
    }
  }
}

// The whole text, which the list may have to elide, and what else is known. Qt gives an action
// without a tool tip its text for one, which would say the same twice.
QString command_tip(const MenuCommand& command) {
  const QAction& action = *command.action;
  const QString plain = without_marks(action.text());
  const bool own = action.toolTip() != plain && action.toolTip() != action.iconText();
  QStringList lines{command.text, own ? action.toolTip() : action.statusTip()};
  if (!command.enabled) lines << CommandPalette::tr("Not possible at the moment");
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

QList<MenuCommand> commands_of(const QMenuBar& bar, const QAction* left_out) {
  QList<MenuCommand> found;
  collect_commands(bar.actions(), {}, true, left_out, found);
  return found;
}

std::optional<int> command_rank(const QString& text, const QString& typed) {
  const qsizetype step = text.lastIndexOf(kCommandStep);
  const qsizetype name = step < 0 ? 0 : step + kCommandStep.size();
  int rank = 0;
  for (const QString& word : typed.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
      const bool starts = at == 0 || !text[at - 1].isLetterOrNumber();
      const int here = (starts ? 0 : 2) + (at >= name ? 0 : 1);
      best = std::min(best.value_or(here), here);
    }
    if (!best) return std::nullopt;
    rank += *best;
  }
  return rank;
}

CommandPalette::CommandPalette(QList<MenuCommand> commands, QWidget* window)
    : QFrame(window, Qt::Popup), commands_(std::move(commands)) {
  setObjectName(QStringLiteral("command_palette"));
  setAccessibleName(tr("Find a command"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  typed_ = new QLineEdit(this);
  typed_->setPlaceholderText(tr("Type words of a command"));
  typed_->setAccessibleName(tr("Words of a command"));
  typed_->installEventFilter(this);
  layout->addWidget(typed_);
  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Commands"));
  list_->setColumnCount(2);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setIndentation(0);
  list_->setUniformRowHeights(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // One types on while one moves in the list.
  list_->setFocusPolicy(Qt::NoFocus);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  layout->addWidget(list_);
  connect(typed_, &QLineEdit::textChanged, this, &CommandPalette::list_fitting);
  connect(typed_, &QLineEdit::returnPressed, this, &CommandPalette::run_current);
  connect(list_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* clicked) {
    if (clicked == list_->currentItem()) run_current();
  });
  // A screen reader follows the focus, which stays in the line.
  connect(list_, &QTreeWidget::currentItemChanged, typed_, [this](const QTreeWidgetItem* now) {
    typed_->setAccessibleDescription(now != nullptr ? now->text(0) : QString());
  });
}

void CommandPalette::open() {
  const QWidget& window = *parentWidget();
  const QFontMetrics metrics = fontMetrics();
  const int wide = std::min(window.width(), kCommandColumns * metrics.averageCharWidth());
  const int high =
      std::min(window.height() - kCommandFromTop, kCommandLines * (metrics.lineSpacing() + 8) + 60);
  resize(wide, high);
  QPoint at = window.mapToGlobal(QPoint((window.width() - width()) / 2, kCommandFromTop));
  const QRect room = window.screen()->availableGeometry();
  at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
  at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  move(at);
  show();
  // Not before, as the style that sets the height of lines comes with the first showing.
  list_fitting();
  typed_->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == typed_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
        key == Qt::Key_PageDown) {
      QCoreApplication::sendEvent(list_, event);
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

void CommandPalette::list_fitting() {
  // What cannot be used comes last, so that Enter runs something.
  std::vector<std::tuple<bool, int, qsizetype>> order;
  for (qsizetype i = 0; i < commands_.size(); ++i) {
    const auto rank = command_rank(commands_[i].text, typed_->text());
    if (rank && commands_[i].action) order.emplace_back(!commands_[i].enabled, *rank, i);
  }
  std::sort(order.begin(), order.end());
  list_->clear();
  for (const auto& line : order) add_line(std::get<2>(line));
  if (order.empty()) {
    (new QTreeWidgetItem(list_, {tr("No command has these words")}))->setDisabled(true);
  } else if (!std::get<0>(order.front())) {
    list_->setCurrentItem(list_->topLevelItem(0));
  }
}

void CommandPalette::add_line(qsizetype place) {
  const MenuCommand& command = commands_[place];
  const QAction& action = *command.action;
  auto* line = new QTreeWidgetItem(
      list_, {command.text, action.shortcut().toString(QKeySequence::NativeText)});
  line->setData(0, Qt::UserRole, QVariant::fromValue(place));
  line->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  if (action.isCheckable()) {
    line->setCheckState(0, action.isChecked() ? Qt::Checked : Qt::Unchecked);
    // The box tells the state; the command changes it.
    line->setFlags(line->flags() & ~Qt::ItemIsUserCheckable);
  }
  line->setDisabled(!command.enabled);
  const QString tip = command_tip(command);
  for (const int column : {0, 1}) line->setToolTip(column, tip);
}

void CommandPalette::run_current() {
  const QTreeWidgetItem* line = list_->currentItem();
  if (line == nullptr || line->isDisabled()) return;
  const QPointer<QAction> action = commands_[line->data(0, Qt::UserRole).value<qsizetype>()].action;
  close();
  // Later, when the event that chose it is over: the command may open a dialog, or end the program.
  if (action) QMetaObject::invokeMethod(action.data(), &QAction::trigger, Qt::QueuedConnection);
}

}  // namespace aprscope::gui
