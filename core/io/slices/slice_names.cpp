#include "core/io/slices/slice_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace aprscope {
namespace {

enum class Role { channel, time, slice, other };

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// A name as texts and the numbers between them: one text more than numbers.
struct Name {
  std::string whole;
  std::vector<std::string> texts{""};
  std::vector<std::string> numbers;
};

Name split(const std::string& whole) {
  Name name{whole, {""}, {}};
  bool in_number = false;
  for (const char c : whole) {
    if (!is_digit(c)) {
      if (in_number) name.texts.emplace_back();
      in_number = false;
      name.texts.back() += c;
      continue;
    }
    if (!in_number) name.numbers.emplace_back();
    in_number = true;
    name.numbers.back() += c;
  }
  if (in_number) name.texts.emplace_back();
  return name;
}

// Values of any length, without what stands before the first digit that counts.
std::string_view value_of(const std::string& number) {
  const std::size_t first = std::min(number.find_first_not_of('0'), number.size() - 1);
  return std::string_view(number).substr(first);
}

int compare_numbers(const std::string& a, const std::string& b) {
  const std::string_view x = value_of(a);
  const std::string_view y = value_of(b);
  if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  return x.compare(y);
}

// The role of a number, from the word before it.
Role role_after(const std::string& text) {
  std::size_t end = text.size();
  while (end > 0 && (text[end - 1] == '=' || text[end - 1] == '_' || text[end - 1] == '-' ||
                     text[end - 1] == ' ')) {
    --end;
  }
  std::size_t begin = end;
  std::string word;
  while (begin > 0 && std::isalpha(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
  for (std::size_t i = begin; i < end; ++i) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  for (const char* said : {"c", "ch", "channel", "w", "wavelength"}) {
    if (word == said) return Role::channel;
  }
  for (const char* said : {"t", "time", "timepoint", "tp", "frame"}) {
    if (word == said) return Role::time;
  }
  for (const char* said : {"z", "slice", "plane", "section", "layer"}) {
    if (word == said) return Role::slice;
  }
  return Role::other;
}

struct ByValue {
  bool operator()(const std::string& a, const std::string& b) const {
    return compare_numbers(a, b) < 0;
  }
};

// Names with the same texts; the numbers that differ, and what each is.
struct Group {
  std::vector<Name> names;
  std::vector<std::size_t> varying;
  std::vector<Role> roles;
};

void find_roles(Group& group) {
  const Name& first = group.names.front();
  for (std::size_t i = 0; i < first.numbers.size(); ++i) {
    const bool differs = std::any_of(group.names.begin(), group.names.end(), [&](const Name& name) {
      return compare_numbers(name.numbers[i], first.numbers[i]) != 0;
    });
    if (!differs) continue;
    Role role = role_after(first.texts[i]);
    // A word that was used before says something else.
    if (std::find(group.roles.begin(), group.roles.end(), role) != group.roles.end()) {
      role = Role::other;
    }
    group.varying.push_back(i);
    group.roles.push_back(role);
  }
  if (std::find(group.roles.begin(), group.roles.end(), Role::slice) != group.roles.end()) return;
  const auto last = std::find(group.roles.rbegin(), group.roles.rend(), Role::other);
  if (last != group.roles.rend()) *last = Role::slice;
}

std::string pattern_of(const Group& group, const Name& name) {
  if (group.names.size() == 1) return name.whole;
  std::string pattern;
  for (std::size_t i = 0; i < name.texts.size(); ++i) {
    pattern += name.texts[i];
    if (i >= name.numbers.size()) continue;
    const auto at = std::find(group.varying.begin(), group.varying.end(), i);
    const bool stands =
        at != group.varying.end() &&
        group.roles[static_cast<std::size_t>(at - group.varying.begin())] != Role::other;
    pattern += stands ? "#" : name.numbers[i];
  }
  return pattern;
}

// The length of a number's value may exceed that of integers; such numbers have no steps.
std::optional<std::int64_t> integer(const std::string& number) {
  const std::string_view value = value_of(number);
  if (value.size() > 15) return std::nullopt;
  std::int64_t made = 0;
  for (const char c : value) made = 10 * made + (c - '0');
  return made;
}

// In words, where a slice is missing or steps are uneven; empty: all steps are equal. If most steps
// are the shortest one and the others multiples of it, slices are missing.
std::string gap_in(const std::set<std::string, ByValue>& slices) {
  std::optional<std::int64_t> step;
  std::vector<std::int64_t> at;
  for (const std::string& number : slices) {
    const auto value = integer(number);
    if (!value) return "";
    if (!at.empty() && (!step || *value - at.back() < *step)) step = *value - at.back();
    at.push_back(*value);
  }
  if (at.size() < 2) return "";
  std::size_t shortest = 0;
  bool whole = true;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (at[i] - at[i - 1] == *step) ++shortest;
    whole = whole && (at[i] - at[i - 1]) % *step == 0;
  }
  const bool uneven = !whole || 2 * shortest < at.size() - 1;
  for (std::size_t i = 2; uneven && i < at.size(); ++i) {
    if (at[i] - at[i - 1] == at[i - 1] - at[i - 2]) continue;
    return "has slices at uneven steps (" + std::to_string(at[i - 2]) + ", " +
           std::to_string(at[i - 1]) + ", " + std::to_string(at[i]) + ")";
  }
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (at[i] - at[i - 1] == *step) continue;
    return "lacks slice " + std::to_string(at[i - 1] + *step) + " (after " +
           std::to_string(at[i - 1]) + " comes " + std::to_string(at[i]) + ")";
  }
  return "";
}

// The image of names of a group that agree in all numbers without a role.
SliceNames image_of(const Group& group, const std::vector<const Name*>& names) {
  std::array<std::optional<std::size_t>, 3> place;
  for (std::size_t i = 0; i < group.varying.size(); ++i) {
    if (group.roles[i] != Role::other) {
      place[static_cast<std::size_t>(group.roles[i])] = group.varying[i];
    }
  }
  const std::string none = "0";
  const auto number = [&](const Name& name, Role role) -> const std::string& {
    const auto at = place[static_cast<std::size_t>(role)];
    return at ? name.numbers[*at] : none;
  };
  std::array<std::set<std::string, ByValue>, 3> numbers;
  for (const Name* name : names) {
    for (const Role role : {Role::channel, Role::time, Role::slice}) {
      numbers[static_cast<std::size_t>(role)].insert(number(*name, role));
    }
  }
  const auto& [channels, times, slices] = numbers;
  SliceNames made;
  made.name = pattern_of(group, *names.front());
  if (place[0]) made.channels.assign(channels.begin(), channels.end());
  made.times = std::ssize(times);
  made.slices = std::ssize(slices);
  // The rank of each number among those of its role.
  std::array<std::map<std::string, std::size_t, ByValue>, 3> order;
  for (std::size_t role = 0; role < 3; ++role) {
    std::size_t next = 0;
    for (const std::string& value : numbers[role]) order[role].emplace(value, next++);
  }
  // Only places with a file are listed: a grid may have far more places than there are files.
  std::map<std::size_t, const Name*> planes;
  for (const Name* name : names) {
    const std::size_t c = order[0].at(number(*name, Role::channel));
    const std::size_t t = order[1].at(number(*name, Role::time));
    const std::size_t z = order[2].at(number(*name, Role::slice));
    const auto [at, is_new] = planes.emplace((t * channels.size() + c) * slices.size() + z, name);
    if (!is_new && made.problem.empty()) {
      made.problem = "has the same slice twice (" + at->second->whole + " and " + name->whole + ")";
    }
  }
  for (const auto& [plane, name] : planes) made.files.push_back(name->whole);
  if (!made.problem.empty()) return made;
  std::size_t wanted = 0;
  for (const auto& [plane, name] : planes) {
    if (plane != wanted) break;
    ++wanted;
  }
  if (wanted < channels.size() * times.size() * slices.size()) {
    const auto at = [](const auto& all, std::size_t i) {
      return *std::next(all.begin(), static_cast<std::ptrdiff_t>(i));
    };
    made.problem = "lacks a file: slice " + at(slices, wanted % slices.size());
    if (place[0]) {
      made.problem += ", channel " + at(channels, wanted / slices.size() % channels.size());
    }
    if (place[1]) {
      made.problem += ", time point " + at(times, wanted / slices.size() / channels.size());
    }
    return made;
  }
  made.problem = gap_in(slices);
  return made;
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  const Name x = split(a);
  const Name y = split(b);
  for (std::size_t i = 0; i < std::min(x.texts.size(), y.texts.size()); ++i) {
    if (x.texts[i] != y.texts[i]) return x.texts[i] < y.texts[i];
    const bool more_x = i < x.numbers.size();
    const bool more_y = i < y.numbers.size();
    if (!more_x && !more_y) break;
    if (!more_x || !more_y) return more_y;
    const int order = compare_numbers(x.numbers[i], y.numbers[i]);
    if (order != 0) return order < 0;
  }
  return a < b;
}

std::vector<SliceNames> slice_names(std::vector<std::string> files) {
  std::sort(files.begin(), files.end(), natural_less);
  std::map<std::vector<std::string>, Group> groups;
  std::vector<Group*> order;
  for (const std::string& file : files) {
    Name name = split(file);
    const auto [at, is_new] = groups.try_emplace(name.texts);
    if (is_new) order.push_back(&at->second);
    at->second.names.push_back(std::move(name));
  }
  std::vector<SliceNames> made;
  for (Group* group : order) {
    find_roles(*group);
    // Numbers without a role tell images apart.
    std::map<std::vector<std::string_view>, std::vector<const Name*>> images;
    std::vector<std::vector<std::string_view>> keys;
    for (const Name& name : group->names) {
      std::vector<std::string_view> key;
      for (std::size_t i = 0; i < group->varying.size(); ++i) {
        if (group->roles[i] == Role::other)
          key.push_back(value_of(name.numbers[group->varying[i]]));
      }
      const auto [at, is_new] = images.try_emplace(key);
      if (is_new) keys.push_back(key);
      at->second.push_back(&name);
    }
    for (const auto& key : keys) made.push_back(image_of(*group, images.at(key)));
  }
  return made;
}

}  // namespace aprscope
