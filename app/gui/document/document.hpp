#pragma once

#include <QObject>
#include <QStringList>
#include <QUndoStack>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/gui/document/item.hpp"
#include "app/gui/document/job_bridge.hpp"
#include "core/cells/amended_labels.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/workspace.hpp"

namespace aprscope::gui {

class ConversionPreview;
class LabelPreview;
struct LiveImage;

/// How severe a message to the user is.
enum class MessageKind { info, warning, error };

/// How an item is written.
struct ExportOptions {
  /// .apr: also the tree.
  bool with_tree = false;
  /// .tif of particles: smooth instead of constant reconstruction.
  bool smooth = false;
  /// .tif: the labels instead of the image.
  bool labels = false;
  /// .mrc: also the half maps that a map was made with, NAME_half1 and NAME_half2.
  bool halves = false;
  /// The projection, turning once, in so many pictures: .mp4, .webm, or a folder of .png.
  bool turn = false;
  int frames = 120;
};

/// What a job made, with what the window needs to show it at once.
struct MadeData {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
  StepCost cost;
  /// See Item.
  std::shared_ptr<const Dataset> deconvolved_from;
};

/// What the window shows and works on: the data list, the current item, crosshair, display
/// settings, the preview that is being edited, and the undo stack. Panels change it through its
/// methods and follow its signals; it knows no widgets. UI thread only; nothing here blocks: long
/// work runs in the background and ends in a signal.
///
/// References and pointers to items hold until the next change of the list.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(std::shared_ptr<const Backend> backend, QObject* parent = nullptr);
  ~Document() override;

  // --- items
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  /// Null for an unknown id.
  [[nodiscard]] const Item* item(std::uint64_t id) const;
  /// Null while the list is empty.
  [[nodiscard]] const Item* current() const { return item(current_); }
  void set_current(std::uint64_t id);
  /// How often somebody has chosen an item. What was started before the last choice is announced
  /// when it is done, and not selected: whoever has gone on is not called back.
  [[nodiscard]] std::uint64_t choices() const { return choices_; }
  /// Name with those of what it was made from, whether that is still there or not, and the part of
  /// the file: "cells › particles › Gaussian (channel 2)".
  [[nodiscard]] QString full_name(std::uint64_t id) const;
  /// The same without the part.
  [[nodiscard]] QString lineage(const Item& item) const;
  /// A copy that keeps where it came from, whatever becomes of the list.
  [[nodiscard]] Item detached(const Item& item) const;
  /// The item itself; of a measurement the item that was measured. Null: that is gone.
  [[nodiscard]] const Item* data_item(const Item& item) const;
  /// The item itself; of a measurement the data that was measured, with the recipe that leads there
  /// (its id may be gone from the list).
  [[nodiscard]] Item data_of(const Item& item) const;
  void rename(std::uint64_t id, const QString& name);
  void close(std::uint64_t id);

  /// Opens files in the background, one job each. "file.h5:/path" picks a dataset; an HDF5 file
  /// with several and none picked emits dataset_choice_needed instead. A recipe (.json) is
  /// applied to the current item.
  void open(const QStringList& paths);
  /// Opens what inspect() found.
  void open(const SourceInfo& info, const SourceSelection& selection = {});
  /// Opens the built-in demo image.
  void open_demo();
  /// Gives an original another voxel size than its file says, in the background; undoable. Results
  /// that were made before keep theirs.
  void set_voxel_size(std::uint64_t id, const VoxelSize& voxel);
  /// Reconstructions of a set of projections leave these rows out, see row_ranges(); undoable.
  void set_left_out(std::uint64_t id, const std::string& rows);
  /// Loads another channel or time point of an original in its place, in the background.
  void select(std::uint64_t id, const SourceSelection& selection);

  // --- operations
  [[nodiscard]] const Backend& backend() const { return *backend_; }
  [[nodiscard]] std::shared_ptr<const Backend> shared_backend() const { return backend_; }
  void set_backend(std::shared_ptr<const Backend> backend);

  /// Success when the current item can take the operation; else why not.
  [[nodiscard]] Status supports(const Operation& operation) const;
  /// Runs it on the whole current item in the background: progress and Cancel through jobs(); the
  /// result becomes a new item, which is made current unless another was chosen meanwhile. Returns
  /// the job's id, 0 if refused (a message says why).
  std::uint64_t apply(const Operation& operation);
  /// Whether an operation changes the labels of an item in its place, instead of making another.
  static bool amends(const Operation& operation);
  /// Does so in the background, undoable; see apply(), which calls it where it is meant.
  std::uint64_t amend(const Operation& operation);
  /// Takes the last of them back, done or not: it was meant as something else.
  void take_back_amendment();
  /// Makes ready, in the background, what the first correction of the current item would have to
  /// wait for.
  void prepare_corrections();
  /// The labels that corrections make, see there; for undo commands.
  [[nodiscard]] AmendedLabels& amended_labels() { return *amended_; }
  /// Replays all steps of a recipe on the current item.
  std::uint64_t apply(const Recipe& recipe);
  /// Finds, or makes in the background, what the steps after the conversion of an APR give on the
  /// pixels that it was made from (of an APR from a file: on its reconstruction), and calls `ready`
  /// with the id of that item. Says why where there is no such thing.
  void find_pixels(std::uint64_t id, std::function<void(std::uint64_t)> ready);
  /// Has the MIP renderer of an item built in the background; raycaster_ready follows.
  void prepare_raycaster(std::uint64_t id);
  /// Writes an item in the background, by the ending of `path`: .apr (particles), .tif (pixels, or
  /// the reconstruction of particles), .json (the recipe). Returns the job's id, 0 if refused.
  std::uint64_t export_item(std::uint64_t id, const QString& path,
                            const ExportOptions& options = {});

