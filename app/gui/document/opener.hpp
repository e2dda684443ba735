#pragma once

#include <QObject>
#include <QStringList>
#include <map>

#include "app/gui/document/channels.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/large_files.hpp"
#include "app/gui/document/runner.hpp"
#include "app/gui/document/services.hpp"

namespace aprscope::gui {

/// Brings files into the data list, in the background. UI thread only.
class Opener : public QObject {
  Q_OBJECT

 public:
  Opener(ItemList& items, Runner& runner, Channels& channels, LargeFiles& large,
         Services& services);

  /// Opens files in the background, one job each. "file.h5:/path" picks a dataset; an HDF5 file
  /// with several and none picked emits dataset_choice_needed instead. A recipe (.json) is
  /// applied to the current item.
  void open(const QStringList& paths);
  /// Opens what inspect() found.
  void open(const SourceInfo& info, const SourceSelection& selection = {});
  /// The same without asking whether it fits into memory.
  void open_whole(const SourceInfo& info, const SourceSelection& selection) {
    load_new(info, selection);
  }
  /// Opens the built-in demo image.
  void open_demo();
  /// Loads another channel, time point or other images of an original in its place, in the
  /// background.
  void select(std::uint64_t id, const SourceSelection& selection);
  /// What becomes of files that do not fit into memory.
  [[nodiscard]] LargeFiles& large_files() { return large_; }
  /// Whether one that was selected is still being read.
  [[nodiscard]] bool selecting(std::uint64_t id) const { return selecting_.contains(id); }

 signals:
  /// What was selected of this item cannot be read, or its reading was cancelled.
  void not_selected(std::uint64_t id);
  /// A file holds several volumes: ask, then call open() with the chosen info.dataset.
  void dataset_choice_needed(const aprscope::SourceInfo& info);
  /// An image does not fit into memory: ask whether it is to become particles, see LargeFiles.
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
  void load_new(const SourceInfo& info, const SourceSelection& selection);
  void load_into(std::uint64_t id, const SourceInfo& info, const SourceSelection& selection);

  ItemList& items_;
  Runner& runner_;
  Channels& channels_;
  LargeFiles& large_;
  Services& services_;
  // Of each item that is loaded anew: by how many jobs, the newest of which counts.
  std::map<std::uint64_t, int> selecting_;
};

}  // namespace aprscope::gui
