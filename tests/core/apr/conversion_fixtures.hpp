#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/system.hpp"
#include "core/image/volume.hpp"

namespace aprscope::test {

/// Sets the number of threads for one scope.
class Threads {
 public:
  explicit Threads(int n) { set_thread_count(n); }
  ~Threads() { set_thread_count(0); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
};

/// Blobs and noise between `low` and `high`.
template <class T>
Volume blobs(const Size3& size, double low, double high, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Pixels<T> pixels(size);
  struct Blob {
    double z, x, y, radius;
  };
  const double largest = static_cast<double>(std::max({size.z, size.x, size.y}));
  std::vector<Blob> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(
        {unit(random) * static_cast<double>(size.z), unit(random) * static_cast<double>(size.x),
         unit(random) * static_cast<double>(size.y), largest * (0.1 + 0.1 * unit(random))});
  }
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        double v = 0.05 * unit(random);
        for (const Blob& b : all) {
          const double d = std::hypot(static_cast<double>(z) - b.z, static_cast<double>(x) - b.x,
                                      static_cast<double>(y) - b.y);
          v = std::max(v, 1.0 / (1.0 + std::exp((d - b.radius) / 0.7)));
        }
        const double value = low + (high - low) * v;
        pixels.at(z, x, y) = static_cast<T>(std::is_integral_v<T> ? std::round(value) : value);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  return volume;
}

template <class T>
Volume constant_volume(const Size3& size, T value) {
  Volume volume;
  volume.pixels = Pixels<T>(size, value);
  return volume;
}

/// Collects what a computation reports; can ask it to stop after some reports.
class Progress {
 public:
  explicit Progress(int stop_after = -1) : stop_after_(stop_after) {}

  [[nodiscard]] JobContext context() {
    return JobContext(source_.get_token(), [this](double fraction, std::string_view) {
      const std::lock_guard lock(mutex_);
      fractions_.push_back(fraction);
      if (stop_after_ >= 0 && static_cast<int>(fractions_.size()) > stop_after_) {
        source_.request_stop();
      }
    });
  }
  void stop() { source_.request_stop(); }
  [[nodiscard]] const std::vector<double>& fractions() const { return fractions_; }

 private:
  std::stop_source source_;
  std::mutex mutex_;
  std::vector<double> fractions_;
  int stop_after_;
};

}  // namespace aprscope::test
