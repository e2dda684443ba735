#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <memory>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "app/gui/document/view_state.hpp"
#include "app/gui/document/workspace/window_workspace.hpp"

namespace aprscope::gui {

/// The items of the document as a workspace, and back. UI thread only.
class WorkspaceState : public QObject {
  Q_OBJECT

 public:
  WorkspaceState(ItemList& items, ViewState& view, Services& services);
  ~WorkspaceState() override;

  /// Items as a workspace keeps them, and which is current.
  [[nodiscard]] WindowWorkspace capture() const;
  /// Takes a workspace in the place of all items, in the background: shows what files hold, then
  /// does the steps of the rest again, one result after the other. `done` gets the new id of each
  /// item, by its old one (some may never come: a message says why for each), when there is
  /// something to see, and again where the end changes what is looked at. Cancelled while files are
  /// read, nothing changes; later, what was not repeated yet is missing.
  void open(const WindowWorkspace& workspace,
            std::function<void(const std::map<std::uint64_t, std::uint64_t>&)> done);

 private:
  struct Opening;
  void show_restored(Opening& opening);
  void repeat_next();
  void end_opening();

  ItemList& items_;
  ViewState& view_;
  Services& services_;
  /// The workspace that is being opened, until all of it is there.
  std::shared_ptr<Opening> opening_;
};

}  // namespace aprscope::gui
