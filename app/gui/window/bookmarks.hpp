#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <vector>

#include "app/gui/document/workspace/workspace_views.hpp"
#include "app/gui/views/views_area.hpp"

namespace aprscope::gui {

/// A place to come back to, and what the 3-D view showed when it was made; a null picture: it was
/// read from a workspace.
struct Bookmark {
  WorkspaceBookmark place;
  QImage picture;
};

/// The bookmarks of a window: crosshair, cameras and clipping box of the views. UI thread only.
class Bookmarks : public QObject {
  Q_OBJECT

 public:
  Bookmarks(Document& document, ViewsArea& views, QObject* parent);

  [[nodiscard]] const std::vector<Bookmark>& all() const { return all_; }
  /// Adds the present state of the views at the end, with a name of its own; false: there is no
  /// data, or there are a thousand already.
  bool add();
  /// Goes to a bookmark, by its position. Where an overview was shown when it was made and all of
  /// the file is now, or the reverse, to the same place of it.
  void go_to(std::size_t at);
  void remove(std::size_t at);
  void rename(std::size_t at, const QString& name);
  /// Moves one to another position.
  void move(std::size_t from, std::size_t to);
  /// All at once, from a workspace; and back.
  void set_places(const std::vector<WorkspaceBookmark>& places);
  [[nodiscard]] std::vector<WorkspaceBookmark> places() const;

  /// Exports a movie of the current item from bookmark to bookmark, each way taking so many
  /// seconds; progress and Cancel are in Document::jobs(). Messages say what keeps it.
  void export_flight(const QString& path, double seconds);

 signals:
  /// Others are there now, or in another order.
  void changed();

 private:
  void touch();

  Document& document_;
  ViewsArea& views_;
  std::vector<Bookmark> all_;
  int named_ = 0;
};

}  // namespace aprscope::gui
