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

/// What a job made, with what the window needs to show it at once.
struct MadeData {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
  StepCost cost;
  /// See Item.
  std::shared_ptr<const Dataset> deconvolved_from;
};

/// Does operations to items, in the background, and makes items of what they give. UI thread only.
class Runner : public QObject {
  Q_OBJECT

 public:
  Runner(ItemList& items, const Channels& channels, PreviewState& preview, Corrections& corrections,
         Services& services);

  /// Success when the current item can take the operation; else why not.
  [[nodiscard]] Status supports(const Operation& operation) const;
  /// Runs it on the whole current item in the background: progress and Cancel through
  /// Document::jobs(); the result becomes a new item, which is made current unless another was
  /// chosen meanwhile. Returns the job's id, 0 if refused (a message says why).
  std::uint64_t apply(const Operation& operation);
  /// Replays all steps of a recipe on the current item.
  std::uint64_t apply(const Recipe& recipe);
  /// Whether apply() does the same to the other channels that are seen with the current item: each
  /// in a job of its own, after that of the item. Their results are not made current. What finds
  /// cells or measures is done to the current item alone.
  [[nodiscard]] bool to_all_channels() const { return to_all_channels_; }
  void set_to_all_channels(bool all);
  /// Finds, or makes in the background, what the steps after the conversion of an APR give on the
  /// pixels that it was made from (of an APR from a file: on its reconstruction), and calls `ready`
  /// with the id of that item. Says why where there is no such thing.
  void find_pixels(std::uint64_t id, std::function<void(std::uint64_t)> ready);
  /// Makes a new item of what an operation made of `from` (see ItemList::detached()), and makes it
  /// current unless another was chosen since `choice`, see ItemList::choices().
  void add_made(const Item& from, const MadeData& made, const Operation& operation,
                const QString& name, std::uint64_t choice);

 signals:
  /// A result came that was not made current.
  void announced(std::uint64_t id, const QString& text);
  void to_all_channels_changed(bool all);

 private:
  // What was chosen when a job began, see ItemList::choices(); none: its result is neither shown
  // nor announced.
  using Choice = std::optional<std::uint64_t>;

  std::uint64_t add_result(Item item, const QString& what, Choice choice);
  std::uint64_t start(const Item& from, std::vector<Operation> steps, const QString& title,
                      Choice choice, std::function<void(std::uint64_t)> done = {});
  std::uint64_t start_current(const std::vector<Operation>& steps, const QString& title);
  void start_other_channels(const Item& item, const std::vector<Operation>& steps,
                            const QString& title);
  struct Outcome;
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
