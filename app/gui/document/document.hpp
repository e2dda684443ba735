#pragma once

#include <QObject>
#include <memory>

#include "app/gui/document/channels.hpp"
#include "app/gui/document/corrections.hpp"
#include "app/gui/document/exporter.hpp"
#include "app/gui/document/growing_item.hpp"
#include "app/gui/document/item_edits.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/large_files.hpp"
#include "app/gui/document/opener.hpp"
#include "app/gui/document/preview_state.hpp"
#include "app/gui/document/runner.hpp"
#include "app/gui/document/services.hpp"
#include "app/gui/document/shown_labels.hpp"
#include "app/gui/document/view_state.hpp"
#include "app/gui/document/workspace_state.hpp"

namespace aprscope::gui {

/// The data of the window and the work on it. Owns its parts and keeps them in step; panels call
/// the methods of these parts and follow their signals. Knows no widgets. UI thread only; nothing
/// here blocks: long work runs in the background and ends with a signal.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(std::shared_ptr<const Backend> backend, QObject* parent = nullptr);
  ~Document() override;

  /// The data list, with the current item.
  [[nodiscard]] ItemList& items() { return items_; }
  [[nodiscard]] const ItemList& items() const { return items_; }
  [[nodiscard]] ItemEdits& edits() { return edits_; }
  [[nodiscard]] Opener& opener() { return opener_; }
  [[nodiscard]] Runner& runner() { return runner_; }
  [[nodiscard]] Corrections& corrections() { return corrections_; }
  [[nodiscard]] Exporter& exporter() { return exporter_; }
  [[nodiscard]] GrowingItem& growing() { return growing_; }
  [[nodiscard]] WorkspaceState& workspace() { return workspace_; }
  [[nodiscard]] PreviewState& preview() { return preview_; }
  [[nodiscard]] ShownLabels& labels() { return labels_; }
  [[nodiscard]] ViewState& view() { return view_; }
  [[nodiscard]] Channels& channels() { return channels_; }

  [[nodiscard]] QUndoStack& undo_stack() { return items_.undo_stack(); }
  /// Runs work on whole data (apply, export), and previews.
  [[nodiscard]] JobBridge& jobs() { return services_.jobs; }
  /// Runs work that must not wait for jobs(): opening files, conversion estimates, raycasters.
  [[nodiscard]] JobBridge& background() { return services_.background; }
  /// The messages for the message bar.
  [[nodiscard]] Messages& messages() { return services_.messages; }

  [[nodiscard]] const Backend& backend() const { return *services_.backend; }
  [[nodiscard]] std::shared_ptr<const Backend> shared_backend() const { return services_.backend; }
  void set_backend(std::shared_ptr<const Backend> backend);

 signals:
  void backend_changed();

 private:
  void keep_in_step();
  void forget_current();
  void begin_what_follows();

  // In order of construction: each part only knows those above it.
  Services services_;
  ItemList items_;
  ItemEdits edits_;
  ViewState view_;
  Channels channels_;
  PreviewState preview_;
  ShownLabels labels_;
  Corrections corrections_;
  Runner runner_;
  GrowingItem growing_;
  LargeFiles large_files_;
  Opener opener_;
  Exporter exporter_;
  WorkspaceState workspace_;
};

}  // namespace aprscope::gui
