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

/// What a GPU is, with its copy rate measured now.
struct GpuFacts {
  std::string name;
  std::string driver;   // highest CUDA version of the driver
  std::string runtime;  // CUDA version of this program
  int multiprocessors = 0;
  double core_clock_mhz = 0.0;  // highest
  double memory_clock_mhz = 0.0;
  double copy_bytes_per_second = 0.0;  // read plus written
  /// Of floats, by the number of units and the highest clock; not measured.
  double multiply_adds_per_second = 0.0;
};

/// Times of one piece of work, by events on the device.
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
  /// Things of a kind that are done (samples, images); 0 = not counted.
  std::uint64_t items = 0;
};

/// `device` as in select_backend(). Errors: no such GPU.
Result<GpuFacts> gpu_facts(const std::string& device);

/// Structure, transfers, tree, convolutions, filters, pictures and reconstructions of an APR that
/// is resident, each by the function that the program calls. Convolutions are prepared once, as
/// iterations have them; filters for each run, pictures end on the host. Errors: CUDA, too little
/// memory.
Result<std::vector<GpuTiming>> gpu_benchmark(const std::string& device,
                                             const std::shared_ptr<const AprAccess>& access,
                                             std::span<const float> values, int repeats);

/// Conversion of a pixel image with level_max ≥ 2, from where the program has it, by the clock of
/// the host: until its particles are on the device, and until they are a data set. The transfer of
/// as many bytes of pinned memory for comparison. `moved` is the image. Errors: CUDA, too little
/// memory.
Result<std::vector<GpuTiming>> gpu_conversion_benchmark(const std::string& device,
                                                        const Volume& volume,
                                                        const ConversionParameters& parameters,
                                                        int repeats);

/// Counting the strata of images of `size` that are resident, of noise, of smooth objects in an
/// empty background, and of the background of a camera; of the last from host memory, too, by the
/// clock of the host. Reading as many bytes for comparison; `moved` is the image. Errors: CUDA, too
/// little memory, more than 2^28 pixels.
Result<std::vector<GpuTiming>> gpu_pixel_topology_benchmark(const std::string& device,
                                                            const Size3& size, int repeats);

/// The same of the particles of an APR and of the pixels of its reconstruction, values rounded to
/// 16 bits.
Result<std::vector<GpuTiming>> gpu_topology_benchmark(
    const std::string& device, const std::shared_ptr<const AprAccess>& access,
    std::span<const float> values, int repeats);

/// Labelling the components of masks of `size` that are resident: of noise of several densities, of
/// smooth blobs, of cubes between walls; and holes, where exteriors are told apart. Errors: CUDA,
/// too little memory, more than 2^31 pixels.
Result<std::vector<GpuTiming>> gpu_label_benchmark(const std::string& device, const Size3& size,
                                                   int repeats);

/// Inserting projections of 64² padded to 128² and of 420² padded to 840² into a map's sums, with
/// and without CTF: planes that are resident in batches, and from host memory by the clock of the
/// host, with what a device cannot do without beside it: transfer and transforms. `items` are
/// samples, or images. Errors: CUDA, too little memory.
Result<std::vector<GpuTiming>> gpu_projection_benchmark(const std::string& device, int repeats);

/// Iterations of Richardson–Lucy on the particles of an APR and on its `pixels`, as the program
/// runs them, with the PSFs of bench deconvolution, a small and a large one, by the clock of the
/// host. Errors: CUDA, too little memory.
Result<std::vector<GpuTiming>> gpu_deconvolution_benchmark(
    const std::string& device, const std::shared_ptr<const AprAccess>& access,
    std::span<const float> values, std::vector<float> pixels, int repeats);

}  // namespace aprscope
