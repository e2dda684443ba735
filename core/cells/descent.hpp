#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/job_context.hpp"
#include "core/base/parallel.hpp"
#include "core/cells/flood_steps.hpp"
#include "core/cells/flood_ways.hpp"
#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope::flood {

/// What all passes of find_basins() share: the heights of an image, the way that water takes from
/// each of its pixels (see flood_ways.hpp), and rows in pieces, which threads share. Copies share
/// the ways. `kBright`: the image is turned upside down. The arguments of the constructor must
/// outlive it; `ways` has one for each pixel, in memory order (z, x, y).
template <class T, bool kBright>
class Descent {
 public:
  Descent(const Pixels<T>& image, Connectivity near, const JobContext& context, std::uint8_t* ways)
      : values_(image.values.data()),
        ways_(ways),
        n_(image.size),
        context_(context),
        steps_(near, image.size),
        rows_(n_.z * n_.x),
        piece_rows_(std::max<std::int64_t>(1, kPiece / std::max<std::int64_t>(1, n_.y))),
        pieces_((rows_ + piece_rows_ - 1) / std::max<std::int64_t>(1, piece_rows_)),
        threads_(threads_for(image.size.count())) {}

  [[nodiscard]] const Size3& size() const { return n_; }
  [[nodiscard]] const JobContext& context() const { return context_; }
  [[nodiscard]] const FloodSteps& steps() const { return steps_; }
  [[nodiscard]] const FloodStep& step(int k) const {
    return steps_.steps[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t pieces() const { return pieces_; }
  [[nodiscard]] int threads() const { return threads_; }

  /// Values as the image has them, from the first on.
  [[nodiscard]] const T* values() const { return values_; }
  /// A value as water sees it.
  static T height(T value) {
    if constexpr (!kBright) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return -value;
    } else {
      return static_cast<T>(std::numeric_limits<T>::max() - value);
    }
  }
  [[nodiscard]] T at(std::int64_t i) const { return height(values_[i]); }

  [[nodiscard]] std::uint8_t* ways() const { return ways_; }
  [[nodiscard]] std::uint8_t& way(std::int64_t i) const { return ways_[i]; }
  /// The way of a pixel that other threads may write meanwhile.
  [[nodiscard]] std::uint8_t shared_way(std::int64_t i) const {
    return std::atomic_ref(way(i)).load(std::memory_order_relaxed);
  }

  [[nodiscard]] Index3 position(std::int64_t i) const {
    return {i / (n_.x * n_.y), i / n_.y % n_.x, i % n_.y};
  }

  /// Calls work(first pixel, pixel behind the last, piece, thread) for pieces of whole rows, which
  /// are the part from `from` to `to` of the job. False: cancelled.
  template <class Work>
  bool each_piece(double from, double to, const Work& work) const {
    return parallel_items(pieces_, threads_, context_.part(from, to), "basins",
                          [&](std::int64_t piece, int thread) {
                            const std::int64_t begin = piece * piece_rows_;
                            const std::int64_t end = std::min(rows_, begin + piece_rows_);
                            work(begin * n_.y, end * n_.y, piece, thread);
                          });
  }
  /// Calls work(first pixel of a row, its position) for rows of a piece.
  template <class Work>
  void each_row(std::int64_t begin, std::int64_t end, const Work& work) const {
    Index3 here = position(begin);
    for (std::int64_t start = begin; start < end; start += n_.y) {
      work(start, here);
      if (++here.x == n_.x) here = {here.z + 1, 0, 0};
    }
  }

 private:
  // Pixels in pieces of rows.
  static constexpr std::int64_t kPiece = std::int64_t{1} << 15;

  const T* values_;
  std::uint8_t* ways_;
  Size3 n_;
  const JobContext& context_;
  FloodSteps steps_;
  std::int64_t rows_, piece_rows_, pieces_;
  int threads_;
};

}  // namespace aprscope::flood
