#include "gpu/projections/tile_lines.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kTileLines = "the transform of a map on the GPU";

// The largest size in bytes of lines that are worked on at a time.
constexpr std::int64_t kSome = std::int64_t{256} << 20;

LineView lines_of(const InsertionPlan& plan, std::int64_t side, bool corner) {
  LineView lines{};
  const std::int64_t last = std::min(plan.tiles.reach(), plan.padded / 2);
  lines.padded = static_cast<std::int32_t>(plan.padded);
  lines.side = static_cast<std::int32_t>(side);
  lines.last = static_cast<std::int32_t>(last);
  lines.rows = static_cast<std::int32_t>(std::min(2 * last + 1, plan.padded));
  lines.columns = static_cast<std::int32_t>(last + 1);
  lines.corner = corner;
  return lines;
}

std::int64_t row_bytes(const LineView& v) {
  return std::int64_t{v.columns} * v.padded * static_cast<std::int64_t>(sizeof(float2));
}
std::int64_t plane_bytes(const LineView& v) {
  return std::int64_t{v.side} * (v.padded / 2 + 1) * static_cast<std::int64_t>(sizeof(float2)) +
         std::int64_t{v.side} * v.padded * static_cast<std::int64_t>(sizeof(float));
}
std::int32_t some_of(std::int64_t each, std::int32_t all) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(kSome / each, 1, all));
}

std::uint64_t as_unsigned(std::int64_t n) { return static_cast<std::uint64_t>(n); }

// The largest squared distance of a voxel from the origin, in voxels.
std::int64_t most_square(const LineView& v) {
  const std::int64_t half = v.corner ? v.padded / 2 : v.side / 2;
  return 3 * half * half;
}

}  // namespace

DeviceTiles::DeviceTiles(const FrequencyTiles& tiles, DeviceBuffer<float> sums, cudaStream_t stream)
    : sums_(std::move(sums)),
      shift_(std::countr_zero(as_unsigned(tiles.side()))),
      half_(static_cast<std::int32_t>(tiles.reach() / tiles.side() + 1)),
      reach_(static_cast<std::int32_t>(tiles.reach())) {
  const std::int64_t side = 2 * std::int64_t{half_};
  std::vector<std::int32_t> grid(as_unsigned(side * side * half_), 0);
  std::vector<std::int32_t> origins;
  std::int32_t number = 0;
  for (const auto& o : tiles.origins()) {
    const std::int64_t y = (o[1] >> shift_) + half_;
    const std::int64_t z = (o[2] >> shift_) + half_;
    grid[as_unsigned((z * side + y) * half_ + (o[0] >> shift_))] = number++;
    origins.insert(origins.end(), o.begin(), o.end());
  }
  const auto copy = [&](const std::vector<std::int32_t>& from) {
    DeviceBuffer<std::int32_t> to(from.size(), kTileLines, stream);
    ensure(cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice, stream),
           "copying tables of tiles");
    return to;
  };
  grid_ = copy(grid);
  origins_ = copy(origins);
  ensure(cudaStreamSynchronize(stream), "copying tables of tiles");
}

TileView DeviceTiles::view() const { return {sums_.data(), grid_.data(), shift_, half_, reach_}; }

TileLines::TileLines(const InsertionPlan& plan, std::int64_t side, bool corner, cudaStream_t stream)
    : lines_(lines_of(plan, side, corner)),
      stream_(stream),
      some_rows_(some_of(row_bytes(lines_), lines_.rows)),
      some_planes_(some_of(std::max(row_bytes(lines_), plane_bytes(lines_)), lines_.side)) {
  const auto window = window_table(plan.blob, most_square(lines_) + 1, 1.0, plan.padded);
  window_ = {window.size(), kTileLines, stream};
  ensure(cudaMemcpyAsync(window_.data(), window.data(), window_.bytes(), cudaMemcpyHostToDevice,
                         stream),
         "copying the window");
  ensure(cudaStreamSynchronize(stream), "copying the window");
  const std::int64_t length = lines_.padded;
  const std::int64_t z_count = std::int64_t{some_rows_} * lines_.columns;
  const std::int64_t y_count = std::int64_t{some_planes_} * lines_.columns;
  const std::int64_t x_count = std::int64_t{some_planes_} * lines_.side;
  z_lines_ = {as_unsigned(z_count * length), kTileLines, stream};
  y_lines_ = {as_unsigned(std::int64_t{lines_.side} * lines_.columns * length), kTileLines, stream};
  x_lines_ = {as_unsigned(x_count * (length / 2 + 1)), kTileLines, stream};
  real_ = {as_unsigned(x_count * length), kTileLines, stream};
  z_plan_ = std::make_unique<LinePlan>(CUFFT_C2C, length, z_count, stream);
  y_plan_ = std::make_unique<LinePlan>(CUFFT_C2C, length, y_count, stream);
  x_plan_ = std::make_unique<LinePlan>(CUFFT_C2R, length, x_count, stream);
}

bool TileLines::run(const TileView& tiles, const TileValues& values, std::int64_t pitch,
                    float* voxels, const JobContext& context) const {
  // Zeros remain for frequencies that no row has, and for unused lines of a last batch that is not
  // full.
  y_lines_.zero();
  z_lines_.zero();
  x_lines_.zero();
  for (std::int32_t first = 0; first < lines_.rows; first += some_rows_) {
    if (context.stop_requested()) return false;
    const std::int32_t count = std::min(some_rows_, lines_.rows - first);
    spread_along_z(tiles, values, lines_, first, count, z_lines_.data(), stream_);
    z_plan_->inverse(z_lines_.data());
    turn_to_y(lines_, first, count, z_lines_.data(), y_lines_.data(), stream_);
  }
  const std::int64_t plane = std::int64_t{lines_.columns} * lines_.padded;
  for (std::int32_t first = 0; first < lines_.side; first += some_planes_) {
    if (context.stop_requested()) return false;
    const std::int32_t count = std::min(some_planes_, lines_.side - first);
    float2* const from = y_lines_.data() + first * plane;
    if (count == some_planes_) {
      y_plan_->inverse(from);
    } else {
      // The last batch is smaller: it ends with the last line.
      const LinePlan rest(CUFFT_C2C, lines_.padded, std::int64_t{count} * lines_.columns, stream_);
      rest.inverse(from);
    }
    turn_to_x(lines_, count, from, x_lines_.data(), stream_);
    x_plan_->inverse(x_lines_.data(), real_.data());
    crop_lines(lines_, first, count, real_.data(), window_.data(), pitch, voxels, stream_);
  }
  return true;
}

std::uint64_t TileLines::bytes(const InsertionPlan& plan, std::int64_t side) {
  const LineView v = lines_of(plan, side, side == plan.padded);
  const std::int64_t rows = some_of(row_bytes(v), v.rows) * row_bytes(v);
  const std::int64_t planes = some_of(std::max(row_bytes(v), plane_bytes(v)), v.side);
  // The lines, and work space of cuFFT, which is larger for lengths with large factors.
  return as_unsigned(side * row_bytes(v) + 3 * rows +
                     planes * (2 * row_bytes(v) + 3 * plane_bytes(v)) + 8 * most_square(v)) +
         (std::uint64_t{16} << 20U);
}

}  // namespace aprscope::gpu
