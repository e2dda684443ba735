#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/document/channels.hpp"
#include "app/gui/document/corrections.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/preview_state.hpp"
#include "app/gui/document/services.hpp"

namespace aprscope::gui {

/// The result of a job, with everything that the window needs to show it at once.
struct MadeData {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
  StepCost cost;
  /// See Item.
  std::shared_ptr<const Dataset> deconvolved_from;
};

/// Runs operations on items in the background and makes items of the results. UI thread only.
class Runner : public QObject {
  Q_OBJECT

 public:
  Runner(ItemList& items, const Channels& channels, PreviewState& preview, Corrections& corrections,
         Services& services);

  /// Success if the operation can be applied to the current item; else the reason.
  [[nodiscard]] Status supports(const Operation& operation) const;
  /// Runs an operation on the whole current item in the background: progress and Cancel are in
  /// Document::jobs(). The result becomes a new item and current, unless the user has chosen
  /// another item meanwhile. Returns the job's id, 0 if refused (a message says why).
  std::uint64_t apply(const Operation& operation);
  /// Replays all steps of a recipe on the current item.
  std::uint64_t apply(const Recipe& recipe);
  /// Whether apply() also runs on the other channels that are shown with the current item: each in
  /// a job of its own, after the item's job; in one job if their particles are to share a
  /// structure. Their results do not become current. Operations that find cells or measure only run
  /// on the current item.
  [[nodiscard]] bool to_all_channels() const { return to_all_channels_; }
  void set_to_all_channels(bool all);
  /// Finds or makes the pixel counterpart of an APR: the steps after its conversion, applied to the
  /// pixels that it was made from (for an APR from a file, to its reconstruction). Calls `ready`
  /// with the id of that item. Says why if that is not possible.
  void find_pixels(std::uint64_t id, std::function<void(std::uint64_t)> ready);
  /// Adds the result of an operation on `from` (see ItemList::detached()) as a new item. It becomes
  /// current unless the user has chosen another item since `choice`, see ItemList::choices().
  void add_made(const Item& from, const MadeData& made, const Operation& operation,
                const QString& name, std::uint64_t choice);

 signals:
  /// A result was added but did not become current.
  void announced(std::uint64_t id, const QString& text);
  void to_all_channels_changed(bool all);

 private:
  // The value of ItemList::choices() when the job began; none: its result neither becomes current
  // nor is announced.
  using Choice = std::optional<std::uint64_t>;

  std::uint64_t add_result(Item item, const QString& what, Choice choice);
  std::uint64_t start(const Item& from, std::vector<Operation> steps, const QString& title,
                      Choice choice, std::function<void(std::uint64_t)> done = {});
  std::uint64_t start_current(const std::vector<Operation>& steps, const QString& title);
  std::vector<Item> other_channels_for(const Item& item, const std::vector<Operation>& steps);
  std::uint64_t start_together(const std::vector<Item>& origins,
                               const std::vector<Operation>& steps, const QString& title,
                               Choice choice);
  struct Outcome;
  std::uint64_t add_outcome(const Item& from, const Outcome& outcome, const QString& title,
                            Choice choice);
  std::uint64_t add_data(const Item& from, const Outcome& outcome, const QString& title,
                         Choice choice);
  std::uint64_t add_measurement(const Item& from, const StepMeasurement& measured,
                                const Outcome& outcome, std::uint64_t data, Choice choice);

  ItemList& items_;
  const Channels& channels_;
  PreviewState& preview_;
  Corrections& corrections_;
  Services& services_;
  bool to_all_channels_ = false;
};

}  // namespace aprscope::gui
