#include "core/io/label_read.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/io/common/format.hpp"
#include "core/io/common/read_exactly.hpp"
#include "core/io/common/read_limits.hpp"

namespace aprscope {
namespace {

constexpr double kMostLabel = std::numeric_limits<std::uint32_t>::max();

bool is_label(double value) {
  return value >= 0.0 && value <= kMostLabel && value == std::floor(value);
}

// Why a value is no label.
Error no_label(double value, std::int64_t z, std::size_t at, const Size3& size,
               const std::string& path) {
  const std::string place = " at z " + std::to_string(z) + ", x " +
                            std::to_string(static_cast<std::int64_t>(at) / size.y) + ", y " +
                            std::to_string(static_cast<std::int64_t>(at) % size.y);
  const char* const what = !std::isfinite(value) ? "a value that is no number"
                           : value < 0.0         ? "a negative value"
                           : value > kMostLabel  ? "a value beyond 4294967295"
                                                 : "a value that is not whole";
  return {std::string("holds no labels: it has ") + what + place, path,
          "choose an image of labels: whole numbers, 0 where there is no object"};
}

// How the slices of an image lie in the file.
enum class Along { slices, channels, times };

Result<Along> slices_lie_along(const SourceInfo& info, const Size3& size, const std::string& path) {
  if (info.size == size) return Along::slices;
  if (info.size == Size3{1, size.x, size.y}) {
    const auto channels = static_cast<std::int64_t>(info.channels.size());
    if (channels == size.z && info.times == 1) return Along::channels;
    if (channels == 1 && info.times == size.z) return Along::times;
  }
  return Error{"holds labels of an image of " + size_text(info.size) +
                   " pixels (z, x, y), and the image has " + size_text(size),
               path, "choose labels of the same image"};
}

}  // namespace

Result<Labels> read_labels(const std::string& path, const Size3& size,
                           const SourceSelection& selection, const JobContext& context) {
  auto info = inspect(path, context);
  if (!info) return info.error();
  if (info->is_apr) {
    return Error{"holds particles, not an image of labels", path, "choose a TIFF or HDF5 file"};
  }
  const auto along = slices_lie_along(*info, size, path);
  if (!along) return along.error();
  auto pixels = allocate_pixels<std::uint32_t>(size, path);
  if (!pixels) return pixels.error();
  Labels labels;
  const auto visit_from = [&](std::int64_t first) {
    return [&, first](std::int64_t z, std::span<const double> values) -> Status {
      if (context.stop_requested()) return cancelled_error();
      std::uint32_t* const out = pixels->values.data() + pixels->index(first + z, 0, 0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!is_label(values[i])) return no_label(values[i], first + z, i, size, path);
        out[i] = static_cast<std::uint32_t>(values[i]);
        labels.largest = std::max(labels.largest, out[i]);
      }
      return {};
    };
  };
  const std::int64_t parts = *along == Along::slices ? 1 : size.z;
  for (std::int64_t i = 0; i < parts; ++i) {
    SourceSelection part = selection;
    if (*along == Along::channels) part = {static_cast<int>(i), 0};
    if (*along == Along::times) part = {0, static_cast<int>(i)};
    const auto n = static_cast<double>(parts);
    const auto done = static_cast<double>(i);
    if (Status read =
            read_exactly(*info, part, visit_from(i), context.part(done / n, (done + 1.0) / n));
        !read) {
      return read.error();
    }
  }
  labels.values = std::move(pixels->values);
  return labels;
}

}  // namespace aprscope
