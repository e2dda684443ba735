#include "core/cells/wall_statistics.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/cells/pair_numbers.hpp"
#include "core/cells/wall_visit.hpp"

namespace aprscope {
namespace {

// A value of a wall, signed so that weaker is less.
struct Weakest {
  float value = std::numeric_limits<float>::infinity();
  std::int64_t at = std::numeric_limits<std::int64_t>::max();

  void see(float v, std::int64_t i) {
    if (v < value || (v == value && i < at)) *this = {v, i};
  }
};

// Walls by key, and of each how many values and the weakest.
struct Counted {
  PairNumbers numbers;
  std::vector<std::size_t> counts;
  std::vector<Weakest> weakest;
  std::uint64_t last = 0;
  std::uint32_t number = 0;

  std::uint32_t number_of(std::uint64_t key) {
    if (key != last) {
      last = key;
      number = numbers.number(key);
      if (number == counts.size()) {
        counts.push_back(0);
        weakest.emplace_back();
      }
    }
    return number;
  }
  void see(std::uint64_t key, float value, std::int64_t at) {
    const std::uint32_t n = number_of(key);
    ++counts[n];
    weakest[n].see(value, at);
  }
  void add(const Counted& other) {
    for (std::size_t i = 0; i < other.counts.size(); ++i) {
      const std::uint32_t n = number_of(other.numbers.keys()[i]);
      counts[n] += other.counts[i];
      weakest[n].see(other.weakest[i].value, other.weakest[i].at);
    }
  }
};

Index3 place_of(std::int64_t i, const Size3& n) {
  return {i / (n.x * n.y), i / n.y % n.x, i % n.y};
}

// Sorts the values, so that sums do not depend on their order.
WallStatistics described(std::uint64_t key, std::vector<float>& values, const Weakest& weakest,
                         bool dark, const Size3& size) {
  std::sort(values.begin(), values.end());
  const double sign = dark ? -1.0 : 1.0;
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const float v : values) sum += static_cast<double>(v);
  const double mean = sum / n;
  double squares = 0.0;
  for (const float v : values) {
    squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  }
  WallStatistics out;
  out.a = static_cast<std::uint32_t>(key >> 32U);
  out.b = static_cast<std::uint32_t>(key);
  // An object alone has itself on both sides.
  if (out.a == out.b) out.b = 0;
  out.values = static_cast<std::int64_t>(values.size());
  out.mean = sign * mean;
  out.deviation = std::sqrt(squares / n);
  // The lower median of what is not turned round.
  const std::size_t middle = dark ? values.size() / 2 : (values.size() - 1) / 2;
  out.median = sign * static_cast<double>(values[middle]);
  out.weakest = sign * static_cast<double>(weakest.value);
  out.weakest_at = place_of(weakest.at, size);
  return out;
}

// each(context, visit) calls visit(key, value, place, thread) for all values of all walls; it is
// called twice and must visit the same ones; false: cancelled.
template <class Each>
Result<std::vector<WallStatistics>> statistics_of(const Each& each, int threads, bool dark,
                                                  const Size3& size, const JobContext& context) {
  std::vector<Counted> of_threads(static_cast<std::size_t>(threads));
  if (!each(context.part(0.0, 0.4),
            [&](std::uint64_t key, float value, std::int64_t at, int thread) {
              of_threads[static_cast<std::size_t>(thread)].see(key, value, at);
            })) {
    return cancelled_error();
  }
  Counted all = std::move(of_threads.front());
  for (std::size_t t = 1; t < of_threads.size(); ++t) all.add(of_threads[t]);
  std::vector<std::vector<float>> values(all.counts.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i].resize(all.counts[i]);
  std::vector<std::size_t> filled(values.size(), 0);
  if (!each(context.part(0.4, 0.8), [&](std::uint64_t key, float value, std::int64_t, int) {
        const std::uint32_t n = all.numbers.find(key);
        const std::size_t at = std::atomic_ref(filled[n]).fetch_add(1, std::memory_order_relaxed);
        values[n][at] = value;
      })) {
    return cancelled_error();
  }
  std::vector<WallStatistics> out(values.size());
  const bool done = parallel_items(static_cast<std::int64_t>(values.size()), threads,
                                   context.part(0.8, 1.0), "walls", [&](std::int64_t i, int) {
                                     const auto k = static_cast<std::size_t>(i);
                                     out[k] = described(all.numbers.keys()[k], values[k],
                                                        all.weakest[k], dark, size);
                                   });
  if (!done) return cancelled_error();
  std::sort(out.begin(), out.end(), [](const WallStatistics& a, const WallStatistics& b) {
    return std::pair(a.a, a.b) < std::pair(b.a, b.b);
  });
  return out;
}

template <class T>
class Walls {
 public:
  Walls(const LabelPixels& labels, const Pixels<T>& image, bool dark)
      : n_(labels.size), labels_(labels.values), image_(image), dark_(dark), pieces_(n_) {}

