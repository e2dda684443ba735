#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Private to core/io: which group of an .apr file is which channel and time point.

namespace aprscope {

/// Facts about a group, before its name is interpreted.
struct AprGroupFacts {
  std::string name;
  /// Attribute time_steps of the group, if it has one.
  std::optional<std::uint64_t> time;
  /// Attributes that only our own files have.
  std::optional<std::string> channel;
  std::optional<std::uint64_t> channel_index;
};

/// Group `group` holds time point `time` of channel `channel` (an index into channels).
struct AprGroupPlace {
  std::string group;
  int channel = 0;
  int time = 0;
};

struct AprGroups {
  std::vector<std::string> channels;
  /// Time points that occur, ascending.
  std::vector<int> times;
  std::vector<AprGroupPlace> places;

  /// The group of a channel and the `time_index`-th time point; null when the file lacks it.
  [[nodiscard]] const std::string* find(int channel, int time_index) const;
};

/// Group names are <channel><t>, without the suffix for t = 0, so "a1" may be channel "a1" at t = 0
/// or channel "a" at t = 1. The attributes of a group decide; names of groups without them are read
/// as the complete grid channels × times with the most time points.
AprGroups interpret_groups(const std::vector<AprGroupFacts>& groups);

/// Name of the group of a channel and time point.
std::string group_name(const std::string& channel, int time);

}  // namespace aprscope
