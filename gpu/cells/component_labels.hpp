#pragma once

#include <cstdint>

#include "core/image/labels.hpp"
#include "gpu/device/device_buffer.hpp"
#include "gpu/octet/octets.hpp"

// Connected components of a mask on the device, by union–find: tiles of 32 × 64 pixels are solved
// in shared memory, then joined. Rows are handled as words of 32 bits, in which runs of set pixels
// are one node from the start. A contact between two pixels is left out where a shorter way between
// them exists, so that few unions are left at any density.
namespace aprscope::gpu {

/// Which components get labels.
enum class Labelled {
  /// Components of the pixels that are set.
  set,
  /// Components of the pixels that are not set. Those that touch the border of the image are
  /// outside, not holes, and get kOutside; in a single slice the border is that of the slice.
  holes
};

/// The label of pixels outside, see Labelled::holes.
constexpr std::uint32_t kOutside = 0x7FFFFFFF;

/// Labels masks of one size. Valid for work in the order of a stream, which must outlive it.
class ComponentLabels {
 public:
  /// Images have fewer than 2^31 pixels, rows rounded up to 32. Throws a Failure.
  ComponentLabels(const Int3& size, cudaStream_t stream);

  /// Whether 32-bit indices suffice for an image.
  static bool can_index(const Size3& size);
  /// Device memory that an object of this size takes; mask and labels come on top.
  static std::uint64_t bytes(const Size3& size);

  /// Enqueues labels[(z · size.x + x) · size.y + y] = 0 where the pixel is not one to be labelled,
  /// else the number of its component, from 1 on, in the order of first pixels. mask: a pixel is
  /// set where it is not 0. Labels begin at a multiple of 16 bytes.
  void enqueue(const std::uint8_t* mask, Labelled what, Connectivity connectivity,
               std::uint32_t* labels) const;
  /// The number of components (kOutside not counted). Waits for the device.
  [[nodiscard]] std::uint32_t count() const;

 private:
  Int3 size_;
  std::uint32_t row_words_ = 0;
  std::uint32_t words_ = 0;
  cudaStream_t stream_ = nullptr;
  DeviceBuffer<std::uint32_t> bits_;     // a bit a pixel: the mask
  DeviceBuffer<std::uint32_t> nodes_;    // first pixels of components of tiles
  DeviceBuffer<std::uint32_t> firsts_;   // first pixels of components
  DeviceBuffer<std::uint32_t> ranks_;    // components before each word; one more: of all
  DeviceBuffer<std::uint32_t> outside_;  // first pixels of what touches the border
  DeviceBuffer<std::uint32_t> padded_;   // labels where rows are not whole words
  DeviceBuffer<std::uint8_t> scan_;
};

}  // namespace aprscope::gpu
