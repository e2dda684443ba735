#include "app/gui/window/metadata_view.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>

namespace aprscope::gui {
namespace {

// Longer lines take seconds to lay out.
constexpr qsizetype kLongestLine = 2000;

QString with_lines_broken(const QString& text) {
  QString out;
  out.reserve(text.size());
  for (qsizetype at = 0; at < text.size();) {
    const qsizetype end = text.indexOf(QLatin1Char('\n'), at);
    const qsizetype length = (end < 0 ? text.size() : end) - at;
    qsizetype taken = std::min(length, kLongestLine);
    // Not between the halves of a pair.
    if (taken < length && text.at(at + taken).isLowSurrogate()) --taken;
    out += QStringView(text).mid(at, taken);
    at += taken;
    if (taken == length) {
      if (end < 0) break;
      ++at;
    }
    out += QLatin1Char('\n');
  }
  return out;
}

}  // namespace

QString metadata_text(const std::vector<MetadataPart>& parts) {
  const auto word = [](const char* text) { return QCoreApplication::translate("metadata", text); };
  if (parts.empty()) return word("The file says nothing beyond what the other tab lists.");
  QString out;
  for (const MetadataPart& part : parts) {
    if (!out.isEmpty()) out += QLatin1Char('\n');
    out += QStringLiteral("== %1 ==\n").arg(QString::fromStdString(part.title));
    out += QString::fromStdString(part.text);
    if (!out.endsWith(QLatin1Char('\n'))) out += QLatin1Char('\n');
    if (part.cut) out += word("== cut here: the file says more ==\n");
  }
  return out;
}

MetadataView::MetadataView(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  auto* row = new QHBoxLayout;
  sought_ = new QLineEdit(this);
  sought_->setObjectName(QStringLiteral("metadata_search"));
  sought_->setPlaceholderText(tr("Find text"));
  sought_->setAccessibleName(tr("Text to find"));
  sought_->setToolTip(tr("Enter goes to the next place, Shift + Enter to the previous one"));
  sought_->setClearButtonEnabled(true);
  row->addWidget(sought_);
  found_ = new QLabel(this);
  found_->setObjectName(QStringLiteral("metadata_found"));
  row->addWidget(found_);
  layout->addLayout(row);
  shown_ = new QPlainTextEdit(this);
  shown_->setObjectName(QStringLiteral("metadata_text"));
  shown_->setAccessibleName(tr("What the file says of itself"));
  shown_->setReadOnly(true);
  shown_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  shown_->setLineWrapMode(QPlainTextEdit::NoWrap);
  shown_->setUndoRedoEnabled(false);
  shown_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  layout->addWidget(shown_);
  connect(sought_, &QLineEdit::textChanged, this, [this] { find_next(false, true); });
  // Before the dialog, which Enter would close.
  sought_->installEventFilter(this);
  auto* find = new QShortcut(QKeySequence::Find, this);
  find->setContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QShortcut::activated, this, [this] {
    sought_->setFocus();
    sought_->selectAll();
  });
}

void MetadataView::show_text(const QString& text) {
  text_ = text;
  shown_->setPlainText(with_lines_broken(text));
  find_next(false, true);
}

bool MetadataView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == sought_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      find_next(key->modifiers().testFlag(Qt::ShiftModifier), false);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void MetadataView::find_next(bool backward, bool from_start) {
  const QString sought = sought_->text();
  QTextCursor start = shown_->textCursor();
  if (from_start) start.setPosition(0);
  if (sought.isEmpty()) {
    start.clearSelection();
    shown_->setTextCursor(start);
    found_->clear();
    return;
  }
  const QTextDocument::FindFlags flags =
      backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
  const QTextDocument& document = *shown_->document();
  QTextCursor place = document.find(sought, start, flags);
  if (place.isNull()) {
    // On from the other end.
    start.movePosition(backward ? QTextCursor::End : QTextCursor::Start);
    place = document.find(sought, start, flags);
  }
  found_->setText(place.isNull() ? tr("not found") : QString());
  if (place.isNull()) {
    start.clearSelection();
    place = start;
  }
  shown_->setTextCursor(place);
}

}  // namespace aprscope::gui
