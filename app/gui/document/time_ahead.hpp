#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/gui/document/file_part.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/job_bridge.hpp"
#include "app/gui/document/large_files.hpp"
#include "app/gui/document/services.hpp"

namespace aprscope::gui {

/// Reads the time point that comes next while the present one is shown: after a step the next in
/// its direction, while time points play the next of the loop. One is kept, of the current item,
/// with all channels that are seen and what the 3-D view needs, where two of them fit into the
/// memory that is left. It is forgotten when another item or part of the file is wanted. UI thread
/// only.
class TimeAhead : public QObject {
  Q_OBJECT

 public:
  TimeAhead(ItemList& items, const LargeFiles& large, Services& services);
  ~TimeAhead() override;

  /// While time points play, the first follows the last.
  void set_playing(bool plays);
  /// The item shows another part of its file since this: the next one is read.
  void follow(std::uint64_t id, const SourceSelection& before);
  /// Another part is wanted than the one that comes next: reading ends, unless `part` is read.
  void expect(const FilePart& part);
  /// Hands over what was read; none: it was not this, or is still being read.
  [[nodiscard]] std::optional<LoadedPart> take(const FilePart& part);
  /// The reading of this part, for a job to wait for; null: it is not being read.
  [[nodiscard]] std::shared_ptr<const PartReading> reading(const FilePart& part) const;
  /// Gives back what was read, until the next step.
  void release();
  /// Whether a part has been read and is kept.
  [[nodiscard]] bool ready() const;

 private:
  [[nodiscard]] std::optional<FilePart> wanted() const;
  void look_on(const Item& item);
  void renew();
  void forget();
  void leave_build();
  void read(const Item& item, const FilePart& part);
  void build(const LoadedPart& part);

  ItemList& items_;
  const LargeFiles& large_;
  Services& services_;
  bool plays_ = false;
  /// The item whose time points follow each other, the direction, and the time point that is next.
  std::uint64_t item_ = 0;
  int direction_ = 0;
  std::optional<int> next_;
  /// What is being read or was read.
  std::optional<FilePart> part_;
  std::shared_ptr<PartReading> reading_;
  /// The jobs that read it and build its raycasters, and the one that goes on building those of the
  /// part that is shown by now.
  std::uint64_t job_ = 0;
  std::uint64_t build_ = 0;
  std::uint64_t left_ = 0;
  // Threads of its own: nobody waits for what may not be needed, nor does this for others.
  JobBridge jobs_;
};

}  // namespace aprscope::gui
