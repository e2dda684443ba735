#pragma once

#include <QDialog>

class QTextBrowser;
class QToolButton;

namespace aprscope::gui {

class Theme;

/// The guide: the pages of resources/docs, which can be read elsewhere too. The window is not
/// modal, so that it can be read beside the work.
class GuideWindow : public QDialog {
  Q_OBJECT

 public:
  /// `first`: the page to open first, see guide_page().
  GuideWindow(const QString& first, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] QTextBrowser* page() const { return page_; }

 private:
  void follow_link(const QUrl& link);
  void arrange();
  /// Scrolls to the heading that a link names.
  void show_heading(const QString& anchor);

  QTextBrowser* page_ = nullptr;
};

}  // namespace aprscope::gui
