#pragma once

#include <QObject>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "core/image/region.hpp"

namespace aprscope::gui {

/// How all views show the current item: the crosshair, drawings over the data, and the raycasters
/// of items. UI thread only.
class ViewState : public QObject {
  Q_OBJECT

 public:
  ViewState(ItemList& items, Services& services);

  [[nodiscard]] const Index3& crosshair() const { return crosshair_; }
  /// Moves the crosshair to a position, clamped to the current item.
  void set_crosshair(const Index3& position);
  /// Another item is current: moves the crosshair to the middle if that has another size than the
  /// one before, and lets go of the clipping box; emits nothing of the crosshair.
  void follow_current();
  /// Follows a change of the current item's data: where these cover the same box in other pixels,
  /// crosshair and clipping box stay at their place in it.
  void follow_size();
  /// Moves the crosshair in the background to the brightest pixel or particle of the current item.
  void go_to_brightest();

  [[nodiscard]] const ViewOptions& options() const { return options_; }
  void set_options(const ViewOptions& options);

  /// The pixels of the current item that 3-D views show; none: all of it.
  [[nodiscard]] const std::optional<Region>& clip() const { return clip_; }
  /// Sets it, cut to the current item; a box without pixels is none.
  void set_clip(const std::optional<Region>& box);

  /// Builds the raycaster of an item in the background; raycaster_ready follows.
  void prepare_raycaster(std::uint64_t id);

 signals:
  void crosshair_changed(const aprscope::Index3& position);
  void options_changed();
  void clip_changed();
  /// The raycaster of an item is ready: Item::raycaster.
  void raycaster_ready(std::uint64_t id);

 private:
  [[nodiscard]] Index3 clamped(const Index3& position) const;

  ItemList& items_;
  Services& services_;
  Index3 crosshair_{0, 0, 0};
  /// The size of the data that it is a position in.
  Size3 size_{0, 0, 0};
  VoxelSize voxel_;
  ViewOptions options_;
  std::optional<Region> clip_;
  /// The raycaster that is being built for an item.
  struct Building {
    std::weak_ptr<const Dataset> of;
    std::uint64_t job = 0;
  };
  std::map<std::uint64_t, Building> building_;
};

}  // namespace aprscope::gui
