#include "core/io/apr/apr_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace aprscope {
namespace {

constexpr std::uint64_t kLastTime = 1U << 30U;

struct Reading {
  std::string group;
  std::string channel;
  int time = 0;
  std::uint64_t channel_index = ~std::uint64_t{0};
};

// The names as channels × `times` time points; nothing if they are no such grid.
std::optional<std::vector<Reading>> as_grid(const std::vector<std::string>& names, int times) {
  // Sorted by length: the shortest of the names that are left can only be a first time point.
  const auto shorter = [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  };
  std::set<std::string, decltype(shorter)> left(names.begin(), names.end(), shorter);
  std::vector<Reading> out;
  while (!left.empty()) {
    const std::string channel = *left.begin();
    for (int t = 0; t < times; ++t) {
      const std::string group = group_name(channel, t);
      if (left.erase(group) == 0) return std::nullopt;
      out.push_back({group, channel, t});
    }
  }
  return out;
}

std::vector<Reading> read_names(const std::vector<std::string>& names) {
  for (std::size_t times = names.size(); times > 1; --times) {
    if (names.size() % times != 0) continue;
    if (auto grid = as_grid(names, static_cast<int>(times))) return *grid;
  }
  std::vector<Reading> out;
  for (const std::string& name : names) out.push_back({name, name, 0});
  return out;
}

// The channel and time that the group's attributes give, unless its name contradicts.
std::optional<Reading> own_words(const AprGroupFacts& group) {
  if (!group.time || *group.time > kLastTime) return std::nullopt;
  const int time = static_cast<int>(*group.time);
  Reading reading{group.name, group.name, time, group.channel_index.value_or(~std::uint64_t{0})};
  if (group.channel) {
    reading.channel = *group.channel;
    return reading;
  }
  if (time == 0) return reading;
  const std::string suffix = std::to_string(time);
  if (group.name.size() <= suffix.size() || !group.name.ends_with(suffix)) return std::nullopt;
  reading.channel.resize(group.name.size() - suffix.size());
  return reading;
}

}  // namespace

std::string group_name(const std::string& channel, int time) {
  return time == 0 ? channel : channel + std::to_string(time);
}

const std::string* AprGroups::find(int channel, int time_index) const {
  if (channel < 0 || time_index < 0 || time_index >= static_cast<int>(times.size())) return nullptr;
  for (const AprGroupPlace& place : places) {
    if (place.channel == channel && place.time == times[static_cast<std::size_t>(time_index)]) {
      return &place.group;
    }
  }
  return nullptr;
}

AprGroups interpret_groups(const std::vector<AprGroupFacts>& groups) {
  std::vector<Reading> readings;
  std::vector<std::string> silent;
  for (const AprGroupFacts& group : groups) {
    if (auto reading = own_words(group)) {
      readings.push_back(std::move(*reading));
    } else {
      silent.push_back(group.name);
    }
  }
  for (Reading& reading : read_names(silent)) readings.push_back(std::move(reading));
  // If two groups claim one place, the later one becomes a channel of its own.
  std::set<std::pair<std::string, int>> taken;
  for (Reading& reading : readings) {
    std::string mark;
    while (!taken.emplace(reading.channel, reading.time).second) {
      reading.channel = reading.group + mark;
      reading.time = 0;
      mark += '\'';
    }
  }

  std::map<std::string, std::uint64_t> index_of;
  std::set<int> times;
  for (const Reading& reading : readings) {
    auto& index = index_of.try_emplace(reading.channel, reading.channel_index).first->second;
    index = std::min(index, reading.channel_index);
    times.insert(reading.time);
  }
  AprGroups out;
  out.times.assign(times.begin(), times.end());
  std::vector<std::pair<std::uint64_t, std::string>> order;
  for (const auto& [channel, index] : index_of) order.emplace_back(index, channel);
  std::sort(order.begin(), order.end());
  std::map<std::string, int> place_of;
  for (auto& [index, channel] : order) {
    place_of.emplace(channel, static_cast<int>(out.channels.size()));
    out.channels.push_back(std::move(channel));
  }
  for (const Reading& reading : readings) {
    out.places.push_back({reading.group, place_of.at(reading.channel), reading.time});
  }
  std::sort(out.places.begin(), out.places.end(), [](const auto& a, const auto& b) {
    return std::tie(a.channel, a.time) < std::tie(b.channel, b.time);
  });
  return out;
}

}  // namespace aprscope
