#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/projections/image_planes.hpp"
#include "core/projections/inserter.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/device/line_plan.hpp"
#include "gpu/projections/projection_insert.hpp"
#include "gpu/projections/projection_prepare.hpp"

namespace aprscope::gpu {

/// The largest pixel of images, in pixels of the map: it limits how far columns cross an axis.
inline constexpr float kMostScale = 1.5F;

/// Images as planes of texels on the device, made as ImageTerms says: uploaded through pinned
/// memory on a stream of their own, some at a time, and transformed on the stream of the work.
/// Functions throw a Failure.
class PlaneStore {
 public:
  /// `exact`, and always for the blob kernel: texels are floats in memory, else halves in a
  /// texture. Work goes to `stream`.
  PlaneStore(const InsertionPlan& plan, bool exact, cudaStream_t stream);
  ~PlaneStore();
  PlaneStore(const PlaneStore&) = delete;
  PlaneStore& operator=(const PlaneStore&) = delete;

  /// Bytes on the device at most, with room for as many images as make sense. With less free memory
  /// it takes fewer images at a time, and sums are rounded differently.
  static std::uint64_t bytes(const InsertionPlan& plan, bool exact);

  /// The number of images that there is room for.
  [[nodiscard]] std::int64_t layers() const { return layers_; }
  /// The number of images that are uploaded and transformed at a time.
  [[nodiscard]] std::int64_t chunk() const { return chunk_; }
  [[nodiscard]] Texels texels() const { return texels_; }
  /// Enqueues the conversion of images to the layers from 0 on, after work enqueued before that
  /// reads these layers. Images may be overwritten after release(). False: the job was cancelled.
  bool fill(std::span<const float> images, std::span<const ImageTerms> terms,
            const JobContext& context);
  /// Waits until these images were read if they are in pinned memory; other images were copied.
  void release(std::span<const float> images) const;
  /// Uploads / transforms a chunk of the last fill() once more, for benchmarks.
  void upload_again(int slot);
  void transform_again(int slot, std::int64_t count);
  /// Writes the position of the planes to `view`.
  void describe(InsertView& view) const;

 private:
  struct Slot {
    // Pinned memory for terms, and for images that the caller does not have in pinned memory.
    std::unique_ptr<PinnedBuffer> terms, images;
    DeviceBuffer<std::byte> raw;
    Event copied, consumed;
  };
  static constexpr int kSlots = 8;

  // The sizes of a store.
  struct Shape {
    Texels texels = Texels::filtered;
    std::int32_t margin = 0, reach = 0, width = 0, height = 0;
    std::int64_t columns = 0, layers = 0, chunk = 0;
    std::uint64_t texel_bytes = 0;
    // The size of one layer, and of the whole store.
    std::uint64_t layer_bytes = 0, bytes = 0;
  };
  // The shape of a store with at most this number of layers.
  static Shape shape_of(const InsertionPlan& plan, bool exact, std::int64_t most_layers);
  static Shape fitting_shape(const InsertionPlan& plan, bool exact);

  // The size of the images of a chunk.
  [[nodiscard]] std::uint64_t image_bytes() const;
  [[nodiscard]] std::uint64_t term_bytes() const;
  PlaneTerms terms_of(const ImageTerms& terms);
  void make_texels(std::uint64_t texel_bytes);
  void upload_optics();
  void transform(const Slot& slot, std::int64_t first_layer, std::int64_t count);

  InsertionPlan plan_;
  Texels texels_;
  cudaStream_t stream_;
  Stream copies_{true};
  std::int64_t layers_ = 0, chunk_ = 0, columns_ = 0;
  TexelView to_{};
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
  DeviceBuffer<float> memory_;  // for exact texels
  DeviceBuffer<float> scales_, squares_, rows_;
  DeviceBuffer<float2> row_spectra_, spectra_;
  std::unique_ptr<LinePlan> row_plan_, column_plan_;
  // Windows by their parameters, and the same on the device.
  std::map<WindowKey, std::int32_t> windows_;
  std::vector<float> window_values_;
  DeviceBuffer<float> device_windows_;
  // For the plan's optics groups; empty if no image has any.
  DeviceBuffer<GroupTerms> optics_;
  DeviceBuffer<float> weights_;
  Slot slots_[kSlots];
  std::uint64_t pieces_ = 0;
};

}  // namespace aprscope::gpu
