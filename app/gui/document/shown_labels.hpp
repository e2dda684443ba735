#pragma once

#include <QObject>
#include <memory>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/preview_state.hpp"

namespace aprscope::gui {

/// The labels drawn over the current item: its own, those of another item, or those of a preview.
/// UI thread only.
class ShownLabels : public QObject {
  Q_OBJECT

 public:
  ShownLabels(ItemList& items, PreviewState& preview);

  /// The labels to draw: of the current item, of the item chosen with show_those_of(), or of the
  /// previewed operation; null: none.
  [[nodiscard]] std::shared_ptr<const Labels> labels() const;
  /// Shows the labels of another item of the same size over the current one; 0: its own. Labels of
  /// particles need the same structure. Reset when another item becomes current.
  void show_those_of(std::uint64_t id);
  /// The item whose labels are shown; 0: the current one.
  [[nodiscard]] std::uint64_t other() const { return other_; }
  /// Whether the labels of an item could be shown over the current one.
  [[nodiscard]] bool fits(const Item& other) const;
  /// Shows the labels of the current item again; emits nothing.
  void forget() { other_ = 0; }

 signals:
  /// labels() changed while the item stayed.
  void changed();

 private:
  void follow_data(std::uint64_t id);
  void follow_taken(std::uint64_t id);

  ItemList& items_;
  PreviewState& preview_;
  std::uint64_t other_ = 0;
};

}  // namespace aprscope::gui
