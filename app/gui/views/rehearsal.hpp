#pragma once

#include <QObject>
#include <chrono>

class QTimer;

namespace aprscope::gui {

class Document;
class ViewsArea;

/// Draws each view once with a picture that nobody sees, while there are no data yet: what OpenGL
/// then prepares, the programs of a view above all, takes a second where it draws by software, and
/// the first picture of a file would have to wait for it. Views are drawn one after another, with
/// time for events between them; data that arrive end it. GUI thread only.
class Rehearsal : public QObject {
  Q_OBJECT

 public:
  Rehearsal(Document& document, ViewsArea& views, QObject* parent = nullptr);

  /// Begins after a moment, so that the window is seen first.
  void start(std::chrono::milliseconds delay);

 signals:
  /// All views were drawn, or data came before.
  void ended();

 private:
  void step();
  void end();

  Document& document_;
  ViewsArea& views_;
  QTimer* timer_;
  int next_ = 0;
};

}  // namespace aprscope::gui
