#include "app/cli/bench/bench_cells_tissue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/image/random.hpp"

namespace aprscope::cli {
namespace {

// In pixels: the distance between centres of cells, and the standard deviation of a wall's profile.
constexpr double kPitch = 32.0;
constexpr double kWallWidth = 1.3;
constexpr double kPixel = 0.25;
// Brightness in counts.
constexpr double kDark = 20.0;
constexpr double kWall = 200.0;

using Centre = std::array<double, 3>;

double squared_distance(const Centre& a, const Centre& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
         (a[2] - b[2]) * (a[2] - b[2]);
}

// The centres of cells: one at random in each box of a grid that is a box larger on each side.
class CellCentres {
 public:
  explicit CellCentres(const Size3& size)
      : boxes_{boxes_along(size.z), boxes_along(size.x), boxes_along(size.y)} {
    for (std::int64_t z = 0; z < boxes_.z; ++z) {
      for (std::int64_t x = 0; x < boxes_.x; ++x) {
        for (std::int64_t y = 0; y < boxes_.y; ++y) {
          const CounterRandom random(1, all_.size());
          const auto along = [&](std::int64_t box, std::uint64_t which) {
            return kPitch * (static_cast<double>(box) - 0.8 + 0.6 * random.uniform(which));
          };
          all_.push_back({along(z, 0), along(x, 1), along(y, 2)});
        }
      }
    }
  }

  // The distance to the next wall, a plane half-way between the nearest centre and another.
  [[nodiscard]] double to_wall(const Index3& at) const {
    const Centre here{static_cast<double>(at.z), static_cast<double>(at.x),
                      static_cast<double>(at.y)};
    std::array<const Centre*, 27> near{};
    std::array<double, 27> squares{};
    std::size_t count = 0;
    std::size_t own = 0;
    for (std::int64_t z = box_of(at.z) - 1; z <= box_of(at.z) + 1; ++z) {
      for (std::int64_t x = box_of(at.x) - 1; x <= box_of(at.x) + 1; ++x) {
        for (std::int64_t y = box_of(at.y) - 1; y <= box_of(at.y) + 1; ++y) {
          near[count] = &all_[static_cast<std::size_t>((z * boxes_.x + x) * boxes_.y + y)];
          squares[count] = squared_distance(*near[count], here);
          if (squares[count] < squares[own]) own = count;
          ++count;
        }
      }
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
      if (i == own) continue;
      const double apart = std::sqrt(squared_distance(*near[i], *near[own]));
      least = std::min(least, (squares[i] - squares[own]) / (2.0 * apart));
    }
    return least;
  }

 private:
  static std::int64_t box_of(std::int64_t pixel) {
    return static_cast<std::int64_t>(static_cast<double>(pixel) / kPitch) + 1;
  }
  static std::int64_t boxes_along(std::int64_t pixels) { return box_of(pixels) + 2; }

  Size3 boxes_;
  std::vector<Centre> all_;
};

}  // namespace

Result<Volume> tissue_image(const Size3& size, const JobContext& context) {
  const CellCentres cells(size);
  Pixels<std::uint16_t> pixels(size);
  parallel_for(size.z * size.x, thread_count(), [&](std::int64_t row) {
    if (context.stop_requested()) return;
    const CounterRandom noise(2, static_cast<std::uint64_t>(row));
    for (std::int64_t y = 0; y < size.y; ++y) {
      const double from_wall = cells.to_wall({row / size.x, row % size.x, y}) / kWallWidth;
      const double light = kDark + kWall * std::exp(-0.5 * from_wall * from_wall);
      const double counted = light + std::sqrt(light) * noise.normal(static_cast<std::uint64_t>(y));
      pixels.values[static_cast<std::size_t>(row * size.y + y)] =
          static_cast<std::uint16_t>(std::max(0.0, std::round(counted)));
    }
  });
  if (context.stop_requested()) return cancelled_error();
  Volume out;
  out.pixels = std::move(pixels);
  out.voxel = {kPixel, kPixel, kPixel, "µm"};
  out.name = "tissue";
  return out;
}

}  // namespace aprscope::cli
