#pragma once

#include <QTreeWidget>
#include <cstdint>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/theme.hpp"

namespace aprscope::gui {

/// The data list: originals with their results below them, with name, size, CR and memory.
class DataList : public QTreeWidget {
  Q_OBJECT

 public:
  DataList(Document& document, Theme& theme, QWidget* parent = nullptr);

  /// The row of an item; null if there is none.
  [[nodiscard]] QTreeWidgetItem* row(std::uint64_t id) const;

 signals:
  void export_requested(std::uint64_t id);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void rebuild();
  void fill_row(QTreeWidgetItem* row, const Item& item);
  void mark_current();

  Document& document_;
  Theme& theme_;
  bool filling_ = false;
};

}  // namespace aprscope::gui
