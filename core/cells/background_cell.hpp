#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/cells/label_row.hpp"

namespace aprscope {

/// Whether labels without gaps took the background of an image for one of its cells, as a watershed
/// of walls does where there are none: no more than half of the labels (or only one) reach down to
/// what is darker than the mean of the image, while cells between bright walls nearly all do; or
/// one of those that do takes 99 % of the image, and leaves specks of noise. If so, returns the
/// share of the image that the largest of them takes, 0 … 1; else 0, also where pixels have no
/// label or the image is flat. By the grey values of the first channel.
double background_share(const std::vector<LabelRow>& rows, const Size3& size);

/// Facts about objects from the rows of wall_signal_rows(), also usable after some of them are
/// united.
struct SeenObjects {
  /// The objects that occur, each once, in any order; their numbers of pixels and least values.
  std::vector<std::uint32_t> labels;
  std::vector<std::int64_t> pixels;
  std::vector<double> minima;
  /// Mean of all pixels that were looked at.
  double mean = 0.0;
  /// Whether some pixels have no label: then the rest is not known.
  bool has_gaps = false;
};

/// The objects in labels of an image, one a pixel. Equal for any number of threads, except for the
/// order. Throws std::bad_alloc.
template <class T>
SeenObjects seen_objects(const Pixels<T>& image, std::span<const std::uint32_t> labels);

/// The objects in the image that particles with these values and labels make.
SeenObjects seen_objects(const AprAccess& access, std::span<const float> values,
                         std::span<const std::uint32_t> labels);

/// The share when each object becomes a part of `region` of its label (0: of none), without a look
/// at the image.
double background_share(const SeenObjects& seen, std::span<const std::uint32_t> region);

/// background_share() without a table, from the rows of wall_signal_rows(): some milliseconds for
/// an image of any size. `labels`: one a pixel. Throws std::bad_alloc.
template <class T>
double background_share(const Pixels<T>& image, std::span<const std::uint32_t> labels);

/// background_share() of the image that particles with these values and labels make.
double background_share(const AprAccess& access, std::span<const float> values,
                        std::span<const std::uint32_t> labels);

}  // namespace aprscope
