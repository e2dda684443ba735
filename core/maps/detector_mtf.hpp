#pragma once

#include <optional>
#include <vector>

#include "core/base/result.hpp"

namespace aprscope {

class MapSpectrum;

/// The modulation transfer function (MTF) of a detector, as a curve of points: the share of the
/// amplitudes of an image that it keeps at each spatial frequency.
class DetectorMtf {
 public:
  /// `frequency`: cycles per pixel of the images, rising; `value`: one for each, above 0;
  /// `pixel_size`: of the images, Å, above 0.
  DetectorMtf(std::vector<double> frequency, std::vector<double> value, double pixel_size);

  /// At spatial frequency `k` in 1/Å: on the straight line between two points; the first value
  /// below all of them, the last one above.
  [[nodiscard]] double at(double k) const;
  /// The lowest frequency in 1/Å at which the MTF falls below `least`; none: nowhere.
  [[nodiscard]] std::optional<double> falls_below(double least) const;

 private:
  // Frequencies in 1/Å.
  std::vector<double> frequency_;
  std::vector<double> value_;
};

/// Amplitudes that a detector leaves less of are noise, which a division would only raise.
constexpr double kLeastMtf = 1e-3;

/// Checks an MTF. Errors: it falls below kLeastMtf below frequency `used`, in 1/Å.
Status check_mtf(const DetectorMtf& mtf, double used);

/// Divides the spectrum of a map with voxels of `voxel` Å by the MTF, or by kLeastMtf where that is
/// more.
void divide_by_mtf(MapSpectrum& spectrum, const DetectorMtf& mtf, double voxel);

}  // namespace aprscope
