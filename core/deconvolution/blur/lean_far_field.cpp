#include <new>
#include <utility>
#include <vector>

#include "core/apr/sample/row_painter.hpp"
#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/deconvolution/blur/coarser_access.hpp"
#include "core/deconvolution/blur/far_field.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/deconvolution/blur/near_part.hpp"
#include "core/deconvolution/blur/prolongation.hpp"

namespace aprscope {
namespace {

class LeanFarField : public FarField {
 public:
  LeanFarField(std::shared_ptr<const AprAccess> access, std::shared_ptr<const AprAccess> coarse,
               NearPart middle, std::unique_ptr<FarField> rest)
      : access_(std::move(access)),
        coarse_(std::move(coarse)),
        middle_(std::move(middle)),
        rest_(std::move(rest)),
        threads_(thread_count()),
        in_(coarse_->count()),
        out_(coarse_->count()),
        pitch_((coarse_->size().y + 2 + 15) / 16 * 16),
        scratch_(static_cast<std::size_t>(kRows * pitch_ * threads_)) {
    static_cast<void>(coarse_->interior());  // filters ask for it; made now
  }

  Status add(const FilterInput& input, bool flip, std::span<float> y,
             const JobContext& context) override {
    restrict_values(*access_, input.particles, input.tree, *coarse_, in_);
    const FilterInput coarse{coarse_.get(), in_, input.tree.first(coarse_->tree().count())};
    if (Status ok = middle_.apply(coarse, flip, out_, context); !ok) return ok;
    if (rest_ != nullptr) {
      if (Status ok = rest_->add(coarse, flip, out_, context); !ok) return ok;
    }
    add_shared(*access_, *coarse_, out_, y);
    if (!add_finest(y, JobContext(context.stop_token()))) return cancelled_error();
    return {};
  }

  [[nodiscard]] std::uint64_t bytes() const override {
    return coarse_->bytes() + middle_.bytes() +
           (in_.size() + out_.size() + scratch_.size()) * sizeof(float) +
           (rest_ == nullptr ? 0 : rest_->bytes());
  }
  [[nodiscard]] std::string description() const override {
    const Size3& n = middle_.size();
    std::string text = std::to_string(n.z) + " × " + std::to_string(n.x) + " × " +
                       std::to_string(n.y) + " on level " + std::to_string(coarse_->level_max());
    if (rest_ != nullptr) text += " + " + rest_->description();
    return text;
  }

 private:
  // Nine rows of coarse cells around a row of quads, and two to blend them in.
  static constexpr std::int64_t kRows = 11;

  bool add_finest(std::span<float> y, const JobContext& context) {
    const Size3& grid = coarse_->size();
    const int threads = std::min(threads_, thread_count());
    return parallel_items(grid.z, threads, context, "blurring", [&](std::int64_t z, int thread) {
      add_slice(z, y, scratch_.data() + thread * kRows * pitch_);
    });
  }

  // The finest particles whose parents lie in slice z: three slices of coarse rows, x by x.
  void add_slice(std::int64_t z, std::span<float> y, float* scratch) {
    const Size3& grid = coarse_->size();
    const Size3& n = access_->size();
    const LinearAccess& cells = access_->particles();
    const detail::PaintSource source{*coarse_, out_, {}, ReconstructionMode::constant};
    // Slot of coarse row (z + dz, x).
    const auto slot = [&](std::int64_t dz, std::int64_t x) {
      return scratch + ((dz + 1) * 3 + (x + 3) % 3) * pitch_;
    };
    const auto fetch = [&](std::int64_t x) {
      for (std::int64_t dz = -1; dz <= 1; ++dz) {
        float* const row = slot(dz, x) + 1;
        detail::fill_patch_row(source, coarse_->level_max(),
                               std::clamp<std::int64_t>(z + dz, 0, grid.z - 1),
                               std::clamp<std::int64_t>(x, 0, grid.x - 1), row);
        row[-1] = row[0];
        row[grid.y] = row[grid.y - 1];
      }
    };
    fetch(-1);
    fetch(0);
    float* const blend = scratch + 9 * pitch_;
    for (std::int64_t x = 0; x < grid.x; ++x) {
      fetch(x + 1);
      if (access_->tree().row(coarse_->level_max(), z, x).empty()) continue;
      for (std::int64_t fz = 2 * z; fz < std::min(2 * z + 2, n.z); ++fz) {
        const detail::Between bz = detail::between(fz, n.z);
        for (std::int64_t fx = 2 * x; fx < std::min(2 * x + 2, n.x); ++fx) {
          const detail::Between bx = detail::between(fx, n.x);
          const float* const r00 = slot(0, bx.parent);
          const float* const r01 = slot(0, bx.other);
          const float* const r10 = slot(bz.other - z, bx.parent);
          const float* const r11 = slot(bz.other - z, bx.other);
          const float w00 = bz.parent_weight * bx.parent_weight;
          const float w01 = bz.parent_weight * bx.other_weight;
          const float w10 = bz.other_weight * bx.parent_weight;
          const float w11 = bz.other_weight * bx.other_weight;
          for (std::int64_t i = 0; i < grid.y + 2; ++i) {
            blend[i] = (w00 * r00[i] + w01 * r01[i]) + (w10 * r10[i] + w11 * r11[i]);
          }
          detail::add_finest_row(cells, fz, fx, blend, y);
        }
      }
    }
  }

  std::shared_ptr<const AprAccess> access_;
  std::shared_ptr<const AprAccess> coarse_;
  NearPart middle_;
  std::unique_ptr<FarField> rest_;
  int threads_;
  std::vector<float> in_;
  std::vector<float> out_;
  std::int64_t pitch_ = 0;
  AlignedVector<float> scratch_;
};

}  // namespace

Result<std::unique_ptr<FarField>> make_lean_far_field(std::shared_ptr<const AprAccess> access,
                                                      const Stencil& far, const Size3& near,
                                                      Boundary boundary) {
  try {
    auto coarse = coarser(*access);
    if (!coarse) return coarse.error();
    SplitPsf parts = split(far, near);
    auto middle = NearPart::create(*coarse, parts.near, boundary);
    if (!middle) return middle.error();
    std::unique_ptr<FarField> rest;
    if (parts.has_far()) {
      auto made = make_dense_far_field(*coarse, parts.far, boundary);
      if (!made) return made.error();
      rest = *std::move(made);
    }
    return std::unique_ptr<FarField>(std::make_unique<LeanFarField>(
        std::move(access), *std::move(coarse), *std::move(middle), std::move(rest)));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory", "blur", "close other data first"};
  }
}

}  // namespace aprscope
