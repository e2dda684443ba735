#include <new>
#include <utility>
#include <vector>

#include "core/apr/sample/row_painter.hpp"
#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/deconvolution/blur/dense_blur.hpp"
#include "core/deconvolution/blur/far_field.hpp"
#include "core/deconvolution/blur/prolongation.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

// An iteration has no progress of its own to report, but it can be stopped.
JobContext silent(const JobContext& context) { return JobContext(context.stop_token()); }

class DenseFarField : public FarField {
 public:
  DenseFarField(std::shared_ptr<const AprAccess> access, std::unique_ptr<DenseBlur> blur,
                Boundary boundary)
      : access_(std::move(access)),
        blur_(std::move(blur)),
        level_(access_->level_max() - 1),
        threads_(thread_count()),
        zero_(boundary == Boundary::zero) {
    const std::int64_t row = blur_->stored() + 2;
    pitch_ = (row + 15) / 16 * 16;
    scratch_.resize(static_cast<std::size_t>(2 * pitch_ * threads_));
  }

  Status add(const FilterInput& input, bool flip, std::span<float> y,
             const JobContext& context) override {
    sample(input, context);
    if (context.stop_requested()) return cancelled_error();
    if (Status ok = blur_->run(flip, context); !ok) return ok;
    add_finest(y, context);
    for (int l = level_; l >= access_->level_min_used(); --l) {
      if (!access_->particles().level(l).empty()) add_coarser(l, y, context);
    }
    if (context.stop_requested()) return cancelled_error();
    return {};
  }

  [[nodiscard]] std::uint64_t bytes() const override {
    return blur_->bytes() + scratch_.size() * sizeof(float);
  }
  [[nodiscard]] std::string description() const override {
    return "FFT on level " + std::to_string(level_) + " (" + blur_->description() + ")";
  }

 private:
  float* scratch(int thread, int which) { return scratch_.data() + (2 * thread + which) * pitch_; }
  [[nodiscard]] int threads() const { return std::min(threads_, thread_count()); }

  void sample(const FilterInput& input, const JobContext& context) {
    const detail::PaintSource source{*access_, input.particles, input.tree,
                                     ReconstructionMode::constant};
    const Size3& grid = blur_->size();
    const Size3& n = access_->size();
    parallel_rows(grid, threads(), silent(context), "blurring",
                  [&](std::int64_t z, std::int64_t x, int t) {
                    float* const row = scratch(t, 0);
                    detail::fill_patch_row(source, level_, z, x, row);
                    // A cell that reaches over the end of the image holds half as much light.
                    if (zero_) {
                      float covered = 1.0F;
                      if (n.z % 2 == 1 && n.z > 1 && z == grid.z - 1) covered *= 0.5F;
                      if (n.x % 2 == 1 && n.x > 1 && x == grid.x - 1) covered *= 0.5F;
                      if (covered != 1.0F) {
                        for (std::int64_t y = 0; y < grid.y; ++y) row[y] *= covered;
                      }
                      if (n.y % 2 == 1 && n.y > 1) row[grid.y - 1] *= 0.5F;
                    }
                    blur_->put(z, x, row);
                  });
  }

  void add_finest(std::span<float> y, const JobContext& context) {
    const LinearAccess& cells = access_->particles();
    const Size3& n = cells.size();
    if (cells.level(cells.level_max()).empty()) return;
    parallel_rows(n, threads(), silent(context), "blurring",
                  [&](std::int64_t z, std::int64_t x, int t) {
                    if (cells.row(cells.level_max(), z, x).empty()) return;
                    float* const sum = scratch(t, 0);
                    std::fill_n(sum, blur_->stored(), 0.0F);
                    const detail::Between bz = detail::between(z, n.z);
                    const detail::Between bx = detail::between(x, n.x);
                    const auto add = [&](std::int64_t cz, std::int64_t cx, float weight) {
                      if (weight > 0.0F) blur_->add(cz, cx, weight, sum);
                    };
                    add(bz.parent, bx.parent, bz.parent_weight * bx.parent_weight);
                    add(bz.parent, bx.other, bz.parent_weight * bx.other_weight);
                    add(bz.other, bx.parent, bz.other_weight * bx.parent_weight);
                    add(bz.other, bx.other, bz.other_weight * bx.other_weight);
                    float* const row = scratch(t, 1);
                    blur_->unfold(sum, row);
                    detail::add_finest_row(cells, z, x, row, y);
                  });
  }

  // Adds the blur to particles of its own level and of coarser ones: means over their cells.
  void add_coarser(int level, std::span<float> y, const JobContext& context) {
    const LinearAccess& cells = access_->particles();
    const Size3& grid = blur_->size();
    const std::uint16_t* const ys = cells.y().data();
    const std::int64_t side = std::int64_t{1} << (level_ - level);
    parallel_rows(cells.grid(level), threads(), silent(context), "blurring",
                  [&](std::int64_t z, std::int64_t x, int t) {
                    const ParticleRange particles = cells.row(level, z, x);
                    if (particles.empty()) return;
                    float* const sum = scratch(t, 0);
                    std::fill_n(sum, blur_->stored(), 0.0F);
                    const std::int64_t z_end = std::min(grid.z, (z + 1) * side);
                    const std::int64_t x_end = std::min(grid.x, (x + 1) * side);
                    const std::int64_t lines = (z_end - z * side) * (x_end - x * side);
                    const float weight = 1.0F / static_cast<float>(lines);
                    for (std::int64_t cz = z * side; cz < z_end; ++cz) {
                      for (std::int64_t cx = x * side; cx < x_end; ++cx)
                        blur_->add(cz, cx, weight, sum);
                    }
                    float* const row = scratch(t, 1);
                    blur_->unfold(sum, row);
                    for (std::uint64_t i = particles.begin; i < particles.end; ++i) {
                      const std::int64_t begin = ys[i] * side;
                      const std::int64_t end = std::min(grid.y, begin + side);
                      double total = 0.0;
                      for (std::int64_t k = begin; k < end; ++k) total += row[k + 1];
                      y[i] += static_cast<float>(total / static_cast<double>(end - begin));
                    }
                  });
  }

  std::shared_ptr<const AprAccess> access_;
  std::unique_ptr<DenseBlur> blur_;
  int level_;
  int threads_;
  bool zero_;
  std::int64_t pitch_ = 0;
  // Two rows for each thread.
  AlignedVector<float> scratch_;
};

}  // namespace

Result<std::unique_ptr<FarField>> make_dense_far_field(std::shared_ptr<const AprAccess> access,
                                                       const Stencil& far, Boundary boundary) {
  auto blur = make_dense_blur(access->tree().grid(access->level_max() - 1), far, boundary);
  if (!blur) return blur.error();
  try {
    return std::unique_ptr<FarField>(
        std::make_unique<DenseFarField>(std::move(access), *std::move(blur), boundary));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory", "blur", "close other data first"};
  }
}

}  // namespace aprscope
