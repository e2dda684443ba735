#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/filter/convolution.hpp"

namespace aprscope {

/// Convolution of a dense grid with one kernel of any size, in a buffer of this object: put every
/// row, run(), then read rows. Rows go in and out in the order in which the transform wants them,
/// so that nothing is copied. One thread may run it at a time; rows may be put and read by several.
class DenseBlur {
 public:
  virtual ~DenseBlur() = default;

  [[nodiscard]] virtual const Size3& size() const = 0;
  /// Sets row (z, x): size().y values. Every row has to be put before each run().
  virtual void put(std::int64_t z, std::int64_t x, const float* values) = 0;
  /// Convolves with the kernel, or with the flipped one. Errors: cancelled.
  virtual Status run(bool flip, const JobContext& context) = 0;

  /// Values of a row as it is stored, see add().
  [[nodiscard]] virtual std::int64_t stored() const = 0;
  /// Adds weight × row (z, x) to `sum`, stored() values long. z and x from −1 to size: one more
  /// than the grid has on each side.
  virtual void add(std::int64_t z, std::int64_t x, float weight, float* sum) const = 0;
  /// The values −1 … size().y (value y at row[y + 1]) of a sum of rows.
  virtual void unfold(const float* sum, float* row) const = 0;

  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// "64 × 128 × 256, mirrored"
  [[nodiscard]] virtual std::string description() const = 0;
};

/// `kernel` lies in its middle, see Stencil; it may be larger than the grid. Boundary::reflect
/// repeats the grid mirrored about its faces (… 1 0 0 1 …), zero has zeros beyond them. With
/// reflection an even kernel is applied to cosine transforms, which need no padding: the buffer and
/// the kernel's spectrum are as large as the grid; otherwise the grid is padded by the kernel's
/// radius, on both sides for reflection. Errors: no memory.
Result<std::unique_ptr<DenseBlur>> make_dense_blur(const Size3& size, const Stencil& kernel,
                                                   Boundary boundary);

// The two ways, for tests.
Result<std::unique_ptr<DenseBlur>> make_mirror_blur(const Size3& size, const Stencil& kernel);
Result<std::unique_ptr<DenseBlur>> make_padded_blur(const Size3& size, const Stencil& kernel,
                                                    Boundary boundary);

}  // namespace aprscope
