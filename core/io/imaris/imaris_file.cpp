#include "core/io/imaris/imaris_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/io/common/read_limits.hpp"
#include "core/io/common/units.hpp"
#include "core/io/hdf5/hdf5_attributes.hpp"
#include "core/io/hdf5/hdf5_dataset.hpp"

namespace aprscope {
namespace {

constexpr const char* kAgain = "get the file again from its source";

ImarisTexts texts_of(const Hdf5Object& object, std::span<const char* const> names) {
  ImarisTexts texts;
  for (const char* name : names) {
    if (auto text = read_spelled_attribute(object, name)) texts.emplace(name, *std::move(text));
  }
  return texts;
}

Error located(Error error, const Hdf5Object& object) {
  error.where = object.where();
  return error;
}

// Numbers of the groups "Channel 0", … in a group, in order.
Result<std::vector<int>> numbered_groups(const Hdf5Object& group, std::string_view kind) {
  const auto children = group.reader->children(group.path);
  if (!children) return children.error();
  std::vector<int> numbers;
  for (const Hdf5Child& child : *children) {
    if (child.kind != Hdf5ObjectKind::group) continue;
    if (const auto number = imaris_number(child.name, kind)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Result<bool> is_group(const Hdf5Object& object) {
  const auto kind = object.reader->kind(object.path);
  if (!kind) return kind.error();
  return *kind == Hdf5ObjectKind::group;
}

// The name of a group that an attribute of the root gives, or the usual one.
std::string folder_name(const Hdf5Object& root, const char* attribute, const char* usual) {
  const auto name = read_spelled_attribute(root, attribute);
  const bool sound = name && !name->empty() && name->find('/') == std::string::npos &&
                     *name != "." && *name != "..";
  return "/" + (sound ? *name : std::string(usual));
}

std::string named(const char* kind, int number) {
  return std::string(kind) + " " + std::to_string(number);
}

// The level that was asked for: "/1", or "" for level 0.
std::optional<int> level_of(const std::string& dataset) {
  std::string_view asked = dataset;
  while (asked.ends_with('/')) asked.remove_suffix(1);
  if (asked.starts_with('/')) asked.remove_prefix(1);
  return asked.empty() ? std::optional(0) : imaris_number(asked, "");
}

Result<int> choose_level(const Hdf5Object& pixels, const std::string& dataset) {
  const auto there = is_group(pixels);
  if (!there) return there.error();
  std::vector<int> levels;
  if (*there) {
    auto found = numbered_groups(pixels, "ResolutionLevel ");
    if (!found) return found.error();
    levels = *std::move(found);
  }
  if (!std::binary_search(levels.begin(), levels.end(), 0)) {
    return Error{"has no image at full resolution (" + pixels.path + "/ResolutionLevel 0)",
                 pixels.reader->path().string(),
                 "get the file again from its source; if it only links to other files, open those"};
  }
  const auto level = level_of(dataset);
  if (level && std::binary_search(levels.begin(), levels.end(), *level)) return *level;
  return Error{"has no level " + (level ? std::to_string(*level) : "\"" + dataset + "\""),
               pixels.reader->path().string(),
               "choose levels 0 to " + std::to_string(levels.back())};
}

// What is said of time points, if that can be read: more than 1000 attributes, one a date, are not,
// so that a film of more time points has no time step.
std::optional<Hdf5Object> time_info(const Hdf5Object& description) {
  Hdf5Object group = description.child("TimeInfo");
  const auto there = is_group(group);
  if (!there || !*there) return std::nullopt;
  if (!group.reader->attribute(group.path, imaris_time_names().front())) return std::nullopt;
  return group;
}

// The mean step between the dates of the first and the last of the time points, which are counted
// from 1 there.
std::optional<double> seconds_said(const Hdf5Object& info, const std::vector<int>& times) {
  if (times.size() < 2) return std::nullopt;
  const auto name = [](int time) { return "TimePoint" + std::to_string(std::int64_t{time} + 1); };
  const std::string first = name(times.front());
  const std::string last = name(times.back());
  // A date that cannot be read is no reason to refuse the file.
  for (const std::string& date : {first, last}) {
    const auto attribute = info.reader->attribute(info.path, date);
    if (!attribute || !*attribute || (*attribute)->type.kind != Hdf5Kind::text) return std::nullopt;
  }
  const std::array<const char*, 2> names{first.c_str(), last.c_str()};
  const ImarisTexts dates = texts_of(info, names);
  if (dates.count(first) == 0 || dates.count(last) == 0) return std::nullopt;
  const auto begin = parse_imaris_date(dates.at(first));
  const auto end = parse_imaris_date(dates.at(last));
  if (!begin || !end) return std::nullopt;
  return sane_step((*end - *begin) / (static_cast<double>(times.back()) - times.front()));
}

Status read_description(const Hdf5Object& root, ImarisFile& out) {
  const Hdf5Object description{out.reader, out.description};
  const auto there = is_group(description);
  if (!there) return there.error();
  std::vector<int> described;
  if (*there) {
    const Hdf5Object image = description.child("Image");
    const auto has_image = is_group(image);
    if (!has_image) return has_image.error();
    if (*has_image) {
      auto parsed = parse_imaris_image(texts_of(image, imaris_image_names()));
      if (!parsed) return located(parsed.error(), image);
      out.image = *std::move(parsed);
    }
    auto channels = numbered_groups(description, "Channel ");
    if (!channels) return channels.error();
    described = *std::move(channels);
  }
  for (const int number : out.channels) {
    ImarisTexts texts;
    if (std::binary_search(described.begin(), described.end(), number)) {
      texts = texts_of(description.child(named("Channel", number)), imaris_channel_names());
    }
    out.shown.push_back(parse_imaris_channel(texts, number));
  }
  const auto remark = [&](const std::string& text) {
    out.remark += (out.remark.empty() ? "" : "; ") + text;
  };
  const auto missing = std::count_if(described.begin(), described.end(), [&](int number) {
    return !std::binary_search(out.channels.begin(), out.channels.end(), number);
  });
  const auto held = std::ssize(out.channels);
  if (missing > 0) {
    remark("holds " + std::to_string(held) + " of " + std::to_string(held + missing) + " channels");
  }
  const auto info = *there ? time_info(description) : std::nullopt;
  const auto said = info ? parse_imaris_times(texts_of(*info, imaris_time_names())) : std::nullopt;
  if (info) out.seconds = seconds_said(*info, out.times);
  if (said && *said > std::ssize(out.times)) {
    remark("holds " + std::to_string(out.times.size()) + " of " + std::to_string(*said) +
           " time points");
  }
  const auto images = read_integer_attribute(root, "NumberOfDataSets");
  if (images && *images > 1) remark("the first of " + std::to_string(*images) + " images");
  return {};
}

}  // namespace

Result<ImarisFile> read_imaris(const std::shared_ptr<Hdf5Reader>& reader,
                               const std::string& dataset) {
  ImarisFile out;
  out.reader = reader;
  const Hdf5Object root{reader, ""};
  out.pixels = folder_name(root, "DataSetDirectoryName", "DataSet");
  out.description = folder_name(root, "DataSetInfoDirectoryName", "DataSetInfo");
  const Hdf5Object pixels{reader, out.pixels};
  const auto level = choose_level(pixels, dataset);
  if (!level) return level.error();
  out.level = *level;
  const Hdf5Object of_level = pixels.child(named("ResolutionLevel", out.level));
  auto times = numbered_groups(of_level, "TimePoint ");
  if (!times) return times.error();
  if (times->empty()) return Error{"has no time point", of_level.where(), kAgain};
  out.times = *std::move(times);
  const Hdf5Object first = of_level.child(named("TimePoint", out.times.front()));
  auto channels = numbered_groups(first, "Channel ");
  if (!channels) return channels.error();
  if (channels->empty()) return Error{"has no channel", first.where(), kAgain};
  out.channels = *std::move(channels);
  if (Status read = read_description(root, out); !read) return read.error();
  if (Status readable = reader->status(); !readable) return readable.error();
  return out;
}

Result<ImarisView> imaris_view(const ImarisFile& file, std::size_t channel, std::size_t time) {
  const Hdf5Object group{file.reader, file.pixels + "/" + named("ResolutionLevel", file.level) +
                                          "/" + named("TimePoint", file.times[time]) + "/" +
                                          named("Channel", file.channels[channel])};
  const auto there = is_group(group);
  if (!there) return there.error();
  if (!*there) {
    return Error{"has no channel " + std::to_string(file.channels[channel]) + " at time point " +
                     std::to_string(file.times[time]),
                 group.where(), "choose another channel or time point"};
  }
  const auto size = parse_imaris_size(texts_of(group, imaris_size_names()));
  if (!size) return located(size.error(), group);
  const std::optional<Size3> whole = file.level == 0 ? file.image.size : std::nullopt;
  if (*size && whole && **size != *whole) {
    return Error{"has " + size_text(**size) + " pixels (z, x, y), but the image is said to have " +
                     size_text(*whole),
                 group.where(), "its pixels open by name (FILE:" + group.path + "/Data)"};
  }
  const std::optional<Size3> said = *size ? *size : whole;
  if (!said) {
    return Error{"does not say how large it is (ImageSizeX, ImageSizeY, ImageSizeZ)", group.where(),
                 "its pixels open by name (FILE:" + group.path + "/Data)"};
  }
  ImarisView view;
  view.size = *said;
  view.dataset = group.child("Data").path;
  const auto open = open_dataset(file.reader, view.dataset);
  if (!open) return open.error();
  const Size3 stored = open->shape.size();
  if (open->shape.rank != 3) {
    return dataset_error(file.reader->path(), view.dataset, "is no image of three dimensions",
                         kAgain);
  }
  if (view.size.z > stored.z || view.size.x > stored.x || view.size.y > stored.y) {
    return dataset_error(file.reader->path(), view.dataset,
                         "holds " + size_text(stored) + " pixels (z, x, y), fewer than the " +
                             size_text(view.size) + " of its image",
                         "the file is damaged or was never written completely");
  }
  view.dtype = open->shape.dtype;
  const auto place = imaris_place(file.image, view.size);
  if (!place) return located(place.error(), {file.reader, file.description + "/Image"});
  view.place = *place;
  if (Status readable = file.reader->status(); !readable) return readable.error();
  return view;
}

}  // namespace aprscope
