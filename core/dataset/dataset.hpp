#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/apr/raycast.hpp"
#include "core/apr/slice.hpp"
#include "core/io/image_source.hpp"

namespace aprscope {

/// The same data with another voxel size: pixels are copied, particles are shared.
Data with_voxel_size(const Data& data, const VoxelSize& voxel);

/// Data with what is derived from it, made once on first use. Immutable from outside; every member
/// may be called from any thread. This is what the window shows and what operations start from.
class Dataset {
 public:
  static std::shared_ptr<const Dataset> create(Data data);

  [[nodiscard]] const Data& data() const { return *data_; }
  [[nodiscard]] bool is_apr() const { return std::holds_alternative<Apr>(*data_); }
  [[nodiscard]] const Apr& apr() const { return std::get<Apr>(*data_); }
  [[nodiscard]] const Volume& volume() const { return *volume_; }
  [[nodiscard]] std::shared_ptr<const Volume> shared_volume() const { return volume_; }
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] Size3 size() const;
  [[nodiscard]] const VoxelSize& voxel() const;
  /// Bytes of the data and of everything derived so far.
  [[nodiscard]] std::uint64_t bytes() const;

  /// APR: the main field as f32 / means of the interior cells (empty without fields). Here as in
  /// pixels_f32(): std::bad_alloc where memory does not suffice.
  [[nodiscard]] const std::vector<float>& particle_values() const;
  [[nodiscard]] const std::vector<float>& tree_mean() const;
  /// Whether these means are known; and, from whoever came by them, what tree_mean() then is: one
  /// value a cell of the tree. Ignored where they are known already.
  [[nodiscard]] bool has_tree_mean() const;
  void keep_tree_mean(std::vector<float> means) const;
  /// Pixels: the image as f32.
  [[nodiscard]] const Pixels<float>& pixels_f32() const;

  /// Values (of the image, or of the main field) that are not finite; counted once. `first` is the
  /// pixel, or the first pixel of the particle's cell.
  [[nodiscard]] NonFinite non_finite() const;

  /// A slice as shown; `mode` counts for an APR only.
  [[nodiscard]] Plane slice(ReconstructionMode mode, Axis axis, std::int64_t index) const;

  /// The MIP renderer of this data, built on first use (seconds for large data: call it from a
  /// worker). Errors: cancelled (the next call builds again), out of memory.
  Result<std::shared_ptr<const MipRaycaster>> raycaster(const JobContext& context = {}) const;

  /// Value, level (finest for pixels) and side of the cell at a pixel.
  struct Probe {
    float value = 0.0F;
    int level = 0;
    int cell_side = 1;
  };
  [[nodiscard]] Probe probe(const Index3& p) const;

 private:
  explicit Dataset(Data data);

  // A block of its own: the renderer keeps the volume alive without keeping this object.
  std::shared_ptr<const Data> data_;
  std::shared_ptr<const Volume> volume_;  // null for an APR; else part of *data_
  // Guards the pointers below and is never held while something is computed.
  mutable std::mutex mutex_;
  mutable std::mutex values_build_;
  mutable std::mutex tree_build_;
  mutable std::mutex pixels_build_;
  mutable std::mutex raycaster_build_;
  mutable std::mutex finite_build_;
  mutable std::shared_ptr<const std::vector<float>> values_;
  mutable std::shared_ptr<const std::vector<float>> tree_mean_;
  mutable std::shared_ptr<const Pixels<float>> pixels_;
  mutable std::shared_ptr<const MipRaycaster> raycaster_;
  mutable std::shared_ptr<const NonFinite> non_finite_;
};

}  // namespace aprscope
