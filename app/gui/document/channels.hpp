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

/// A channel of an item, as it is shown over and under the others.
struct ItemChannel {
  int number = 0;
  QString name;
  ChannelLook look;
  /// The contrast of the look follows from the histogram.
  bool automatic = true;
  /// It is the one that the item itself has: what filters act on.
  bool chosen = false;
  /// Null: not read yet; of a result: nobody made the same of this channel.
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
  /// What ShowMode::pixel shows of an APR; null: nothing but its particles.
  std::shared_ptr<const Dataset> pixels;
  /// Null until it is built.
  std::shared_ptr<const Raycaster> raycaster;
};

/// What one channel has at a place.
struct ChannelValue {
  QString name;
  float value = 0.0F;
};

/// The other channels of items that are shown with all their channels over each other. Those of an
/// original are read from its file, in the background, when they are first seen, and kept as long
/// as they are shown; the channels of a result are other results of the list, made from other
/// channels of the same file by the same kinds of steps. UI thread only.
class Channels : public QObject {
  Q_OBJECT

 public:
  Channels(ItemList& items, ViewState& view, Services& services);

  /// Whether the item comes from a file of several channels and can be shown with the others.
  static bool offered(const Item& item);
  /// Whether it is.
  static bool shown(const Item& item) { return item.display.composite && offered(item); }
  /// Its display with all channels over each other, in the colours and windows of its file where
  /// that has some, or with one channel alone.
  [[nodiscard]] static DisplaySettings display_of(const Item& item, bool composite);

  /// All channels of the file, in its order; empty where the item is not shown with others.
  [[nodiscard]] std::vector<ItemChannel> of(const Item& item) const;

  /// The result that was made of another channel as `item` was of its own: by the same steps, or
  /// else by steps of the same kinds. Null: nobody made it.
  [[nodiscard]] const Item* sister(const Item& item, int channel) const;

  /// Data of another channel that is at hand already, for whoever chooses that.
  struct Kept {
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const Histogram> histogram;
    std::shared_ptr<const Raycaster> raycaster;
  };
  [[nodiscard]] std::optional<Kept> kept(const Item& item, const SourceSelection& selection) const;
  /// The channels beside `chosen` that are seen with an original: whoever loads another time point
  /// loads them, too, so that all change together.
  [[nodiscard]] static std::vector<int> others_seen(const Item& item, int chosen);
  /// Data of other channels of an original at a time point, which the item is about to show.
  void put(std::uint64_t id, int time, std::map<int, Kept> data);
  /// Reads one channel and time point, for a worker. Errors: those of load().
  static Result<Kept> load_channel(const SourceInfo& info, const SourceSelection& selection,
                                   const std::optional<VoxelSize>& typed_voxel,
                                   const JobContext& context);

  /// Another device renders from now on.
  void forget_raycasters();

 signals:
  /// Channels of an item came, went, or can be rendered.
  void changed(std::uint64_t id);

 private:
  struct Part {
    Kept data;
    int time = 0;
    std::optional<VoxelSize> typed_voxel;
    /// Being read, and what 3-D shows being made.
    bool reading = false;
    bool preparing = false;
  };
  using Parts = std::map<int, Part>;

  void follow();
  void follow_file(const Item& item);
  void follow_results(const Item& item);
  void read(const Item& item, int channel);
  void take(std::uint64_t id, int channel, const SourceSelection& selection,
            const Result<Kept>& data);
  void prepare(std::uint64_t id, int channel);
  void hide(std::uint64_t id, int channel);
  void purge();
  [[nodiscard]] const Part* part(const Item& item, int channel) const;

  ItemList& items_;
  ViewState& view_;
  Services& services_;
  std::map<std::uint64_t, Parts> parts_;
  /// Of results that are shown as channels of others: their renderers were asked for.
  std::set<const Dataset*> asked_;
};

}  // namespace aprscope::gui
