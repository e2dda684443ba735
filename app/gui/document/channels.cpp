#include "app/gui/document/channels.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/document/large_files.hpp"
#include "app/gui/document/release.hpp"
#include "core/image/channel_blend.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope::gui {
namespace {

// More channels at once could not be told apart.
constexpr std::size_t kMostAtFirst = 6;

QString name_in_data(const Dataset& data) {
  return QString::fromStdString(data.is_apr() ? data.apr().channel : data.volume().channel);
}

QString channel_name(const Item& item, int channel, const Dataset* data) {
  QString name;
  const auto c = static_cast<std::size_t>(channel);
  if (item.source && c < item.source->channels.size()) {
    name = QString::fromStdString(item.source->channels[c]);
  } else if (data != nullptr) {
    name = name_in_data(*data);
  }
  return name.isEmpty() || name == QString::number(channel)
             ? Channels::tr("channel %1").arg(channel + 1)
             : name;
}

std::vector<ChannelDisplay> first_channels(const Item& item) {
  static const SourceInfo unknown;
  const SourceInfo& file = item.source ? *item.source : unknown;
  const auto looks = first_looks(static_cast<std::size_t>(item.file_channels), file.channels,
                                 file.hints, file.dtype == "u8");
  std::vector<ChannelDisplay> out;
  for (const FirstLook& look : looks) {
    const bool visible = look.visible && out.size() < kMostAtFirst;
    out.push_back({visible, look.colour, look.contrast});
  }
  return out;
}

bool same_kinds(const Recipe& a, const Recipe& b) {
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                    [](const Operation& x, const Operation& y) {
                      // Steps that cut out a part must have equal parameters, i.e. the same box.
                      return may_take_part({x}) ? x == y : x.id == y.id;
                    });
}

}  // namespace

Channels::Channels(ItemList& items, ViewState& view, Services& services)
    : items_(items), view_(view), services_(services) {
  const auto if_current = [this](std::uint64_t id) {
    if (id == items_.current_id()) follow();
  };
  connect(&items, &ItemList::current_changed, this, &Channels::follow);
  connect(&items, &ItemList::display_changed, this, if_current);
  connect(&items, &ItemList::data_changed, this, if_current);
  connect(&items, &ItemList::items_changed, this, [this] {
    purge();
    const Item* now = items_.current();
    if (now == nullptr || !shown(*now) || now->source) return;
    // The current item is a result: its channels are other items, which may have come or gone.
    follow();
    emit changed(items_.current_id());
  });
  connect(&view, &ViewState::raycaster_ready, this, [this](std::uint64_t id) {
    const Item* now = items_.current();
    if (now == nullptr || !shown(*now)) return;
    if (now->id == id) {
      follow();
    } else {
      emit changed(now->id);
    }
  });
}

bool Channels::offered(const Item& item) {
  return item.file_channels > 1 && !item.is_measurement() && !item.growing &&
         has_values(*item.dataset);
}

DisplaySettings Channels::display_of(const Item& item, bool composite) {
  DisplaySettings display = item.display;
  display.composite = composite;
  if (!composite || std::ssize(display.channels) == item.file_channels) return display;
  display.channels = first_channels(item);
  const auto chosen = static_cast<std::size_t>(item.recipe.channel);
  if (chosen >= display.channels.size()) return display;
  ChannelDisplay& own = display.channels[chosen];
  own.visible = true;
  // A contrast that the user has set is kept.
  const Contrast automatic = item.histogram ? automatic_contrast(*item.histogram) : Contrast();
  if (display.contrast != automatic && !own.contrast) own.contrast = display.contrast;
  return display;
}

const Channels::Part* Channels::part(const Item& item, int channel) const {
  const auto parts = parts_.find(item.id);
  if (parts == parts_.end()) return nullptr;
  const auto found = parts->second.find(channel);
  if (found == parts->second.end()) return nullptr;
  const Part& one = found->second;
  const bool fits = one.time == item.selection.time && one.level == file_level(item) &&
                    one.typed_voxel == item.typed_voxel;
  return fits ? &one : nullptr;
}

const Item* Channels::sister(const Item& item, int channel) const {
  const Item* alike = nullptr;
  for (const Item& other : items_.all()) {
    const Recipe& made = other.recipe;
    if (made.channel != channel || made.input != item.recipe.input ||
        made.time != item.recipe.time || !offered(other) ||
        other.dataset->size() != item.dataset->size() || !same_kinds(made, item.recipe)) {
      continue;
    }
    if (made.steps == item.recipe.steps) return &other;
    if (alike == nullptr) alike = &other;
  }
  return alike;
}

