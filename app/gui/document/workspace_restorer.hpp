#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/gui/document/item.hpp"
#include "app/gui/document/workspace/window_workspace.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope::gui {

/// Brings the items of a workspace back: first what files hold, so that there is something to look
/// at, then the results whose steps have to be done again. For workers: one call at a time.
class WorkspaceRestorer {
 public:
  /// An item with the ids that it and its parent have in the workspace; parent 0: none, or missing.
  struct Restored {
    Item item;
    std::uint64_t old_id = 0;
    std::uint64_t old_parent = 0;
  };

  WorkspaceRestorer(WindowWorkspace workspace, std::shared_ptr<const Backend> backend);

  /// Originals, and results of theirs that were exported. Fails when cancelled only; what cannot be
  /// had is in errors().
  Status read(const JobContext& context);
  /// The results whose steps are to be done again, parents first; read() first.
  [[nodiscard]] const std::deque<ShownItem>& rest() const { return rest_; }
  /// Does the steps of the first of them again, and takes it from the list.
  Status repeat(const JobContext& context);

  [[nodiscard]] const std::vector<Restored>& items() const { return items_; }
  /// What could not be had, and (second) what was done otherwise than wanted.
  [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }
  [[nodiscard]] const std::vector<Error>& doubts() const { return doubts_; }
  /// What steps took that were done again.
  [[nodiscard]] const std::vector<StepCost>& costs() const { return costs_; }

 private:
  [[nodiscard]] const Restored* find(std::uint64_t id) const;
  /// Without `repeats`, what has steps to be done again is put off to rest().
  Status restore(const ShownItem& wanted, bool repeats, const JobContext& context);
  Status restored_or_said(const ShownItem& wanted, bool repeats, const JobContext& context);
  /// Whether the next steps of an item, from `done` on, made particles whose structure other
  /// channels among the items share.
  [[nodiscard]] bool shares(const ShownItem& wanted, std::size_t done) const;
  /// Runs the steps of an item, and of the channels that share a structure with it.
  Result<Execution> run_shared(const ShownItem& wanted, std::optional<SourceInfo>& source,
                               const JobContext& context);
  Status replay(const ShownItem& wanted, const Restored* parent, Item& item,
                std::shared_ptr<const Dataset>& converted_from, const JobContext& context);

  WindowWorkspace workspace_;
  std::shared_ptr<const Backend> backend_;
  std::deque<ShownItem> rest_;
  // What was made of other channels together with an item that shares a structure with them.
  struct Together {
    std::uint64_t id = 0;
    Execution run;
    std::optional<SourceInfo> source;
  };
  std::vector<Together> together_;
  std::vector<Restored> items_;
  std::vector<Error> errors_;
  std::vector<Error> doubts_;
  std::vector<StepCost> costs_;
};

}  // namespace aprscope::gui
