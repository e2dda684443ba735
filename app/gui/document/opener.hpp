#pragma once

#include <QObject>
#include <QStringList>
#include <map>

#include "app/gui/document/channels.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/large_files.hpp"
#include "app/gui/document/runner.hpp"
#include "app/gui/document/services.hpp"
#include "app/gui/document/stitcher.hpp"
#include "app/gui/document/time_ahead.hpp"

namespace aprscope::gui {

/// Brings files into the data list, in the background. UI thread only.
class Opener : public QObject {
  Q_OBJECT

 public:
  Opener(ItemList& items, Runner& runner, Channels& channels, LargeFiles& large,
         Services& services);

  /// Opens files in the background, one job each. "file.h5:/path" picks a dataset; if an HDF5 file
  /// has several and none is picked, dataset_choice_needed is emitted instead. A recipe (.json) is
  /// applied to the current item.
  void open(const QStringList& paths);
  /// Opens a file that inspect() has described.
  void open(const SourceInfo& info, const SourceSelection& selection = {});
  /// Opens it without checking whether it fits into memory.
  void open_whole(const SourceInfo& info, const SourceSelection& selection) {
    load_new(info, selection);
  }
  /// Opens the built-in demo image.
  void open_demo();
  /// Loads another channel, time point or other images of an original in its place, in the
  /// background.
  void select(std::uint64_t id, const SourceSelection& selection);
  /// The handling of files that do not fit into memory.
  [[nodiscard]] LargeFiles& large_files() { return large_; }
  /// The registration of tiles; lists that it writes are opened.
  [[nodiscard]] Stitcher& stitcher() { return stitcher_; }
  /// The reading of the time point that comes next.
  [[nodiscard]] TimeAhead& time_ahead() { return ahead_; }
  /// Whether another part of this item's file is being read.
  [[nodiscard]] bool selecting(std::uint64_t id) const { return selecting_.contains(id); }

 signals:
  /// The selected part cannot be read, or reading was cancelled.
  void not_selected(std::uint64_t id);
  /// A file has several volumes: ask the user, then call open() with the chosen info.dataset.
  void dataset_choice_needed(const aprscope::SourceInfo& info);
  /// An image does not fit into memory: ask whether to convert it to particles, see LargeFiles.
  void conversion_needed(const aprscope::SourceInfo& info,
                         const aprscope::SourceSelection& selection);
  /// A workspace (.aprscope) was dropped or opened as a file.
  void workspace_dropped(const QString& path);
  /// A file was opened.
  void opened(const QString& path);

 private:
  void open_recipe(const QString& path);
  void show_selected(std::uint64_t id, const SourceSelection& selection,
                     const Channels::Kept& data);
  void show_loaded(std::uint64_t id, const SourceSelection& selection, LoadedPart loaded);
  void load_new(const SourceInfo& info, const SourceSelection& selection);
  void load_into(std::uint64_t id, const SourceInfo& info, const SourceSelection& selection);

  ItemList& items_;
  Runner& runner_;
  Channels& channels_;
  LargeFiles& large_;
  Services& services_;
  Stitcher stitcher_;
  TimeAhead ahead_;
  // For each item that is being loaded, the number of running jobs; the newest job counts.
  std::map<std::uint64_t, int> selecting_;
};

}  // namespace aprscope::gui