  /// Makes a new item of what an operation made of `from` (see detached()), and makes it current
  /// unless another was chosen since `choice`, see choices().
  void add_made(const Item& from, const MadeData& made, const Operation& operation,
                const QString& name, std::uint64_t choice);

  /// Shows what a job is making of the item `from`, as an item of its own that no history knows:
  /// made at first, and chosen if `from` is, replaced from then on. Automatic contrast follows
  /// until somebody changes it.
  void show_growing(const Item& from, const QString& name,
                    const std::shared_ptr<const Dataset>& dataset,
                    const std::shared_ptr<const Histogram>& histogram,
                    const std::shared_ptr<const Raycaster>& raycaster);
  /// It goes.
  void end_growing();
  /// 0 while there is none.
  [[nodiscard]] std::uint64_t growing() const { return growing_; }

  // --- workspace
  /// Items as a workspace keeps them, and which is current.
  [[nodiscard]] Workspace workspace() const;
  /// Takes a workspace in the place of all items, in the background: shows what files hold, then
  /// does the steps of the rest again, one result after the other. `done` gets the new id of each
  /// item, by its old one (some may never come: a message says why for each), when there is
  /// something to see, and again where the end changes what is looked at. Cancelled while files are
  /// read, nothing changes; later, what was not repeated yet is missing.
  void open_workspace(const Workspace& workspace,
                      std::function<void(const std::map<std::uint64_t, std::uint64_t>&)> done);

  // --- preview
  /// What the slices show of its item instead of the data, while that is being worked on; null:
  /// the data.
  void set_live(std::shared_ptr<const LiveImage> live);
  /// That of the current item only.
  [[nodiscard]] std::shared_ptr<const LiveImage> live() const;
  /// Shows what `operation` would do to the current item in the visible slices, as computed in the
  /// background. Call it at each edit: the newest wins. A conversion also renews the estimate.
  void set_preview(const Operation& operation);
  void clear_preview();
  [[nodiscard]] const std::optional<Operation>& preview() const { return preview_; }
  /// What slices show of a conversion preview: constant, smooth, level or dots.
  void set_conversion_view(ShowMode mode);
  [[nodiscard]] ShowMode conversion_view() const { return conversion_view_; }
  /// The particles that the previewed conversion gives; null while unknown or none is previewed.
  [[nodiscard]] std::shared_ptr<const Dataset> preview_dataset() const;

  /// The labels of the current item, or those that the previewed operation would give it; null:
  /// none.
  [[nodiscard]] std::shared_ptr<const Labels> shown_labels() const;
  /// Shows the labels of another item of the same size over the current one, which keeps its own;
  /// 0: its own. Of particles only over others in the same places. Forgotten with another item.
  void show_labels_of(std::uint64_t id);
  [[nodiscard]] std::uint64_t labels_of() const { return labels_of_; }
  /// Whether the labels of an item could be shown over the current one.
  [[nodiscard]] bool fits_labels_of(const Item& other) const;
  [[nodiscard]] LabelPreview& label_preview() { return *label_preview_; }

  /// Estimates a conversion of the current item (a pixel image) in the background without showing
  /// it; the newest request wins. set_preview() of a conversion does the same.
  void request_estimate(const Operation& convert);
  /// The conversion that is estimated.
  [[nodiscard]] const Operation& convert_operation() const { return convert_; }
  /// The newest finished estimate of the current item; none while unknown.
  [[nodiscard]] const std::optional<ConversionEstimate>& estimate() const;
  [[nodiscard]] bool estimate_pending() const;
  [[nodiscard]] ConversionPreview& conversion_preview() { return *conversion_; }

  // --- display
  /// Undoable; changes of the same settings in a row count as one step.
  void set_display(std::uint64_t id, const DisplaySettings& display);
  /// Contrast from the item's histogram.
  void set_automatic_contrast(std::uint64_t id);
  [[nodiscard]] const Index3& crosshair() const { return crosshair_; }
  /// Clamped to the current item.
  void set_crosshair(const Index3& position);
  /// Moves it, in the background, to the brightest pixel or particle of the current item.
  void go_to_brightest();
  [[nodiscard]] const ViewOptions& view_options() const { return view_options_; }
  void set_view_options(const ViewOptions& options);

