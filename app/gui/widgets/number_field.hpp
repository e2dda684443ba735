#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>
#include <functional>
#include <optional>

class QHBoxLayout;

namespace aprscope::gui {

/// The numbers that a field accepts.
struct NumberRule {
  double minimum = 0.0;
  double maximum = 0.0;
  bool whole = false;
  /// Must be odd, or equal to the minimum (0 if that means automatic).
  bool odd = false;
};

/// The meaning of a text under a rule.
struct NumberVerdict {
  /// The number in the text; none if it is not a number.
  std::optional<double> number;
  /// A phrase to follow the text, such as "is above 50, the limit"; empty if nothing is wrong.
  QString problem;
  /// The number that is used instead.
  double nearest = 0.0;
};
NumberVerdict judge(const QString& text, const NumberRule& rule);

/// Watches the text of a number field: shows a hint if it is wrong while it is typed, and if it was
/// changed when the field is left. Leaves Undo to the window unless something is being typed.
class NumberWatch : public QObject {
  Q_OBJECT

 public:
  NumberWatch(QAbstractSpinBox& field, QLineEdit& edit, std::function<NumberRule()> rule);

  /// The text will be replaced by another one.
  void replaced(const QString& text, const QString& by);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAbstractSpinBox& field_;
  std::function<NumberRule()> rule_;
  bool typing_ = false;
};

/// A field for integers. Like RealField, it accepts any text while the user types, shows a hint if
/// the number is out of range, and limits it only when the field is left, with a notice.
class WholeField : public QSpinBox {
  Q_OBJECT

 public:
  enum class Kind { any, odd };
  WholeField(int minimum, int maximum, QWidget* parent, Kind kind = Kind::any);

  void stepBy(int steps) override;
  [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;

 protected:
  [[nodiscard]] int valueFromText(const QString& text) const override;

 private:
  [[nodiscard]] NumberRule rule() const;
  [[nodiscard]] QString bare(const QString& text) const;

  Kind kind_;
  NumberWatch* watch_;
};

/// A field for real numbers of any magnitude: a step is a tenth of the value; "1e-5" and "0,5" are
/// understood.
class RealField : public QDoubleSpinBox {
  Q_OBJECT

 public:
  RealField(double minimum, double maximum, QWidget* parent);

  [[nodiscard]] QString textFromValue(double value) const override;
  void stepBy(int steps) override;
  [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  [[nodiscard]] double valueFromText(const QString& text) const override;

 private:
  [[nodiscard]] NumberRule rule() const;
  [[nodiscard]] QString bare(const QString& text) const;

  NumberWatch* watch_;
};

/// Ends typing in the field that has the focus, if any, so that its text takes effect.
void commit_focused_field();

/// Adds a label and its field to a row, as in "z", "x", "y".
void add_labelled(QHBoxLayout& row, const QString& label, QAbstractSpinBox& field);

}  // namespace aprscope::gui
