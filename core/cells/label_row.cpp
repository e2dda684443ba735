#include "core/cells/label_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/cells/label_slots.hpp"

namespace aprscope {
namespace {

// A volume that differs by more than this from that of its slices is one that is open.
constexpr double kSameVolume = 1e-3;
// Rows that take about as long as waking a thread.
constexpr std::int64_t kWorthAThread = 1000;

LabelIntensity intensity(const IntensitySums& sums, std::int64_t voxels) {
  LabelIntensity out;
  const auto n = static_cast<double>(voxels);
  const auto wall = static_cast<double>(sums.wall_voxels);
  out.minimum = static_cast<double>(sums.minimum);
  out.maximum = static_cast<double>(sums.maximum);
  // Integers and real numbers have sums of their own, of which one is 0.
  const double whole = static_cast<double>(sums.sum);
  out.sum = whole + sums.real_sum;
  out.mean = out.sum / n;
  const Int128 apart = static_cast<Int128>(voxels) * sums.squares -
                       static_cast<Int128>(sums.sum) * static_cast<Int128>(sums.sum);
  const double variance = static_cast<double>(apart) / n / n +
                          (sums.real_squares / n - (sums.real_sum / n) * (sums.real_sum / n));
  out.deviation = std::isnan(variance) ? variance : std::sqrt(std::max(0.0, variance));
  out.wall_mean = (static_cast<double>(sums.wall_sum) + sums.real_wall_sum) / wall;
  if (sums.wall_voxels == 0) out.wall_mean = std::numeric_limits<double>::quiet_NaN();
  return out;
}

void add_contacts(const LabelRecords& records, const VoxelSize& voxel, bool flat,
                  std::vector<LabelRow>& rows) {
  if (rows.empty()) return;
  LabelSlots places(rows.back().label);
  for (const LabelRow& row : rows) places.find_or_add(row.label);
  std::vector<std::array<std::int64_t, 3>> faces(rows.size());
  for (const LabelContact& one : records.contacts) {
    for (const std::uint32_t label : {one.a, one.b}) {
      const std::uint32_t at = places.find(label);
      ++rows[at].neighbours;
      for (std::size_t k = 0; k < 3; ++k) faces[at][k] += one.faces[k];
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& of = faces[i];
    rows[i].shared_surface =
        face_area(of[0], of[1], of[2], voxel, flat) / rows[i].shape.digital_surface;
  }
}

}  // namespace

std::string LabelRow::flags() const {
  std::string out;
  const auto add = [&](bool is, const char* word) {
    if (is) out += (out.empty() ? "" : ", ") + std::string(word);
  };
  add(leaks(), "leaks");
  add(finding.unchecked, kUnchecked);
  add(shape.touches_border, "border");
  add(per_slice_ratio < 1.0 - kSameVolume, "open");
  return out;
}

std::vector<LabelRow> label_rows(const LabelRecords& records,
                                 const std::vector<LabelFinding>& findings, const Size3& size,
                                 const VoxelSize& voxel) {
  const CroftonWeights weights(voxel);
  std::vector<LabelRow> rows(records.sums.size());
  const auto count = static_cast<std::int64_t>(rows.size());
  parallel_for(count, threads_for(count, kWorthAThread), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const LabelSums& sums = records.sums[at];
    LabelRow& row = rows[at];
    row.label = sums.label;
    row.voxels = sums.voxels;
    row.box = sums.box;
    row.shape = label_shape(sums, size, voxel, weights);
    row.intensities.reserve(records.intensities.size());
    for (const auto& channel : records.intensities) {
      row.intensities.push_back(intensity(channel[at], sums.voxels));
    }
    const auto known = std::lower_bound(
        findings.begin(), findings.end(), row.label,
        [](const LabelFinding& one, std::uint32_t asked) { return one.label < asked; });
    if (known != findings.end() && known->label == row.label) row.finding = *known;
    row.finding.label = row.label;
    row.per_slice_ratio = static_cast<double>(row.voxels) / row.finding.voxels_per_slice;
  });
  add_contacts(records, voxel, size.z == 1, rows);
  return rows;
}

}  // namespace aprscope