  // --- the rest
  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }
  /// Work on whole data (apply, export), and previews.
  [[nodiscard]] JobBridge& jobs() { return *jobs_; }
  /// What need not wait for that: opening files, conversion estimates, MIP renderers.
  [[nodiscard]] JobBridge& background() { return *background_; }
  /// Says something in the message bar.
  void say(MessageKind kind, const QString& text) { emit message(kind, text); }
  void say(const Error& error);
  /// Says where steps were computed elsewhere than on the chosen device, and why; each time.
  void say_moves(const std::vector<StepCost>& costs);

  // For undo commands only: change the list without a step of history.
  void insert_item(Item item, std::size_t position);
  void show_item(std::uint64_t id) { make_current(id); }
  Item take_item(std::uint64_t id, std::size_t* position = nullptr);
  void change_item(std::uint64_t id, const std::function<void(Item&)>& change);

 signals:
  /// The list changed: an item came, went, or got another name.
  void items_changed();
  /// Another item is current, or none.
  void current_changed();
  /// The data of an item was replaced (another channel or time point).
  void data_changed(std::uint64_t id);
  /// A workspace (.aprscope) was dropped or opened as a file.
  void workspace_dropped(const QString& path);
  /// Display settings of an item changed.
  void display_changed(std::uint64_t id);
  /// Other rows of an item are left out.
  void left_out_changed(std::uint64_t id);
  void view_options_changed();
  void crosshair_changed(const aprscope::Index3& position);
  /// live() changed.
  void live_changed();
  /// shown_labels() changed while the item stayed.
  void shown_labels_changed();
  /// A preview was set, changed, or cleared.
  void preview_changed();
  /// The dataset that a conversion preview gives is there.
  void preview_dataset_changed();
  /// estimate() or estimate_pending() changed.
  void estimate_changed();
  /// The MIP renderer of an item is ready: item(id)->raycaster.
  void raycaster_ready(std::uint64_t id);
  void backend_changed();
  void message(aprscope::gui::MessageKind kind, const QString& text);
  /// A result came that was not made current.
  void announced(std::uint64_t id, const QString& text);
  /// A file holds several volumes: ask, then call open() with the chosen info.dataset.
  void dataset_choice_needed(const aprscope::SourceInfo& info);
  /// A file was opened / an item was written.
  void opened(const QString& path);
  void exported(const QString& path);

 private:
  std::uint64_t add(Item item, const QString& what);
  std::uint64_t add_result(Item item, const QString& what, std::uint64_t choice);
  std::uint64_t start_amendment();
  std::uint64_t start(const Item& from, std::vector<Operation> steps, const QString& title,
                      std::function<void(std::uint64_t)> done = {});
  void descend(Item& result, const Item& from) const;
  struct Outcome;
  std::uint64_t add_data(const Item& from, const Outcome& outcome, const QString& title,
                         std::uint64_t choice);
  std::uint64_t add_measurement(const Item& from, const StepMeasurement& measured,
                                const Outcome& outcome, std::uint64_t data, std::uint64_t choice);
  struct Opening;
  void show_restored(Opening& opening);
  void repeat_next();
  void end_opening();
  void open_recipe(const QString& path);
  void load_into(std::uint64_t id, const SourceInfo& info, const SourceSelection& selection);
  void make_current(std::uint64_t id);
  void forget_previews();
  void follow_data(std::uint64_t id, bool same_values);
  void derive();
  [[nodiscard]] Index3 clamped(const Index3& position) const;

  std::shared_ptr<const Backend> backend_;
  std::vector<Item> items_;
  std::uint64_t current_ = 0;
  std::uint64_t next_id_ = 1;
  std::uint64_t choices_ = 0;
  std::uint64_t growing_ = 0;
  Index3 crosshair_{0, 0, 0};
  ViewOptions view_options_;
  std::optional<Operation> preview_;
  std::shared_ptr<const LiveImage> live_;
  /// The conversion that is estimated for every image that becomes current.
  Operation convert_;
  ShowMode conversion_view_ = ShowMode::constant;
  /// The workspace that is being opened, until all of it is there.
  std::shared_ptr<Opening> opening_;
  QUndoStack undo_;
  std::unique_ptr<JobBridge> jobs_;
  std::unique_ptr<JobBridge> background_;
  std::unique_ptr<ConversionPreview> conversion_;
  std::unique_ptr<LabelPreview> label_preview_;
  /// Corrections that wait for one another, the first of them under way, and its job.
  std::vector<std::pair<std::uint64_t, Operation>> amendments_;
  std::uint64_t amending_ = 0;
  /// What comes of the one under way is not wanted any more.
  bool amending_in_vain_ = false;
  /// The item whose labels are shown; 0: the current one.
  std::uint64_t labels_of_ = 0;
  /// Of the current item; jobs work with it, too.
  std::shared_ptr<AmendedLabels> amended_;
};

}  // namespace aprscope::gui
