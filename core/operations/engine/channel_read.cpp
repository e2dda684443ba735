#include "core/operations/engine/channel_read.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/io/image_source.hpp"
#include "core/operations/engine/run_checks.hpp"

namespace aprscope {
namespace {

std::string text_of(const Size3& n) {
  return std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
}

// Whether a name is only a number: some files number channels instead of naming them.
bool is_number(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}
std::string channel_name(const std::string& name, int index) {
  return is_number(name) ? "channel " + std::to_string(index) : name;
}

// Makes all names different.
void tell_apart(std::string& own, std::vector<std::string>& names) {
  std::vector<std::string> taken{own};
  for (std::string& name : names) {
    const std::string given = name;
    for (int k = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++k) {
      name = given + " (" + std::to_string(k) + ")";
    }
    taken.push_back(name);
  }
}

bool is_same(const AnyPixels& a, const AnyPixels& b) {
  return std::visit(
      [&](const auto& pixels) {
        const auto* other = std::get_if<std::decay_t<decltype(pixels)>>(&b);
        return other != nullptr && pixels.size == other->size && pixels.values == other->values;
      },
      a);
}

// The name of a file in a path as inspect() takes it: "file.h5:/volume" is in file.h5.
std::string file_name(const std::string& path) {
  std::error_code code;
  const bool whole = std::filesystem::exists(path, code);
  const std::filesystem::path file = whole ? path : path.substr(0, path.rfind(":/"));
  return file.filename().string();
}

Status add_file(const SourceInfo& info, const std::string& path, int time, const Dataset& own,
                const JobContext& context, ChannelImages& out) {
  const auto channels = static_cast<int>(info.channels.size());
  for (int c = 0; c < channels; ++c) {
    const double n = channels;
    auto data = load(info, {c, time}, context.part(c / n, (c + 1) / n));
    if (!data) return data.error();
    auto& volume = std::get<Volume>(*data);
    // Leave out the image itself: its columns are there already.
    if (!own.is_apr() && is_same(volume.pixels, own.volume().pixels)) {
      if (channels > 1) out.own_name = channel_name(info.channels[static_cast<std::size_t>(c)], c);
      continue;
    }
    const std::string& name = info.channels[static_cast<std::size_t>(c)];
    out.names.push_back(channels == 1 && is_number(name) ? file_name(path) : channel_name(name, c));
    out.images.push_back(std::move(volume.pixels));
  }
  return {};
}

}  // namespace

Result<ChannelImages> read_channels(const std::vector<std::string>& files, int time,
                                    const Dataset& own, const JobContext& context) {
  ChannelImages out;
  const std::string& channel = own.is_apr() ? own.apr().channel : own.volume().channel;
  out.own_name = is_number(channel) ? own.name() : channel;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files[i];
    const auto info = inspect(path, context);
    if (!info) return info.error();
    if (info->is_apr) {
      return Error{"holds particles, not an image whose grey values are measured", path,
                   "choose a TIFF or HDF5 file"};
    }
    if (info->size != own.size()) {
      return Error{"has images of " + text_of(info->size) + " pixels, and the cells are those of " +
                       text_of(own.size()),
                   path, "choose channels of the same image"};
    }
    const int at = info->times == 1 ? 0 : time;
    constexpr std::uint64_t kLargestSample = 4;
    const auto pixels = static_cast<std::uint64_t>(info->size.count());
    if (Status ok = check_memory(info->channels.size() * pixels * kLargestSample, own); !ok) {
      return ok.error();
    }
    const auto n = static_cast<double>(files.size());
    const auto done = static_cast<double>(i);
    if (Status ok = add_file(*info, path, at, own, context.part(done / n, (done + 1.0) / n), out);
        !ok) {
      return ok.error();
    }
  }
  tell_apart(out.own_name, out.names);
  return out;
}

}  // namespace aprscope
