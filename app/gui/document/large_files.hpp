#pragma once

#include <QObject>
#include <cstdint>
#include <optional>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "core/image/region.hpp"

namespace aprscope::gui {

/// Whether an item is what one step makes of a part of a file, and can be read again any time.
bool is_file_part(const Item& item);

/// The level of its file that an item shows in the place of particles that do not fit into memory;
/// none: it shows something else.
std::optional<int> file_level(const Item& item);

/// Files that do not fit into memory: a level of particles is shown in their place, a box of them
/// is read at full resolution, and an image becomes particles from file to file. UI thread only.
class LargeFiles : public QObject {
  Q_OBJECT

 public:
  LargeFiles(ItemList& items, Services& services);

  /// Bytes that data may take to be shown; 0: what is free when it is opened.
  void set_memory(std::uint64_t bytes) { memory_ = bytes; }
  [[nodiscard]] std::uint64_t memory() const;

  /// What is shown of a file: the item without a place in the list, its data with the steps that
  /// lead there. Says so where that is not all of it.
  Item item_of(const SourceInfo& info, const SourceSelection& selection, const Execution& opened);

  /// Looks up the file that an item shows a level of, in the background; `looked_up` follows.
  void look_up(std::uint64_t id);
  /// Reads a box of the full image of an item that shows a level, in the background, as an item of
  /// its own.
  void open_box(const Item& level, const SourceInfo& info, const Region& box);
  /// Converts an image with the parameters of `convert`, in the background; `converted` follows.
  void convert(const SourceInfo& info, const SourceSelection& selection, const Operation& convert,
               const QString& path);

 signals:
  /// The file that an item shows a level of.
  void looked_up(std::uint64_t id, const aprscope::SourceInfo& info);
  /// The .apr is there.
  void converted(const QString& path);

 private:
  ItemList& items_;
  Services& services_;
  std::uint64_t memory_ = 0;
};

}  // namespace aprscope::gui
