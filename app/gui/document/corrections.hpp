#pragma once

#include <QObject>
#include <memory>
#include <utility>
#include <vector>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "core/cells/amended_labels.hpp"

namespace aprscope::gui {

/// Corrections of labels, which change an item in place instead of making another. They run in the
/// background, one after the other, and can be undone. UI thread only.
class Corrections : public QObject {
  Q_OBJECT

 public:
  Corrections(ItemList& items, Services& services);

  /// Whether an operation changes the labels of an item in its place.
  static bool amends(const Operation& operation);
  /// Corrects the labels of the current item; called by Runner::apply() for such operations.
  /// Returns the job's id, 0 if refused.
  std::uint64_t amend(const Operation& operation);
  /// Takes the last correction back, finished or not: its click was part of a double click.
  void take_back();
  /// Prepares in the background what the first correction of the current item would have to wait
  /// for.
  void prepare();
  /// The copies of labels that corrections work on, for undo commands.
  [[nodiscard]] AmendedLabels& amended_labels() { return *amended_; }
  /// Releases everything that belongs to the current item.
  void forget();

 private:
  std::uint64_t start_next();

  ItemList& items_;
  Services& services_;
  /// The corrections that have to be made, the first of which is running; and its job.
  std::vector<std::pair<std::uint64_t, Operation>> waiting_;
  std::uint64_t running_ = 0;
  /// The running correction was taken back: ignore its result.
  bool running_in_vain_ = false;
  /// Belongs to the current item; jobs use it as well.
  std::shared_ptr<AmendedLabels> amended_;
};

}  // namespace aprscope::gui