  // Pixels that share a face with what has another label, or none.
  template <class Visit>
  bool each_pixel(int threads, const JobContext& context, const Visit& visit) const {
    return each_row(threads, context, [&](const Index3& here, std::int64_t start, int thread) {
      const std::int64_t plane = n_.x * n_.y;
      for (std::int64_t y = 0; y < n_.y; ++y) {
        const std::int64_t i = start + y;
        const std::uint32_t label = labels_[static_cast<std::size_t>(i)];
        if (label == 0) continue;
        const auto other = [&](bool inside, std::int64_t step) {
          return inside && labels_[static_cast<std::size_t>(i + step)] != label;
        };
        if (other(y > 0, -1) || other(y + 1 < n_.y, 1) || other(here.x > 0, -n_.y) ||
            other(here.x + 1 < n_.x, n_.y) || other(here.z > 0, -plane) ||
            other(here.z + 1 < n_.z, plane)) {
          const float value = value_at(i);
          if (std::isfinite(value)) visit(PairNumbers::key(label, label), value, i, thread);
        }
      }
    });
  }

  // Visits the faces between two labels.
  template <class Visit>
  bool each_face(int threads, const JobContext& context, const Visit& visit) const {
    return each_row(threads, context, [&](const Index3& here, std::int64_t start, int thread) {
      const auto across = [&](std::int64_t step, std::int64_t length) {
        for (std::int64_t i = start; i < start + length; ++i) {
          const std::uint32_t a = labels_[static_cast<std::size_t>(i)];
          const std::uint32_t b = labels_[static_cast<std::size_t>(i + step)];
          if (a == b || a == 0 || b == 0) continue;
          const float v = value_at(i);
          const float w = value_at(i + step);
          if (!std::isfinite(v) || !std::isfinite(w)) continue;
          visit(PairNumbers::key(a, b), std::max(v, w), v >= w ? i : i + step, thread);
        }
      };
      across(1, n_.y - 1);
      if (here.x + 1 < n_.x) across(n_.y, n_.y);
      if (here.z + 1 < n_.z) across(n_.x * n_.y, n_.y);
    });
  }

 private:
  [[nodiscard]] float value_at(std::int64_t i) const {
    const auto value = static_cast<float>(image_.values[static_cast<std::size_t>(i)]);
    return dark_ ? -value : value;
  }
  template <class Row>
  bool each_row(int threads, const JobContext& context, const Row& row) const {
    return parallel_items(
        pieces_.count, threads, context, "walls", [&](std::int64_t piece, int thread) {
          const std::int64_t begin = piece * pieces_.rows_each;
          const std::int64_t end = std::min(pieces_.rows, begin + pieces_.rows_each);
          for (std::int64_t r = begin; r < end; ++r) {
            row(Index3{r / n_.x, r % n_.x, 0}, r * n_.y, thread);
          }
        });
  }

  Size3 n_;
  std::span<const std::uint32_t> labels_;
  const Pixels<T>& image_;
  bool dark_;
  WallPieces pieces_;
};

template <class T>
Result<WallTables> tables_of(const LabelPixels& labels, const Pixels<T>& image, bool dark,
                             const JobContext& context) {
  const Walls<T> walls(labels, image, dark);
  const int threads = threads_for(labels.size.count());
  auto of_objects =
      statistics_of([&](const JobContext& part,
                        const auto& visit) { return walls.each_pixel(threads, part, visit); },
                    threads, dark, labels.size, context.part(0.0, 0.5));
  if (!of_objects) return of_objects.error();
  auto between =
      statistics_of([&](const JobContext& part,
                        const auto& visit) { return walls.each_face(threads, part, visit); },
                    threads, dark, labels.size, context.part(0.5, 1.0));
  if (!between) return between.error();
  return WallTables{*std::move(of_objects), *std::move(between)};
}

}  // namespace

Result<WallTables> wall_statistics(const LabelPixels& labels, const AnyPixels& image, bool dark,
                                   const JobContext& context) {
  return std::visit([&](const auto& pixels) { return tables_of(labels, pixels, dark, context); },
                    image);
}

}  // namespace aprscope
