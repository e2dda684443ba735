#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>
#include <functional>
#include <optional>

class QHBoxLayout;

namespace aprscope::gui {

/// Which numbers a field takes.
struct NumberRule {
  double minimum = 0.0;
  double maximum = 0.0;
  bool whole = false;
  /// Odd, or the minimum (0 where that means automatic).
  bool odd = false;
};

/// What a text is by a rule.
struct NumberVerdict {
  /// The number that is meant; none where it is no number.
  std::optional<double> number;
  /// A phrase that follows the text: "is above 50, the limit"; empty where nothing is wrong.
  QString problem;
  /// What is used instead.
  double nearest = 0.0;
};
NumberVerdict judge(const QString& text, const NumberRule& rule);

/// Watches the text of a number field: says beside it what is wrong while it is typed, and what was
/// made of it when it is left; leaves Undo to the window unless something is being typed.
class NumberWatch : public QObject {
  Q_OBJECT

 public:
  NumberWatch(QAbstractSpinBox& field, QLineEdit& edit, std::function<NumberRule()> rule);

  /// The text is about to be replaced by what is used instead.
  void replaced(const QString& text, const QString& by);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAbstractSpinBox& field_;
  std::function<NumberRule()> rule_;
  bool typing_ = false;
};

/// A field for whole numbers. Like RealField, it takes any text while one types, tells the limit
/// beside it, and clamps, visibly, only when it is left.
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

/// A field for real numbers, of any magnitude: steps are a tenth of the value; "1e-5" and "0,5" are
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

/// Ends the typing in the field that has the focus, if one has: its text counts from now on.
void commit_focused_field();

/// A field behind its label, of a row of them: "z", "x", "y".
void add_labelled(QHBoxLayout& row, const QString& label, QAbstractSpinBox& field);

}  // namespace aprscope::gui
