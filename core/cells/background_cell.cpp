#include "core/cells/background_cell.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>

#include "core/base/parallel.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/particle_walls.hpp"
#include "core/cells/wall_signal.hpp"

namespace aprscope {
namespace {

constexpr double kNearlyAll = 0.99;

// What was found out about one label.
struct Seen {
  std::int64_t pixels = 0;
  double minimum = std::numeric_limits<double>::infinity();
};

// The type of sums: of whole numbers 64 bits hold any sum, so that it is exact.
template <class T>
using SumOf = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;

// What one thread has found out about all labels.
class SeenLabels {
 public:
  // Adds a row of pixels; false: a pixel has no label. Neighbours mostly have the same label.
  template <class T>
  bool add_row(const T* values, const std::uint32_t* labels, std::size_t length, double& sum) {
    SumOf<T> all = 0;
    for (std::size_t i = 0; i < length;) {
      const std::uint32_t label = labels[i];
      if (label == 0) return false;
      T minimum = values[i];
      const std::size_t start = i;
      for (; i < length && labels[i] == label; ++i) {
        minimum = std::min(minimum, values[i]);
        all += static_cast<SumOf<T>>(values[i]);
      }
      see(label, {static_cast<std::int64_t>(i - start), static_cast<double>(minimum)});
    }
    sum = static_cast<double>(all);
    return true;
  }
  void add(const SeenLabels& other) {
    for (std::size_t i = 0; i < other.all_.size(); ++i) see(other.met_.labels()[i], other.all_[i]);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& labels() const { return met_.labels(); }
  [[nodiscard]] const std::vector<Seen>& all() const { return all_; }
  void see(std::uint32_t label, const Seen& some) {
    const std::uint32_t slot = met_.find_or_add(label);
    if (slot == all_.size()) all_.emplace_back();
    all_[slot].pixels += some.pixels;
    all_[slot].minimum = std::min(all_[slot].minimum, some.minimum);
  }

 private:
  // Labels may be any numbers.
  LabelSlots met_{std::numeric_limits<std::uint32_t>::max()};
  std::vector<Seen> all_;
};

double share_of_darkest(const std::vector<Seen>& all, double mean) {
  std::size_t dark = 0;
  std::int64_t largest = 0;
  std::int64_t pixels = 0;
  for (const Seen& one : all) {
    pixels += one.pixels;
    if (!(one.minimum < mean)) continue;
    ++dark;
    largest = std::max(largest, one.pixels);
  }
  if (dark == 0) return 0.0;
  const double share = static_cast<double>(largest) / static_cast<double>(pixels);
  const bool most_are_bright = dark <= std::max<std::size_t>(1, all.size() / 2);
  return most_are_bright || share > kNearlyAll ? share : 0.0;
}

}  // namespace

double background_share(const std::vector<LabelRow>& rows, const Size3& size) {
  std::vector<Seen> all;
  std::int64_t pixels = 0;
  double sum = 0.0;
  for (const LabelRow& row : rows) {
    if (row.intensities.empty()) return 0.0;
    all.push_back({row.voxels, row.intensities.front().minimum});
    pixels += row.voxels;
    sum += row.intensities.front().sum;
  }
  if (pixels != size.count()) return 0.0;
  return share_of_darkest(all, sum / static_cast<double>(pixels));
}

template <class T>
SeenObjects seen_objects(const Pixels<T>& image, std::span<const std::uint32_t> labels) {
  const std::vector<std::int64_t> rows = wall_signal_rows(image.size);
  const auto count = static_cast<std::int64_t>(rows.size());
  const int threads = threads_for(count * image.size.y);
  std::vector<SeenLabels> seen(static_cast<std::size_t>(threads));
  // Sums by row, so that they are added in the same order by any number of threads.
  std::vector<double> sums(rows.size(), 0.0);
  std::atomic<bool> has_gaps = false;
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    SeenLabels& mine = seen[static_cast<std::size_t>(thread)];
    for (std::int64_t r = begin; r < end && !has_gaps; ++r) {
      const auto k = static_cast<std::size_t>(r);
      const auto start = static_cast<std::size_t>(rows[k] * image.size.y);
      const auto length = static_cast<std::size_t>(image.size.y);
      if (!mine.add_row(image.values.data() + start, labels.data() + start, length, sums[k])) {
        has_gaps = true;
      }
    }
  });
  SeenObjects out;
  out.has_gaps = has_gaps;
  if (out.has_gaps) return out;
  for (std::size_t t = 1; t < seen.size(); ++t) seen.front().add(seen[t]);
  double sum = 0.0;
  for (const double one : sums) sum += one;
  out.mean = sum / static_cast<double>(count * image.size.y);
  out.labels = seen.front().labels();
  for (const Seen& one : seen.front().all()) {
    out.pixels.push_back(one.pixels);
    out.minima.push_back(one.minimum);
  }
  return out;
}

SeenObjects seen_objects(const AprAccess& access, std::span<const float> values,
                         std::span<const std::uint32_t> labels) {
  const Pixels<std::uint32_t> of_labels = particle_rows(access, labels);
  return seen_objects(particle_rows(access, values), of_labels.values);
}

double background_share(const SeenObjects& seen, std::span<const std::uint32_t> region) {
  if (seen.has_gaps) return 0.0;
  SeenLabels all;
  for (std::size_t i = 0; i < seen.labels.size(); ++i) {
    const std::uint32_t its = region[seen.labels[i]];
    if (its == 0) return 0.0;
    all.see(its, {seen.pixels[i], seen.minima[i]});
  }
  return share_of_darkest(all.all(), seen.mean);
}

namespace {

// The share for objects as they are, none of them united.
double share_of(const SeenObjects& seen) {
  if (seen.has_gaps) return 0.0;
  std::vector<Seen> all;
  for (std::size_t i = 0; i < seen.labels.size(); ++i) {
    all.push_back({seen.pixels[i], seen.minima[i]});
  }
  return share_of_darkest(all, seen.mean);
}

}  // namespace

template <class T>
double background_share(const Pixels<T>& image, std::span<const std::uint32_t> labels) {
  return share_of(seen_objects(image, labels));
}

double background_share(const AprAccess& access, std::span<const float> values,
                        std::span<const std::uint32_t> labels) {
  return share_of(seen_objects(access, values, labels));
}

template SeenObjects seen_objects(const Pixels<std::uint8_t>&, std::span<const std::uint32_t>);
template SeenObjects seen_objects(const Pixels<std::uint16_t>&, std::span<const std::uint32_t>);
template SeenObjects seen_objects(const Pixels<float>&, std::span<const std::uint32_t>);
template double background_share(const Pixels<std::uint8_t>&, std::span<const std::uint32_t>);
template double background_share(const Pixels<std::uint16_t>&, std::span<const std::uint32_t>);
template double background_share(const Pixels<float>&, std::span<const std::uint32_t>);

}  // namespace aprscope
