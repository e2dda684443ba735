#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "app/gui/document/view_state.hpp"

namespace aprscope::gui {

/// One of the channels of an item that are shown over each other.
struct ItemChannel {
  int number = 0;
  QString name;
  ChannelLook look;
  /// The contrast follows from the histogram; false: set by the user.
  bool automatic = true;
  /// Whether this is the item's own channel, which filters act on.
  bool chosen = false;
  /// Null: not read yet; for a result, no other item was made from this channel in the same way.
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
  /// For an APR, the pixels for ShowMode::pixel; null: none, so its particles are shown.
  std::shared_ptr<const Dataset> pixels;
  /// Null until it is built.
  std::shared_ptr<const Raycaster> raycaster;
};

/// The value of one channel at a position.
struct ChannelValue {
  QString name;
  float value = 0.0F;
};

/// The other channels of items that show all their channels over each other. Those of an original
/// are read from its file in the background when they are first shown, and kept while they are. The
/// channels of a result are other results in the list, made from other channels of the same file by
/// steps of the same kinds. UI thread only.
class Channels : public QObject {
  Q_OBJECT

 public:
  Channels(ItemList& items, ViewState& view, Services& services);

  /// Whether the item comes from a file of several channels and can be shown with the others.
  static bool offered(const Item& item);
  /// Whether the item is shown with all channels.
  static bool shown(const Item& item) { return item.display.composite && offered(item); }
  /// The item's display settings with all channels (in the colours and contrasts that the file
  /// states, if any), or with only one.
  [[nodiscard]] static DisplaySettings display_of(const Item& item, bool composite);

  /// All channels of the file, in its order; empty where the item is not shown with others.
  [[nodiscard]] std::vector<ItemChannel> of(const Item& item) const;

  /// The other channels that are drawn over the item's own: visible ones whose data are there.
  [[nodiscard]] std::vector<int> drawn_over(const Item& item) const;

  /// The result that corresponds to `item` for another channel: made by the same steps, or else by
  /// steps of the same kinds. Null: there is none.
  [[nodiscard]] const Item* sister(const Item& item, int channel) const;

  /// The data of another channel that is loaded already, to switch to this channel at once.
  struct Kept {
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const Histogram> histogram;
    std::shared_ptr<const Raycaster> raycaster;
  };
  [[nodiscard]] std::optional<Kept> kept(const Item& item, const SourceSelection& selection) const;
  /// The channels of an original that are shown besides `chosen`. Loading another time point has to
  /// load these too, so that all change together.
  [[nodiscard]] static std::vector<int> others_seen(const Item& item, int chosen);
  /// Stores data of an original's other channels for a time point that the item is about to show.
  void put(std::uint64_t id, int time, std::map<int, Kept> data);
  /// Reads one channel and time point, all of it or its image of a level, for a worker. Errors:
  /// those of load() and level_of_file(); it has no such level.
  static Result<Kept> load_channel(const SourceInfo& info, const SourceSelection& selection,
                                   const std::optional<int>& level,
                                   const std::optional<VoxelSize>& typed_voxel,
                                   const JobContext& context);

  /// Call when another device renders from now on.
  void forget_raycasters();

 signals:
  /// Channels of an item were loaded or removed, or can be rendered.
  void changed(std::uint64_t id);

 private:
  struct Part {
    Kept data;
    int time = 0;
    /// The level that the item shows of its file, see file_level().
    std::optional<int> level;
    std::optional<VoxelSize> typed_voxel;
    /// The data is being read / its raycaster is being built.
    bool reading = false;
    bool preparing = false;
  };
  using Parts = std::map<int, Part>;

  void follow();
  void follow_file(const Item& item);
  void follow_results(const Item& item);
  void read(const Item& item, int channel);
  void take(std::uint64_t id, int channel, const SourceSelection& selection,
            const std::optional<int>& level, const Result<Kept>& data);
  void prepare(std::uint64_t id, int channel);
  void hide(std::uint64_t id, int channel);
  void purge();
  [[nodiscard]] const Part* part(const Item& item, int channel) const;

  ItemList& items_;
  ViewState& view_;
  Services& services_;
  std::map<std::uint64_t, Parts> parts_;
  /// Results shown as channels of others whose raycasters were requested.
  std::set<const Dataset*> asked_;
};

}  // namespace aprscope::gui
