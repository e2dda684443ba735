#include "app/gui/widgets/number_field.hpp"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <cmath>

#include "app/gui/widgets/field_hint.hpp"

namespace aprscope::gui {
namespace {

// Enough decimals for any number typed; only six significant digits are shown.
constexpr int kDecimals = 12;
constexpr int kNarrow = 46;
constexpr int kDigits = 8;
constexpr int kUsual = 84;

QString shown(double value) { return QString::number(value, 'g', 6); }

QString quoted(const QString& text) { return QStringLiteral("“%1”").arg(text); }

double nearest_odd(double value, const NumberRule& rule) {
  const double odd = 2.0 * std::floor(value / 2.0) + 1.0;
  return odd > rule.maximum ? odd - 2.0 : odd;
}

// Removes the prefix and suffix shown around the number, unless the user has changed them.
QString without(const QString& text, const QString& prefix, const QString& suffix) {
  QString bare = text;
  if (!prefix.isEmpty() && bare.startsWith(prefix)) bare.remove(0, prefix.size());
  if (!suffix.isEmpty() && bare.endsWith(suffix)) bare.chop(suffix.size());
  return bare.trimmed();
}

QValidator::State state_of(const NumberVerdict& verdict) {
  // Never "invalid", as Qt would then ignore what the user types.
  return verdict.problem.isEmpty() ? QValidator::Acceptable : QValidator::Intermediate;
}

}  // namespace

NumberVerdict judge(const QString& text, const NumberRule& rule) {
  NumberVerdict verdict;
  bool number = false;
  QString plain = text.trimmed();
  plain.replace(QLatin1Char(','), QLatin1Char('.'));
  const double value = plain.toDouble(&number);
  if (plain.isEmpty() || !number || !std::isfinite(value)) {
    verdict.problem = plain.isEmpty() ? QObject::tr("is missing") : QObject::tr("is no number");
    return verdict;
  }
  verdict.number = value;
  verdict.nearest = std::clamp(value, rule.minimum, rule.maximum);
  if (value > rule.maximum) {
    verdict.problem = QObject::tr("is above the limit of %1").arg(shown(rule.maximum));
  } else if (value < rule.minimum) {
    verdict.problem = QObject::tr("is below the limit of %1").arg(shown(rule.minimum));
  } else if (rule.whole && value != std::floor(value)) {
    verdict.problem = QObject::tr("is no whole number");
    verdict.nearest = std::round(value);
  }
  const bool even = std::fmod(verdict.nearest, 2.0) == 0.0 && verdict.nearest != rule.minimum;
  if (rule.odd && even) {
    if (verdict.problem.isEmpty()) {
      verdict.problem = QObject::tr("is even; a size is odd, so that it has a middle");
    }
    verdict.nearest = nearest_odd(verdict.nearest, rule);
  }
  return verdict;
}

NumberWatch::NumberWatch(QAbstractSpinBox& field, QLineEdit& edit, std::function<NumberRule()> rule)
    : QObject(&field), field_(field), rule_(std::move(rule)) {
  edit.installEventFilter(this);
  field.installEventFilter(this);
  connect(&edit, &QLineEdit::textEdited, this, [this, &edit] {
    typing_ = true;
    QString text = edit.text();
    int position = 0;
    if (field_.validate(text, position) == QValidator::Acceptable) {
      FieldHint::hide_for(field_);
      return;
    }
    const NumberVerdict verdict = judge(text, rule_());
    // An empty field is about to be filled.
    if (text.trimmed().isEmpty()) return FieldHint::hide_for(field_);
    FieldHint::show_for(field_, QStringLiteral("%1 %2.").arg(quoted(text), verdict.problem), false);
  });
  connect(&field, &QAbstractSpinBox::editingFinished, this, [this] { typing_ = false; });
}

void NumberWatch::replaced(const QString& text, const QString& by) {
  const NumberVerdict verdict = judge(text, rule_());
  if (verdict.problem.isEmpty()) return;
  FieldHint::show_for(field_,
                      text.trimmed().isEmpty()
                          ? tr("A number is missing: %1 is kept.").arg(by)
                          : tr(verdict.number ? "%1 %2: %3 is used instead." : "%1 %2: %3 is kept.")
                                .arg(quoted(text), verdict.problem, by),
                      true);
}

bool NumberWatch::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !typing_) {
    // Nothing is being typed, so Undo and Redo are left to the window.
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

// --- whole numbers

WholeField::WholeField(int minimum, int maximum, QWidget* parent, Kind kind)
    : QSpinBox(parent),
      kind_(kind),
      watch_(new NumberWatch(*this, *lineEdit(), [this] { return rule(); })) {
  setRange(minimum, maximum);
  setAlignment(Qt::AlignRight);
  if (kind == Kind::odd && minimum == 0) setSpecialValueText(tr("auto"));
}

NumberRule WholeField::rule() const {
  return {static_cast<double>(minimum()), static_cast<double>(maximum()), true, kind_ == Kind::odd};
}

QString WholeField::bare(const QString& text) const { return without(text, prefix(), suffix()); }

void WholeField::stepBy(int steps) {
  if (kind_ == Kind::any) return QSpinBox::stepBy(steps);
  int v = value();
  for (; steps > 0; --steps) v = v == 0 ? 1 : v + 2;
  for (; steps < 0; ++steps) v = v == 1 ? minimum() : v - 2;
  setValue(std::clamp(v, minimum(), maximum()));
}

QValidator::State WholeField::validate(QString& text, int& /*position*/) const {
  if (!specialValueText().isEmpty() && text == specialValueText()) return QValidator::Acceptable;
  return state_of(judge(bare(text), rule()));
}

int WholeField::valueFromText(const QString& text) const {
  if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
  const NumberVerdict verdict = judge(bare(text), rule());
  return verdict.number ? static_cast<int>(verdict.nearest) : value();
}

void WholeField::fixup(QString& text) const {
  const QString now = textFromValue(valueFromText(text));
  watch_->replaced(bare(text), now);
  text = now;
}

// --- real numbers

RealField::RealField(double minimum, double maximum, QWidget* parent)
    : QDoubleSpinBox(parent),
      watch_(new NumberWatch(*this, *lineEdit(), [this] { return rule(); })) {
  setDecimals(kDecimals);
  setRange(minimum, maximum);
  setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  setAlignment(Qt::AlignRight);
}

NumberRule RealField::rule() const { return {minimum(), maximum(), false, false}; }

QString RealField::bare(const QString& text) const { return without(text, prefix(), suffix()); }

// Without trailing zeros: "0.1", not "0.100000000000".
QString RealField::textFromValue(double value) const { return shown(value); }

// A step is a tenth of the value; from 0, which has no tenth, it is kFirst.
void RealField::stepBy(int steps) {
  constexpr double kFirst = 0.1;
  // A special text such as "automatic" stands for the minimum, one step below 0.
  if (!specialValueText().isEmpty() && minimum() < 0.0) {
    if (value() < 0.0) {
      if (steps > 0) setValue(0.0);
      return;
    }
    if (value() == 0.0 && steps < 0) return setValue(minimum());
  }
  if (value() != 0.0) return QDoubleSpinBox::stepBy(steps);
  setValue(steps * std::min(kFirst, maximum() / 10.0));
}

QValidator::State RealField::validate(QString& text, int& /*position*/) const {
  if (!specialValueText().isEmpty() && text == specialValueText()) return QValidator::Acceptable;
  return state_of(judge(bare(text), rule()));
}

double RealField::valueFromText(const QString& text) const {
  if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
  const NumberVerdict verdict = judge(bare(text), rule());
  return verdict.number ? verdict.nearest : value();
}

void RealField::fixup(QString& text) const {
  const QString now = textFromValue(valueFromText(text));
  watch_->replaced(bare(text), now);
  text = now;
}

// A fixed width: for a range of ±1e9, Qt would make room for the longest number.
QSize RealField::sizeHint() const { return {kUsual, QDoubleSpinBox::sizeHint().height()}; }

QSize RealField::minimumSizeHint() const {
  // With large text wider, to leave room for some digits.
  return {std::max(kNarrow, kDigits * fontMetrics().averageCharWidth()),
          QDoubleSpinBox::minimumSizeHint().height()};
}

void commit_focused_field() {
  auto* field = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget());
  if (field == nullptr) return;
  field->interpretText();
  emit field->editingFinished();
}

void add_labelled(QHBoxLayout& row, const QString& label, QAbstractSpinBox& field) {
  auto* name = new QLabel(label, field.parentWidget());
  name->setBuddy(&field);
  name->setToolTip(field.toolTip());
  row.addWidget(name);
  row.addWidget(&field, 1);
}

}  // namespace aprscope::gui
