#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace aprscope::gui {

class Theme;

/// "What is this?": one page about what the program shows and what its words mean, with a list of
/// its parts beside it. It stands beside the work: nothing waits for it.
class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  explicit HelpWindow(Theme& theme, QWidget* parent = nullptr);

  /// Comes to the front with a part of the page at the top (see help_sections()); an unknown id is
  /// the beginning.
  void open_at(const QString& section);

  [[nodiscard]] QTextBrowser* page() const { return page_; }
  [[nodiscard]] QListWidget* contents() const { return contents_; }

 signals:
  /// The link to the tour was clicked.
  void tour_requested();

 private:
  void fill();
  void scroll_to(const QString& section);
  void follow_link(const QUrl& link);
  void follow_scrolling();
  [[nodiscard]] int row_of(const QString& section) const;

  Theme& theme_;
  QListWidget* contents_ = nullptr;
  QTextBrowser* page_ = nullptr;
  /// The page moves because a part was asked for.
  bool leading_ = false;
};

}  // namespace aprscope::gui