std::vector<ItemChannel> Channels::of(const Item& item) const {
  std::vector<ItemChannel> out;
  if (!shown(item)) return out;
  for (int c = 0; c < item.file_channels; ++c) {
    ItemChannel one;
    one.number = c;
    one.chosen = c == item.recipe.channel;
    const auto i = static_cast<std::size_t>(c);
    const ChannelDisplay set =
        i < item.display.channels.size() ? item.display.channels[i] : ChannelDisplay();
    const Item* from = one.chosen ? &item : item.source ? nullptr : sister(item, c);
    if (from != nullptr) {
      one.dataset = from->dataset;
      one.histogram = from->histogram;
      one.pixels = from->pixels;
      one.raycaster = from->raycaster;
    } else if (const Part* read = part(item, c);
               read != nullptr && read->data.dataset &&
               read->data.dataset->size() == item.dataset->size()) {
      one.dataset = read->data.dataset;
      one.histogram = read->data.histogram;
      one.raycaster = read->data.raycaster;
    }
    one.name = channel_name(item, c, one.dataset.get());
    one.automatic = !set.contrast.has_value();
    one.look = {set.visible, set.colour, set.contrast.value_or(Contrast())};
    if (one.automatic && one.histogram) one.look.contrast = automatic_contrast(*one.histogram);
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<int> Channels::drawn_over(const Item& item) const {
  std::vector<int> out;
  for (const ItemChannel& one : of(item)) {
    if (!one.chosen && one.look.visible && one.dataset) out.push_back(one.number);
  }
  return out;
}

std::optional<Channels::Kept> Channels::kept(const Item& item,
                                             const SourceSelection& selection) const {
  if (!shown(item) || selection.time != item.selection.time) return std::nullopt;
  const Part* found = part(item, selection.channel);
  // Data with labels is not taken: the labels were found for the item as it was then.
  if (found == nullptr || !found->data.dataset || found->data.dataset->labels()) {
    return std::nullopt;
  }
  return found->data;
}

std::vector<int> Channels::others_seen(const Item& item, int chosen) {
  std::vector<int> out;
  if (!shown(item) || !item.source) return out;
  for (int c = 0; c < std::min<int>(item.file_channels, std::ssize(item.display.channels)); ++c) {
    const bool visible = item.display.channels[static_cast<std::size_t>(c)].visible;
    if (visible && c != chosen) out.push_back(c);
  }
  return out;
}

void Channels::put(std::uint64_t id, int time, std::map<int, Kept> data) {
  const Item* item = items_.find(id);
  if (item == nullptr || !shown(*item)) return;
  for (auto& [channel, kept] : data) {
    parts_[id][channel] = {std::move(kept),   time,  file_level(*item),
                           item->typed_voxel, false, false};
  }
}

Result<Channels::Kept> Channels::load_channel(const SourceInfo& info,
                                              const SourceSelection& selection,
                                              const std::optional<int>& level,
                                              const std::optional<VoxelSize>& typed_voxel,
                                              const JobContext& context) {
  auto data = level ? load_level(info, selection, *level, context) : load(info, selection, context);
  if (!data) return data.error();
  if (typed_voxel) std::visit([&](auto& one) { one.voxel = *typed_voxel; }, *data);
  Kept made;
  made.dataset = released_elsewhere(Dataset::create(*std::move(data)));
  made.histogram = histogram_of(*made.dataset);
  return made;
}

void Channels::forget_raycasters() {
  for (auto& [id, parts] : parts_) {
    for (auto& [channel, one] : parts) {
      one.data.raycaster.reset();
      one.preparing = false;
    }
  }
  asked_.clear();
  follow();
}

// Releases the data of items that are gone or that show one channel only.
void Channels::purge() {
  std::erase_if(parts_, [this](const auto& entry) {
    const Item* item = items_.find(entry.first);
    return item == nullptr || !shown(*item);
  });
}

void Channels::follow() {
  purge();
  const Item* item = items_.current();
  if (item == nullptr || !shown(*item)) return;
  if (item->source) {
    follow_file(*item);
  } else {
    follow_results(*item);
  }
}

void Channels::follow_file(const Item& item) {
  const Item now = item;
  Parts& parts = parts_[now.id];
  // Keeps the chosen channel's data here too, for when another channel is chosen.
  Part& own = parts[now.selection.channel];
  own.data = {now.dataset, now.histogram, now.raycaster};
  own.time = now.selection.time;
  own.level = file_level(now);
  own.typed_voxel = now.typed_voxel;
  for (const int c : others_seen(now, now.selection.channel)) {
    const Part* there = part(now, c);
    if (there == nullptr || (!there->data.dataset && !there->reading)) {
      read(now, c);
    } else if (there->data.dataset && !there->data.raycaster && !there->preparing) {
      prepare(now.id, c);
    }
  }
}

void Channels::follow_results(const Item& item) {
  std::vector<std::uint64_t> wanted;
  for (int c = 0; c < item.file_channels; ++c) {
    const Item* other = c == item.recipe.channel ? nullptr : sister(item, c);
    if (other == nullptr || other->raycaster) continue;
    if (asked_.insert(other->dataset.get()).second) wanted.push_back(other->id);
  }
  for (const std::uint64_t id : wanted) view_.prepare_raycaster(id);
}

void Channels::read(const Item& item, int channel) {
  const SourceSelection selection{channel, item.selection.time};
  Part& one = parts_[item.id][channel];
  one = {};
  one.reading = true;
  one.time = selection.time;
  one.level = file_level(item);
  one.typed_voxel = item.typed_voxel;
  // A level is there at once, and is not to wait until all of a file is read.
  services_.background.post(
      one.level ? Lane::preview : Lane::full,
      tr("Reading %1 of %2").arg(channel_name(item, channel, nullptr), item.name),
      one.level ? "channel " + std::to_string(item.id) + " " + std::to_string(channel)
                : std::string(),
      this,
      [info = *item.source, selection, level = one.level,
       typed = item.typed_voxel](const JobContext& context) {
        return load_channel(info, selection, level, typed, context);
      },
      [this, id = item.id, channel, selection, level = one.level](const Result<Kept>& data) {
        take(id, channel, selection, level, data);
      });
}

void Channels::take(std::uint64_t id, int channel, const SourceSelection& selection,
                    const std::optional<int>& level, const Result<Kept>& data) {
  const auto parts = parts_.find(id);
  if (parts == parts_.end()) return;
  const auto found = parts->second.find(channel);
  // The item shows another time point or level since this was requested.
  if (found == parts->second.end() || !found->second.reading ||
      found->second.time != selection.time || found->second.level != level) {
    return;
  }
  found->second.reading = false;
  if (!data) {
    if (!data.error().cancelled()) services_.messages.say(data.error());
    parts->second.erase(found);
    hide(id, channel);
    return;
  }
  found->second.data = *data;
  emit changed(id);
  if (id == items_.current_id()) follow();
}

// After a failure: hides the channel, so that it is read again only if the user shows it.
void Channels::hide(std::uint64_t id, int channel) {
  items_.change(id, [channel](Item& item) {
    const auto c = static_cast<std::size_t>(channel);
    if (c < item.display.channels.size()) item.display.channels[c].visible = false;
  });
}

void Channels::prepare(std::uint64_t id, int channel) {
  Part& one = parts_[id][channel];
  one.preparing = true;
  services_.background.post(
      Lane::full, tr("Preparing the 3-D view"), {}, this,
      [dataset = one.data.dataset, backend = services_.backend](
          const JobContext& context) -> Result<std::shared_ptr<const Raycaster>> {
        auto built = backend->raycaster(dataset, context);
        if (!built) return built.error();
        return released_elsewhere(*std::move(built));
      },
      [this, id, channel, dataset = one.data.dataset,
       backend = services_.backend](const Result<std::shared_ptr<const Raycaster>>& built) {
        const auto parts = parts_.find(id);
        if (parts == parts_.end() || backend != services_.backend) return;
        const auto found = parts->second.find(channel);
        if (found == parts->second.end() || found->second.data.dataset != dataset) return;
        if (!built) {
          // Not tried again: without a raycaster the slices still show this channel.
          if (!built.error().cancelled()) services_.messages.say(built.error());
          return;
        }
        found->second.preparing = false;
        found->second.data.raycaster = *built;
        emit changed(id);
      });
}

}  // namespace aprscope::gui
