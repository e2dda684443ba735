#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/gui/document/channels.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::gui {

/// A channel and time point of an item's file, and the channels to be shown over it. A value.
struct FilePart {
  std::uint64_t item = 0;
  SourceSelection selection;
  /// See file_level().
  std::optional<int> level;
  std::optional<VoxelSize> typed_voxel;
  std::vector<int> others;

  friend bool operator==(const FilePart&, const FilePart&) = default;
};

/// The part that `selection` is of an item. Along time the other channels that are seen belong to
/// it, so that all change together; another channel of the same time point comes alone.
FilePart part_of(const Item& item, const SourceSelection& selection);

/// What was loaded of a part.
struct LoadedPart {
  Channels::Kept chosen;
  std::map<int, Channels::Kept> others;
  /// What the raycasters render with, if there are any yet.
  std::shared_ptr<const Backend> renders;
};

/// Loads a part, for a worker. Errors: those of Channels::load_channel().
Result<LoadedPart> load_part(const SourceInfo& info, const FilePart& part,
                             const JobContext& context);

/// A part that one worker reads and another may wait for. Thread-safe.
class PartReading {
 public:
  /// Ends it: with what was read, or with none if it failed, was cancelled, or does not fit. Only
  /// the first end counts.
  void end(std::optional<LoadedPart> part);
  /// Puts the same with its raycasters in the place of what was read.
  void complete(LoadedPart part);
  [[nodiscard]] bool ended() const;
  /// Waits until it ends, or until the waiting job is to stop. None: nothing was read.
  [[nodiscard]] std::optional<LoadedPart> wait(const JobContext& context) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool ended_ = false;
  std::optional<LoadedPart> part_;
};

}  // namespace aprscope::gui
