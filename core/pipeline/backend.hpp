#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/pipeline/dataset.hpp"
#include "core/pipeline/operation.hpp"

namespace aprscope {

/// Where operations run. Chosen once a job; nothing falls back half-way.
class Backend {
 public:
  virtual ~Backend() = default;

  /// "CPU, 2 threads, AVX-512", "cuda:0 NVIDIA H200".
  [[nodiscard]] virtual std::string name() const = 0;
  /// "cpu", "cuda:0".
  [[nodiscard]] virtual std::string id() const = 0;

  /// Success when `run` can do this; else why not.
  [[nodiscard]] virtual Status supports(const Operation& operation, const Dataset& input) const = 0;

  /// Bytes that a run will take beyond the input.
  [[nodiscard]] virtual std::uint64_t estimate_bytes(const Operation& operation,
                                                     const Dataset& input) const = 0;

  /// The operation on the whole data. The result carries name, voxel size, channel and a history
  /// that ends with this step.
  virtual Result<Data> run(const Operation& operation, const Dataset& input,
                           const JobContext& context) const = 0;

  /// Filters only: the result inside `region` (see convolve()); `out` has one value a particle, or
  /// a pixel, of the whole data and keeps what it had elsewhere. Agrees with run() bit for bit.
  virtual Status run_region(const Operation& operation, const Dataset& input, const Region& region,
                            std::vector<float>& out, const JobContext& context) const = 0;
};

std::shared_ptr<const Backend> cpu_backend();

}  // namespace aprscope
