#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/structure/access.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// The properties of a GPU, with its copy rate as measured in this call.
struct GpuFacts {
  std::string name;
  std::string driver;   // highest CUDA version of the driver
  std::string runtime;  // CUDA version of this program
  int multiprocessors = 0;
  double core_clock_mhz = 0.0;  // highest
  double memory_clock_mhz = 0.0;
  double copy_bytes_per_second = 0.0;  // read plus written
  /// Peak for floats, computed from the number of units and the highest clock; not measured.
  double multiply_adds_per_second = 0.0;
};

/// Durations of one piece of work, measured with events on the device.
struct GpuTiming {
  std::string op;
  std::string stencil = "-";
  std::string mode = "-";
  double median = 0.0;  // seconds
  double minimum = 0.0;
  int repeats = 0;
  /// Bytes that must be read and written at the least; 0 = not counted.
  std::uint64_t moved = 0;
  /// Multiply–adds that must be done at the least.
  std::uint64_t products = 0;
  /// How many items (samples, images) the work handles; 0 = not counted.
  std::uint64_t items = 0;
};

/// `device` as in select_backend(). Errors: no such GPU.
Result<GpuFacts> gpu_facts(const std::string& device);

/// Times structure, transfers, tree, convolutions, filters, pictures and reconstructions of an APR
/// on the device, each with the function that the program calls. Convolutions are prepared once,
/// as for iterations; filters in each run; pictures end on the host. Errors: CUDA, too little
/// memory.
Result<std::vector<GpuTiming>> gpu_benchmark(const std::string& device,
                                             const std::shared_ptr<const AprAccess>& access,
                                             std::span<const float> values, int repeats);

/// Times the conversion of a pixel image with level_max ≥ 2 from host memory, by the host's clock:
/// until its particles are on the device, and until the result is a data set. For comparison also
/// the transfer of as many bytes of pinned memory. `moved`: the image. Errors: CUDA, too little
/// memory.
Result<std::vector<GpuTiming>> gpu_conversion_benchmark(const std::string& device,
                                                        const Volume& volume,
                                                        const ConversionParameters& parameters,
                                                        int repeats);

/// Times counting the strata of images of `size` on the device: noise, smooth objects on an empty
/// background, and a camera's background; the last also from host memory, by the host's clock. For
/// comparison also reading as many bytes. `moved`: the image. Errors: CUDA, too little memory, more
/// than 2^28 pixels.
Result<std::vector<GpuTiming>> gpu_pixel_topology_benchmark(const std::string& device,
                                                            const Size3& size, int repeats);

/// Times counting the strata of an APR's particles, and of the pixels of its reconstruction. Values
/// are rounded to 16 bits.
Result<std::vector<GpuTiming>> gpu_topology_benchmark(
    const std::string& device, const std::shared_ptr<const AprAccess>& access,
    std::span<const float> values, int repeats);

/// Times labelling the components of masks of `size` on the device: noise of several densities,
/// smooth blobs, cubes between walls; and holes, apart from what is outside. Errors: CUDA, too
/// little memory, more than 2^31 pixels.
Result<std::vector<GpuTiming>> gpu_label_benchmark(const std::string& device, const Size3& size,
                                                   int repeats);

/// Times inserting projections of 64² padded to 128², and of 420² padded to 840², into a map's
/// sums, with and without CTF: batches of planes on the device, and from host memory by the host's
/// clock, with transfer and transforms, which come first, apart. `items`: samples or images.
/// Errors: CUDA, too little memory.
Result<std::vector<GpuTiming>> gpu_projection_benchmark(const std::string& device, int repeats);

/// Times iterations of Richardson–Lucy on the particles of an APR and on its `pixels`, as the
/// program runs them, with the small and large PSFs of `bench deconvolution`, by the host's clock.
/// Errors: CUDA, too little memory.
Result<std::vector<GpuTiming>> gpu_deconvolution_benchmark(
    const std::string& device, const std::shared_ptr<const AprAccess>& access,
    std::span<const float> values, std::vector<float> pixels, int repeats);

}  // namespace aprscope
