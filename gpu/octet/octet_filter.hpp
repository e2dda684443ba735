#pragma once

#include <vector>

#include "core/filter/convolution.hpp"
#include "gpu/octet/octet_apr.hpp"
#include "gpu/octet/octet_cube.hpp"
#include "gpu/octet/octet_part.hpp"
#include "gpu/octet/octet_stencil.hpp"
#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {

/// A convolution prepared for an APR: for each level a kernel, with its weights on the device. Can
/// be run any number of times without allocating. Refers to the APR, which must outlive it.
class OctetConvolution {
 public:
  /// How work on the finest level, which needs no tree, goes with that on the tree. fused: one
  /// kernel also makes its octets' means; beside: in parallel. automatic: chosen by size.
  enum class Schedule { automatic, fused, beside };

  OctetConvolution(const OctetApr& apr, const StencilPyramid& stencils, Boundary boundary,
                   Schedule schedule = Schedule::automatic);
  /// Convolves only the particles of a part, which must outlive the object, too; results are those
  /// of the whole. The interior cells of the input must hold means already.
  OctetConvolution(const OctetApr& apr, const OctetPart& part, const StencilPyramid& stencils,
                   Boundary boundary);

  /// Enqueues the tree and the convolution. `in`: particles; its interior cells are filled. The
  /// target says where results go; its boundary is set here.
  void run(const OctetValues& in, Target target) const;

 private:
  // Neighbouring levels that are computed in the same way with the same stencil.
  struct Group {
    enum class Kind { small, separable, dense } kind = Kind::small;
    int level = 0;  // the finest of its levels
    OctetStructure::Range work;
    Int3 radius;
    bool by_level = false;
    float small[kMaxLevels * 27] = {};
    SeparableWeights factors;
    DeviceBuffer<float> weights;
    bool cube = false;             // has_separable_cube(), has_dense_cube()
    DeviceBuffer<CubeItem> items;  // for separable cubes, see CubeWork
    std::uint32_t small_items = 0;
  };

  OctetConvolution(const OctetApr& apr, const OctetPart* part, const StencilPyramid& stencils,
                   Boundary boundary, Schedule schedule);
  void add_group(const Stencil& stencil, int level);
  [[nodiscard]] const OctetView& view() const { return part_ ? part_->view() : apr_.view(); }
  [[nodiscard]] OctetStructure::Range work(int level) const {
    return part_ ? part_->work(level) : apr_.structure().work(level);
  }
  void order_work(Group& group) const;
  void launch(const Group& group, const OctetValues& in, const Target& target, bool means,
              cudaStream_t stream) const;

  const OctetApr& apr_;
  const OctetPart* part_;
  bool reflect_;
  Schedule schedule_;
  std::vector<Group> groups_;  // the finest level first
};

/// Enqueues a local statistic over a box of odd size, tree included, into `out`. Cells of
/// `pixel_level` (counted as in the APR) are pixels. For the mean, use OctetConvolution with a box.
/// With `part` only its particles are computed, and interior cells of `in` must hold means already.
void local_statistic(const OctetApr& apr, const OctetPart* part, LocalStatistic statistic,
                     const StatisticBox& box, int pixel_level, Boundary boundary,
                     const OctetValues& in, const OctetValues& out);

/// The total-variation term of repeated_variation() with reflecting borders, tree included.
void total_variation(const OctetApr& apr, float edge, const OctetValues& in,
                     const OctetValues& out);

}  // namespace aprscope::gpu
