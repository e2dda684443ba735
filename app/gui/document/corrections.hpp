#pragma once

#include <QObject>
#include <memory>
#include <utility>
#include <vector>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "core/cells/amended_labels.hpp"

namespace aprscope::gui {

/// Corrections of labels, which change an item in its place instead of making another. They are
/// made in the background, one after the other, and undoable. UI thread only.
class Corrections : public QObject {
  Q_OBJECT

 public:
  Corrections(ItemList& items, Services& services);

  /// Whether an operation changes the labels of an item in its place.
  static bool amends(const Operation& operation);
  /// Does so to the current item; see Runner::apply(), which calls it where it is meant. Returns
  /// the job's id, 0 if refused.
  std::uint64_t amend(const Operation& operation);
  /// Takes the last of them back, done or not: it was meant as something else.
  void take_back();
  /// Makes ready, in the background, what the first correction of the current item would have to
  /// wait for.
  void prepare();
  /// The labels that corrections make, see there; for undo commands.
  [[nodiscard]] AmendedLabels& amended_labels() { return *amended_; }
  /// Lets go of what belongs to the current item.
  void forget();

 private:
  std::uint64_t start_next();

  ItemList& items_;
  Services& services_;
  /// Corrections that wait for one another, the first of them under way, and its job.
  std::vector<std::pair<std::uint64_t, Operation>> waiting_;
  std::uint64_t running_ = 0;
  /// What comes of the one under way is not wanted any more.
  bool running_in_vain_ = false;
  /// Of the current item; jobs work with it, too.
  std::shared_ptr<AmendedLabels> amended_;
};

}  // namespace aprscope::gui
