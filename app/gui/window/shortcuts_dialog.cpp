#include "app/gui/window/shortcuts_dialog.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <array>

#include "app/gui/window/grouped_list.hpp"

namespace aprscope::gui {
namespace {

struct ViewKey {
  const char* key;
  const char* what;
};

constexpr std::array kSliceKeys{
    ViewKey{QT_TRANSLATE_NOOP("keys", "Left click or drag"),
            QT_TRANSLATE_NOOP("keys", "Move the crosshair; the other views follow")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Wheel"),
            QT_TRANSLATE_NOOP("keys", "Next or previous slice")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Ctrl + wheel, + and −"), QT_TRANSLATE_NOOP("keys", "Zoom")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Middle or right drag, Space + drag"),
            QT_TRANSLATE_NOOP("keys", "Pan")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Page Up, Page Down"),
            QT_TRANSLATE_NOOP("keys", "Slice by one (with Shift by ten)")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Home, End"),
            QT_TRANSLATE_NOOP("keys", "First or last slice")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Arrows"),
            QT_TRANSLATE_NOOP("keys", "Crosshair by one pixel")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "F"), QT_TRANSLATE_NOOP("keys", "Fit the slice")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Drag the handle"),
            QT_TRANSLATE_NOOP("keys", "Reveal more of A or of B (comparison)")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Ctrl+Shift+D, then drag"),
            QT_TRANSLATE_NOOP("keys", "Draw, move or resize the box to crop")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Ctrl+L, then drag"),
            QT_TRANSLATE_NOOP("keys",
                              "Draw a line, or move it or its ends (Shift: in eight directions)")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Double click"),
            QT_TRANSLATE_NOOP("keys", "Maximise or restore the view")}};

constexpr std::array kMipKeys{
    ViewKey{QT_TRANSLATE_NOOP("keys", "Left drag"), QT_TRANSLATE_NOOP("keys", "Turn")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Middle drag"), QT_TRANSLATE_NOOP("keys", "Pan")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "Wheel, right drag"), QT_TRANSLATE_NOOP("keys", "Zoom")},
    ViewKey{QT_TRANSLATE_NOOP("keys", "R"), QT_TRANSLATE_NOOP("keys", "Oblique view, fitted")}};

QString translated(const char* text) { return QCoreApplication::translate("keys", text); }

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Keyboard shortcuts"));
  setObjectName(QStringLiteral("shortcuts_dialog"));
  resize(540, 640);
  auto* layout = new QVBoxLayout(this);
  auto* list = new QTreeWidget(this);
  list->setHeaderLabels({tr("What"), tr("Key or mouse")});
  list->setRootIsDecorated(false);
  list->setIndentation(12);
  list->setSelectionMode(QAbstractItemView::NoSelection);
  list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list->header()->setStretchLastSection(false);

  auto* everywhere = add_group(list, tr("Everywhere"));
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    QString text = action->iconText().isEmpty() ? action->text() : action->iconText();
    text.remove(QLatin1Char('&')).remove(QStringLiteral(" …"));
    new QTreeWidgetItem(everywhere, {text, action->shortcut().toString(QKeySequence::NativeText)});
  }
  auto* slices = add_group(list, tr("In a slice"));
  for (const ViewKey& k : kSliceKeys) {
    new QTreeWidgetItem(slices, {translated(k.what), translated(k.key)});
  }
  auto* mip = add_group(list, tr("In the 3-D view"));
  for (const ViewKey& k : kMipKeys) {
    new QTreeWidgetItem(mip, {translated(k.what), translated(k.key)});
  }
  list->expandAll();
  layout->addWidget(list);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

}  // namespace aprscope::gui
