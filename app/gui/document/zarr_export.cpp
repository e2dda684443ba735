#include "app/gui/document/zarr_export.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "core/image/colormap.hpp"
#include "core/io/image_source.hpp"
#include "core/pipeline/series.hpp"
#include "core/pipeline/zarr_series.hpp"

namespace aprscope::gui {
namespace {

// A window of OME-Zarr has a width.
std::optional<std::array<double, 2>> window_of(const Contrast& contrast) {
  if (!(contrast.low < contrast.high)) return std::nullopt;
  return std::array<double, 2>{contrast.low, contrast.high};
}

// The colour that stands for a map: OME-Zarr knows maps from black straight to a colour only. Those
// of the program that are called by a colour go on to white.
std::optional<Rgb> colour_of(const std::string& name) {
  if (name == "green") return Rgb{0, 255, 0};
  if (name == "magenta") return Rgb{255, 0, 255};
  if (name == "cyan") return Rgb{0, 255, 255};
  const ColorTable& table = colormap(name);
  const auto& top = table.back();
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t part = 0; part < 3; ++part) {
      const int straight = static_cast<int>(top[part]) * static_cast<int>(i) / 255;
      if (std::abs(straight - static_cast<int>(table[i][part])) > 1) return std::nullopt;
    }
  }
  return Rgb{top[0], top[1], top[2]};
}

// An item that is shown by itself has a colour map instead of a colour.
ChannelHint look_alone(const Item& item) {
  ChannelHint look{colour_of(item.display.colormap), window_of(item.display.contrast)};
  const auto c = static_cast<std::size_t>(item.selection.channel);
  const bool of_file = item.source && c < item.source->hints.size();
  // Grey is what every item begins with.
  if (of_file && look.colour == Rgb{255, 255, 255} && item.source->hints[c].colour) {
    look.colour = item.source->hints[c].colour;
  }
  return look;
}

Result<OmeZarrPart> part_of(const std::shared_ptr<const Dataset>& dataset) {
  if (dataset->is_apr()) {
    return OmeZarrPart(std::shared_ptr<const Apr>(dataset, &dataset->apr()));
  }
  return OmeZarrPart(std::shared_ptr<const Volume>(dataset, &dataset->volume()));
}

Status write_item(const Item& item, const OmeZarrChannel& look, const std::filesystem::path& path,
                  OmeZarrVersion version, const JobContext& context) {
  OmeZarrSeries series;
  series.channels = {look};
  const MakeOmeZarrPart part = [&](int, int, const JobContext&) { return part_of(item.dataset); };
  return write_ome_zarr(series, part, path, version, context);
}

}  // namespace

ZarrLook zarr_look(const Item& item, const Channels& channels) {
  ZarrLook look;
  look.alone.look = look_alone(item);
  if (!Channels::offered(item)) return look;
  for (const ChannelDisplay& one : Channels::display_of(item, true).channels) {
    OmeZarrChannel channel{"", {one.colour, std::nullopt}, one.visible};
    if (one.contrast) channel.look.window = window_of(*one.contrast);
    look.channels.push_back(std::move(channel));
  }
  const auto own = static_cast<std::size_t>(item.recipe.channel);
  if (own >= look.channels.size()) return look;
  if (!Channels::shown(item)) {
    look.channels[own].look.window = look.alone.look.window;
    return look;
  }
  for (const ItemChannel& one : channels.of(item)) {
    const auto c = static_cast<std::size_t>(one.number);
    // An automatic contrast is known where the data are there.
    if (one.histogram) look.channels[c].look.window = window_of(one.look.contrast);
    const Item* const sister =
        one.chosen || item.source ? nullptr : channels.sister(item, one.number);
    if (sister != nullptr) look.steps[one.number] = sister->recipe.steps;
  }
  look.alone.look = look.channels[own].look;
  return look;
}

Status write_zarr(const Item& item, const ZarrLook& look, bool all_parts,
                  const std::filesystem::path& path, OmeZarrVersion version, const Backend& backend,
                  const JobContext& context) {
  if (!all_parts) return write_item(item, look.alone, path, version, context);
  const auto info = inspect(item.recipe.input, context);
  if (!info) return info.error();
  const std::vector<SourceSelection> parts = aprscope::all_parts(*info);
  ZarrExport how;
  how.steps = item.recipe.steps;
  how.other_steps = look.steps;
  how.voxel = item.typed_voxel;
  how.version = version;
  how.series = zarr_series(*info, parts, how.steps);
  for (std::size_t c = 0; c < how.series.channels.size() && c < look.channels.size(); ++c) {
    OmeZarrChannel& channel = how.series.channels[c];
    const OmeZarrChannel& seen = look.channels[c];
    if (seen.look.colour) channel.look.colour = seen.look.colour;
    if (seen.look.window) channel.look.window = seen.look.window;
    channel.active = seen.active;
  }
  return write_zarr_series(how, *info, parts, backend, path, context);
}

}  // namespace aprscope::gui
