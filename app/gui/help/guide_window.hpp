#pragma once

#include <QDialog>

class QTextBrowser;
class QToolButton;

namespace aprscope::gui {

class Theme;

/// The guide: the pages of resources/docs, as they are read elsewhere too. It stands beside the
/// work: nothing waits for it.
class GuideWindow : public QDialog {
  Q_OBJECT

 public:
  /// `first`: the page that it begins with, see guide_page().
  GuideWindow(const QString& first, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] QTextBrowser* page() const { return page_; }

 private:
  void follow_link(const QUrl& link);
  void arrange();
  /// Brings the heading that a link names to the top.
  void show_heading(const QString& anchor);

  QTextBrowser* page_ = nullptr;
};

}  // namespace aprscope::gui
