#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace aprscope::gui {

/// The page instead of the views while nothing is open: ways to open something, and one sentence
/// about the program.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent = nullptr);

 signals:
  void open_requested();
  void demo_requested();
  /// The user chose a recent file.
  void file_requested(const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void build_buttons(QVBoxLayout& column);
  void fill_recent();
  void fit_title();

  QLabel* title_ = nullptr;
  QWidget* recent_ = nullptr;
  QPushButton* what_ = nullptr;
};

}  // namespace aprscope::gui
