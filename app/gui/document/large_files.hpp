#pragma once

#include <QObject>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "core/image/region.hpp"

namespace aprscope::gui {

/// Whether an item is the result of one step that reads a part of a file, and can be read again.
bool is_file_part(const Item& item);

/// The level that an item shows of a file whose particles do not fit into memory; none: the item
/// shows something else.
std::optional<int> file_level(const Item& item);

/// The steps that were tried on a box of a file of particles, if all of them can be done on the
/// whole file, too; else none.
std::vector<Operation> steps_on_box(const Item& item);

/// Files that do not fit into memory: shows a level of the particles instead, reads a box at full
/// resolution, and converts an image from file to file. UI thread only.
class LargeFiles : public QObject {
  Q_OBJECT

 public:
  LargeFiles(ItemList& items, Services& services);

  /// Memory that shown data may take, and that work on files slab by slab stays within, in bytes;
  /// 0: what is free when a file is opened.
  void set_memory(std::uint64_t bytes) { memory_ = bytes; }
  [[nodiscard]] std::uint64_t chosen_memory() const { return memory_; }
  [[nodiscard]] std::uint64_t memory() const;
  /// Particles that take more than this to show, in bytes, show an overview first, if their file
  /// has one: reading them takes seconds.
  void set_at_once(std::uint64_t bytes) { at_once_ = bytes; }
  [[nodiscard]] std::uint64_t at_once() const { return at_once_; }

  /// Makes an item (not yet in the list) of what was opened of a file: its data with the steps that
  /// lead to it. Tells the user if it is not the whole file; `more`: all of it is read then.
  Item item_of(const SourceInfo& info, const SourceSelection& selection, const Execution& opened,
               bool more = false);
  /// Reads all of the file that an item shows a level of, in the background: it takes the place of
  /// the level, or stands beside it if something was made of that meanwhile. If the item shows
  /// another channel or time point by then, all of that is read. The level stays if all channels
  /// that are seen do not fit into memory.
  void read_all(std::uint64_t id, const SourceInfo& info, const SourceSelection& selection);

  /// Inspects the file that an item shows a level of, in the background; `looked_up` follows.
  void look_up(std::uint64_t id);
  /// Reads a box of the full image of an item that shows a level, in the background, as a new
  /// item; of another channel than the item's, this does not become current.
  void open_box(const Item& level, const SourceInfo& info, const Region& box,
                std::optional<int> other = std::nullopt);
  /// Does steps_on_box() of each item on all of its channel and time point, in the background,
  /// whether they fit into memory or not; `converted` follows. The items are of one file, a channel
  /// each, and all have such steps.
  void apply_to_whole(const std::vector<Item>& items, const QString& path);
  /// Measures all particles of the channel and time point that an item shows a level of, read in
  /// parts, in the background; the measurement becomes an item below it. See can_be_in_parts(); a
  /// box in the operation is in pixels of the level. Or measures again what such a measurement is
  /// of: a box is in pixels of the file then.
  void measure_whole(const Item& item, const Operation& operation);
  /// Converts channels and time points of an image to one file with the parameters of `convert`, in
  /// the background; `converted` follows.
  void convert(const SourceInfo& info, const std::vector<SourceSelection>& parts,
               const Operation& convert, const QString& path);

 signals:
  /// The file that an item shows a level of was inspected.
  void looked_up(std::uint64_t id, const aprscope::SourceInfo& info);
  /// The .apr file was written.
  void converted(const QString& path);

 private:
  ItemList& items_;
  Services& services_;
  void replace_level(std::uint64_t id, Item all);
  void follow_selection(std::uint64_t id);

  /// What is read for an item: only the newest request counts.
  struct Reading {
    SourceSelection selection;
    std::uint64_t number = 0;
    std::uint64_t job = 0;
  };
  std::map<std::uint64_t, Reading> reading_all_;
  std::uint64_t requests_ = 0;

  std::uint64_t memory_ = 0;
  std::uint64_t at_once_ = std::uint64_t{1} << 30;
};

}  // namespace aprscope::gui
