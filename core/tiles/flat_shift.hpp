#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// A picture of what two tiles share, as one of them has it: rows × cols, and where its first pixel
/// lies in a frame that both share.
struct FlatPicture {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row0 = 0;
  std::int64_t col0 = 0;
  std::vector<float> values;
};

/// How far the second picture must move to lie on the first.
struct FlatShift {
  double rows = 0.0;
  double cols = 0.0;
  /// Correlation coefficient of what overlaps after it, less what chance explains, 0 to 1; 0: no
  /// place was found.
  double correlation = 0.0;
};

/// Two pictures, without the noise of single pixels: what tiles share is not in those.
class FlatPair {
 public:
  FlatPair(const FlatPicture& first, const FlatPicture& second);

  /// Phase correlation (Kuglin and Hines 1975): the peaks of the inverse transform of the
  /// normalised cross-power spectrum are places where one may lie on the other; of these the one
  /// that correlates best counts, as of Preibisch et al. 2009, and the top of the correlation
  /// beside it, to a fraction of a pixel. Peaks are at most `most` pixels away in each direction.
  /// Errors: no memory, cancelled.
  [[nodiscard]] Result<FlatShift> shift(std::int64_t most, const JobContext& context) const;

  /// The correlation coefficient of where they overlap once the second has moved by whole pixels.
  [[nodiscard]] double correlation(std::int64_t rows, std::int64_t cols) const;
  /// What of it chance does not explain: see FlatShift::correlation.
  [[nodiscard]] double sure_correlation(std::int64_t rows, std::int64_t cols) const;

 private:
  FlatPicture first_, second_;
};

/// Where the top of a parabola through values at −1, 0 and 1 lies, −0.5 to 0.5.
double parabola_top(double before, double at, double after);

}  // namespace aprscope
