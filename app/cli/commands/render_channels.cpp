#include "app/cli/commands/render_channels.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/render_picture.hpp"
#include "app/cli/commands/render_turn.hpp"
#include "app/cli/shared/series.hpp"
#include "core/image/channel_blend.hpp"
#include "core/io/write.hpp"

namespace aprscope::cli {
namespace {

// A channel that is shown.
struct Shown {
  std::shared_ptr<const Dataset> data;
  ChannelLook look;
};

std::string hexadecimal(const Rgb& colour) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", colour[0], colour[1], colour[2]);
  return text.data();
}

Error other_size(const RenderOptions& options) {
  return {"has channels that differ in size", options.input.path,
          "show one at a time, by --channel"};
}

// Reads one channel after the other and gives each to `use`.
template <class Use>
Status each_channel(const RenderOptions& options, Session& session, const Use& use) {
  const auto info = inspect_input(options.input, session.context());
  if (!info) return info.error();
  const auto range =
      chosen_range(options.channels, options.input.channel, static_cast<int>(info->channels.size()),
                   "channel", options.input.path);
  if (!range) return range.error();
  const auto looks =
      first_looks(info->channels.size(), info->channels, info->hints, info->dtype == "u8");
  Json described = Json::array();
  std::optional<Size3> size;
  for (int c = range->first; c <= range->last; ++c) {
    const FirstLook& look = looks[static_cast<std::size_t>(c)];
    if (!look.visible) continue;
    InputOptions input = options.input;
    input.channel = c;
    auto read = load_input(input, session);
    if (!read) return read.error();
    Shown shown{Dataset::create(*std::move(read)), {true, look.colour, {}}};
    if (Status ok = check_shown(options, *shown.data); !ok) return ok;
    if (!size) describe_data(shown.data->data(), session.report());
    if (size && shown.data->size() != *size) return other_size(options);
    size = shown.data->size();
    shown.look.contrast = look.contrast && options.contrast == "auto"
                              ? *look.contrast
                              : contrast_of(options, *shown.data);
    Json one = Json::object();
    one["channel"] = c;
    one["name"] = info->channels[static_cast<std::size_t>(c)];
    one["colour"] = hexadecimal(look.colour);
    one["contrast"] = {{"low", shown.look.contrast.low}, {"high", shown.look.contrast.high}};
    described.push_back(std::move(one));
    if (Status done = use(std::move(shown)); !done) return done;
  }
  session.report()["channels"] = std::move(described);
  if (!size) return Error{"has no colour among these channels", options.input.path, "name others"};
  return {};
}

Status turn_channels(const RenderOptions& options, Session& session) {
  MovieSide side;
  std::shared_ptr<const Dataset> first;
  Status read = each_channel(options, session, [&](Shown shown) -> Status {
    auto raycaster =
        session.timed("build", [&] { return shown.data->raycaster(session.context()); });
    if (!raycaster) return raycaster.error();
    side.channels.push_back({*std::move(raycaster), shown.look});
    if (!first) first = std::move(shown.data);
    return {};
  });
  if (!read) return read;
  side.size = first->size();
  side.voxel = first->voxel();
  return write_turn_of(options, *first, std::move(side), session);
}

}  // namespace

Status render_channels(const RenderOptions& options, Session& session) {
  if (options.turn > 0) return turn_channels(options, session);
  std::vector<std::pair<RenderedValues, ChannelLook>> pictures;
  Status read = each_channel(options, session, [&](const Shown& shown) -> Status {
    auto picture = picture_of(options, *shown.data, shown.look.contrast, session);
    if (!picture) return picture.error();
    pictures.emplace_back(*std::move(picture), shown.look);
    return {};
  });
  if (!read) return read;
  std::vector<ChannelLayer> layers;
  for (const auto& [picture, look] : pictures) {
    layers.push_back({picture.values, look.contrast, look.colour});
  }
  const RenderedValues& first = pictures.front().first;
  session.report()["image_size"] = {{"width", first.width}, {"height", first.height}};
  session.report()["output"] = options.output;
  if (session.context().stop_requested()) return cancelled_error();
  return session.timed("write", [&] {
    return write_png(blend_channels(layers, first.values.size(), {0, 0, 0, 255}), first.width,
                     first.height, options.output);
  });
}

}  // namespace aprscope::cli
