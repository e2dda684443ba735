#pragma once

#include <QDialog>

class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace aprscope::gui {

class Bookmarks;
class RealField;

/// The bookmarks with their pictures: go there, rename, order, remove; and a movie through them.
/// Stays open beside the views.
class BookmarksDialog : public QDialog {
  Q_OBJECT

 public:
  explicit BookmarksDialog(Bookmarks& bookmarks, QWidget* parent = nullptr);

 private:
  void fill();
  void update_buttons();
  void move_row(int by);
  void ask_movie();

  Bookmarks& bookmarks_;
  QListWidget* list_ = nullptr;
  QPushButton* go_ = nullptr;
  QPushButton* earlier_ = nullptr;
  QPushButton* later_ = nullptr;
  QPushButton* remove_ = nullptr;
  QPushButton* movie_ = nullptr;
  RealField* seconds_ = nullptr;
};

}  // namespace aprscope::gui
