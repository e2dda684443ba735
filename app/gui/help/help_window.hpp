#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace aprscope::gui {

class Theme;

/// "What is this?": a page that explains what the program shows and what its words mean, with a
/// list of its parts. Not modal, so that it can be read beside the work.
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
  /// True while the page scrolls to a part that was asked for.
  bool leading_ = false;
};

}  // namespace aprscope::gui
