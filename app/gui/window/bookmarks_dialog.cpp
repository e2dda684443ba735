#include "app/gui/window/bookmarks_dialog.hpp"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/bookmarks.hpp"

namespace aprscope::gui {
namespace {

constexpr QSize kPicture(96, 72);

QString default_movie() { return QStringLiteral("flight.mp4"); }

}  // namespace

BookmarksDialog::BookmarksDialog(Bookmarks& bookmarks, QWidget* parent)
    : QDialog(parent), bookmarks_(bookmarks) {
  setObjectName(QStringLiteral("bookmarks_dialog"));
  setWindowTitle(tr("Bookmarks"));
  auto* layout = new QVBoxLayout(this);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("bookmark_list"));
  list_->setIconSize(kPicture);
  list_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
  layout->addWidget(list_);
  auto* row = new QHBoxLayout;
  const auto button = [&](const char* name, const QString& text, const QString& tip) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setAutoDefault(false);
    row->addWidget(made);
    return made;
  };
  auto* add = button("bookmark_add", tr("Add"), tr("The views as they are now (Ctrl+D)"));
  go_ = button("bookmark_go", tr("Go there"), tr("Also a double click on it"));
  earlier_ = button("bookmark_earlier", tr("Earlier"), tr("One place up in the list"));
  later_ = button("bookmark_later", tr("Later"), tr("One place down in the list"));
  remove_ = button("bookmark_remove", tr("Remove"), tr("Takes it off the list"));
  layout->addLayout(row);
  auto* film = new QHBoxLayout;
  film->addWidget(new QLabel(tr("Seconds from one to the next"), this));
  seconds_ = new RealField(0.1, 60.0, this);
  seconds_->setObjectName(QStringLiteral("bookmark_seconds"));
  seconds_->setAccessibleName(tr("Seconds from one to the next"));
  seconds_->setValue(3.0);
  film->addWidget(seconds_);
  film->addStretch();
  movie_ = new QPushButton(tr("Movie …"), this);
  movie_->setObjectName(QStringLiteral("bookmark_movie"));
  movie_->setToolTip(tr("A flight of the 3-D view through the bookmarks, in their order"));
  movie_->setAutoDefault(false);
  film->addWidget(movie_);
  layout->addLayout(film);
  const auto row_now = [this] {
    return static_cast<std::size_t>(std::max(0, list_->currentRow()));
  };
  connect(add, &QPushButton::clicked, &bookmarks_, &Bookmarks::add);
  connect(go_, &QPushButton::clicked, this, [this, row_now] { bookmarks_.go_to(row_now()); });
  connect(list_, &QListWidget::itemDoubleClicked, this,
          [this, row_now] { bookmarks_.go_to(row_now()); });
  connect(earlier_, &QPushButton::clicked, this, [this] { move_row(-1); });
  connect(later_, &QPushButton::clicked, this, [this] { move_row(1); });
  connect(remove_, &QPushButton::clicked, this, [this, row_now] { bookmarks_.remove(row_now()); });
  connect(movie_, &QPushButton::clicked, this, &BookmarksDialog::ask_movie);
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    const QString name = item->text().trimmed();
    const auto at = static_cast<std::size_t>(list_->row(item));
    // A name without letters is none: the former one stays.
    if (name.isEmpty()) return fill();
    bookmarks_.rename(at, name);
  });
  connect(list_, &QListWidget::currentRowChanged, this, &BookmarksDialog::update_buttons);
  connect(&bookmarks_, &Bookmarks::changed, this, &BookmarksDialog::fill);
  fill();
  if (list_->count() > 0) list_->setCurrentRow(0);
}

void BookmarksDialog::fill() {
  const int before = list_->currentRow();
  const int had = list_->count();
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const Bookmark& one : bookmarks_.all()) {
    auto* item = new QListWidgetItem(QString::fromStdString(one.place.name), list_);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    if (!one.picture.isNull()) item->setIcon(QPixmap::fromImage(one.picture));
  }
  // What was just added is chosen.
  const int now = list_->count();
  list_->setCurrentRow(now > had ? now - 1 : std::min(before, now - 1));
  update_buttons();
}

void BookmarksDialog::update_buttons() {
  const int row = list_->currentRow();
  go_->setEnabled(row >= 0);
  remove_->setEnabled(row >= 0);
  earlier_->setEnabled(row > 0);
  later_->setEnabled(row >= 0 && row + 1 < list_->count());
  movie_->setEnabled(list_->count() > 1);
}

void BookmarksDialog::move_row(int by) {
  const int row = list_->currentRow();
  const int to = row + by;
  if (row < 0 || to < 0 || to >= list_->count()) return;
  bookmarks_.move(static_cast<std::size_t>(row), static_cast<std::size_t>(to));
  list_->setCurrentRow(to);
}

void BookmarksDialog::ask_movie() {
  auto* dialog = new QFileDialog(this, tr("Movie through the bookmarks"), default_movie(),
                                 tr("Movies (*.mp4 *.webm);;A folder of pictures (*)"));
  dialog->setObjectName(QStringLiteral("bookmark_movie_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { bookmarks_.export_flight(path, seconds_->value()); });
  dialog->open();
}

}  // namespace aprscope::gui
