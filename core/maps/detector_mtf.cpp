#include "core/maps/detector_mtf.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/maps/map_spectrum.hpp"

namespace aprscope {
namespace {

std::string thousandths(double value) {
  const std::string text = std::to_string(value);
  return text.substr(0, text.find('.') + 4);
}

}  // namespace

DetectorMtf::DetectorMtf(std::vector<double> frequency, std::vector<double> value,
                         double pixel_size)
    : frequency_(std::move(frequency)), value_(std::move(value)) {
  for (double& k : frequency_) k /= pixel_size;
}

double DetectorMtf::at(double k) const {
  const auto above = std::upper_bound(frequency_.begin(), frequency_.end(), k);
  if (above == frequency_.begin()) return value_.front();
  if (above == frequency_.end()) return value_.back();
  const auto i = static_cast<std::size_t>(above - frequency_.begin());
  const double part = (k - frequency_[i - 1]) / (frequency_[i] - frequency_[i - 1]);
  return (1.0 - part) * value_[i - 1] + part * value_[i];
}

std::optional<double> DetectorMtf::falls_below(double least) const {
  const auto below =
      std::find_if(value_.begin(), value_.end(), [&](double v) { return v < least; });
  if (below == value_.end()) return std::nullopt;
  if (below == value_.begin()) return 0.0;
  const auto i = static_cast<std::size_t>(below - value_.begin());
  const double part = (value_[i - 1] - least) / (value_[i - 1] - value_[i]);
  return frequency_[i - 1] + part * (frequency_[i] - frequency_[i - 1]);
}

Status check_mtf(const DetectorMtf& mtf, double used) {
  const auto from = mtf.falls_below(kLeastMtf);
  if (!from || *from >= used) return {};
  return Error{
      "the MTF of the detector is below 0.001 from " + thousandths(*from) +
          " 1/Å on, and frequencies up to " + thousandths(used) + " 1/Å would be divided by it",
      "MTF", "check the MTF and the pixel size of its images, or leave out finer frequencies"};
}

void divide_by_mtf(MapSpectrum& spectrum, const DetectorMtf& mtf, double voxel) {
  const double length = static_cast<double>(spectrum.side()) * voxel;
  spectrum.multiply([&](double k) { return 1.0 / std::max(mtf.at(k / length), kLeastMtf); });
}

}  // namespace aprscope
