#pragma once

#include <QObject>
#include <chrono>

class QTimer;

namespace aprscope::gui {

class Document;
class ViewsArea;

/// Draws what the views may show once, where nobody sees it: what OpenGL then prepares, programs
/// above all, takes a second where it draws by software, and a picture that somebody waits for
/// would have to wait for it. Views are drawn one after another, with time for events between them,
/// while there is no input: before there are data with a picture of their own, else beside what
/// they show. GUI thread only.
class Rehearsal : public QObject {
  Q_OBJECT

 public:
  Rehearsal(Document& document, ViewsArea& views, QObject* parent = nullptr);

  /// Begins after a moment, so that the window, or the first picture, is seen first.
  void start(std::chrono::milliseconds delay);

 signals:
  /// All views were drawn.
  void ended();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] bool waits(bool data) const;
  void step();
  void end();

  Document& document_;
  ViewsArea& views_;
  QTimer* timer_;
  int next_ = 0;
};

}  // namespace aprscope::gui
