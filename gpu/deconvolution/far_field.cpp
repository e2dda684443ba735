#include "gpu/deconvolution/far_field.hpp"

#include <utility>
#include <vector>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/coarser_access.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "gpu/octet/octet_kernel.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kFarPart = "the far part of a PSF on the GPU";

std::uint64_t count_of(const Int3& n) {
  return static_cast<std::uint64_t>(n.z) * static_cast<std::uint64_t>(n.x) *
         static_cast<std::uint64_t>(n.y);
}

// Number of work entries of all levels: they are stored coarse to fine.
std::uint32_t work_count(const OctetApr& apr) {
  const OctetStructure::Range finest = apr.structure().work(apr.structure().level_max());
  return finest.first + finest.count;
}

class DenseFarField : public FarField {
 public:
  DenseFarField(const OctetApr& apr, const Stencil& far, Boundary boundary)
      : apr_(apr),
        level_(apr.view().level_max - 1),
        zero_(boundary == Boundary::zero),
        blur_(make_grid_blur(apr.access().tree().grid(level_), far, boundary, 1,
                             apr.device().main())) {
    const OctetView& view = apr.view();
    for (int l = level_ - 1; l >= apr.access().level_min_used(); --l) {
      sums_.emplace_back(count_of(view.levels[l].cells), kFarPart, apr.device().main());
      level_sums_.of[l] = sums_.back().data();
    }
  }

  void add(const OctetValues& in, bool flip, const OctetValues& out) const override {
    const OctetView& view = apr_.view();
    const GridView& grid = blur_->view();
    const cudaStream_t stream = apr_.device().main();
    sample_level(view, in.data(), level_, zero_, view.levels[level_ + 1].cells, grid, stream);
    blur_->run(flip);
    int level = level_;
    for (const DeviceBuffer<float>& sums : sums_) {
      const Int3& coarse = view.levels[--level].cells;
      if (level == level_ - 1) {
        sum_grid(grid, coarse, sums.data(), stream);
      } else {
        sum_sums(level_sums_.of[level + 1], view.levels[level + 1].cells, coarse, sums.data(),
                 stream);
      }
    }
    add_grid(view, work_count(apr_), grid, level_sums_, out.data(), stream);
  }

  [[nodiscard]] std::string description() const override {
    return "FFT on level " + std::to_string(level_) + " (" + blur_->description() + ")";
  }

 private:
  const OctetApr& apr_;
  int level_;
  bool zero_;
  std::unique_ptr<GridBlur> blur_;
  std::vector<DeviceBuffer<float>> sums_;  // of level_ − 1 and of each coarser level
  LevelSums level_sums_;
};

std::shared_ptr<const AprAccess> coarser_of(const AprAccess& access) {
  auto coarse = coarser(access);
  if (!coarse) throw Failure{coarse.error()};
  return *std::move(coarse);
}

// The octets of the coarser structure come first in the finer one, in the same order, so that both
// structures can share values.
class LeanFarField : public FarField {
 public:
  LeanFarField(const OctetApr& apr, const SplitPsf& parts, Boundary boundary)
      : apr_(apr),
        coarse_(coarser_of(apr.access()), apr.shared_device()),
        size_(parts.near.size),
        middle_(coarse_, parts.near, StencilMode::restricted, boundary),
        out_(coarse_.make_values()) {
    if (parts.has_far()) rest_ = make_dense_far_field(coarse_, parts.far, boundary);
  }

  void add(const OctetValues& in, bool flip, const OctetValues& out) const override {
    middle_.run(in, flip, out_);
    if (rest_) rest_->add(in, flip, out_);
    add_coarser(apr_.view(), work_count(apr_), coarse_.view(), out_.data(), out.data(),
                apr_.device().main());
  }

  [[nodiscard]] std::string description() const override {
    std::string text = std::to_string(size_.z) + " × " + std::to_string(size_.x) + " × " +
                       std::to_string(size_.y) + " on level " +
                       std::to_string(coarse_.view().level_max);
    if (rest_) text += " + " + rest_->description();
    return text;
  }

 private:
  const OctetApr& apr_;
  OctetApr coarse_;
  Size3 size_;
  OctetKernel middle_;
  OctetValues out_;
  std::unique_ptr<FarField> rest_;
};

// The grid, and the sums of all coarser grids, each of which is an eighth of the one before.
std::uint64_t dense_bytes(const Size3& grid, const Size3& kernel, bool even, Boundary boundary) {
  const Size3 padded{grid.z + 2, grid.x + 2, grid.y + 2};
  return grid_blur_bytes(grid, kernel, even, boundary, 1) +
         static_cast<std::uint64_t>(padded.count()) * sizeof(float) / 4 + 65536;
}

}  // namespace

std::unique_ptr<FarField> make_dense_far_field(const OctetApr& apr, const Stencil& far,
                                               Boundary boundary) {
  return std::make_unique<DenseFarField>(apr, far, boundary);
}

std::unique_ptr<FarField> make_lean_far_field(const OctetApr& apr, const Stencil& far,
                                              const Size3& near, Boundary boundary) {
  return std::make_unique<LeanFarField>(apr, split(far, near), boundary);
}

std::uint64_t far_field_bytes(const AprAccess& access, const Size3& psf, bool even, bool lean,
                              Boundary boundary) {
  const int level = access.level_max() - (lean ? 2 : 1);
  const Size3 kernel = lean ? halved(halved(psf)) : halved(psf);
  const std::uint64_t dense = dense_bytes(access.tree().grid(level), kernel, even, boundary);
  // The coarser structure is at most as large as this one.
  return lean ? dense + OctetApr::estimate_bytes(access, 1) : dense;
}

}  // namespace aprscope::gpu
