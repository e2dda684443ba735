#pragma once

#include <vector>

#include "core/filter/convolution.hpp"
#include "gpu/octet/octet_apr.hpp"
#include "gpu/octet/octet_cube.hpp"
#include "gpu/octet/octet_part.hpp"
#include "gpu/octet/octet_stencil.hpp"
#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {

/// A convolution prepared for an APR: which kernel does which level, weights on the device. Runs
/// any number of times without allocating. Refers to the APR, which must outlive it.
class OctetConvolution {
 public:
  /// How the finest level and the tree, which it does not need, share the device: its kernel also
  /// makes the means of its octets, or it runs beside the tree. automatic: by the size.
  enum class Schedule { automatic, fused, beside };

  OctetConvolution(const OctetApr& apr, const StencilPyramid& stencils, Boundary boundary,
                   Schedule schedule = Schedule::automatic);
  /// Of the particles of a part only, which must outlive it, too; they get what they get in the
  /// whole. The interior cells of what is convolved must hold means already.
  OctetConvolution(const OctetApr& apr, const OctetPart& part, const StencilPyramid& stencils,
                   Boundary boundary);

  /// Enqueues tree and convolution. `in`: particles; its interior cells are filled. The target says
  /// where results go; its boundary is set here.
  void run(const OctetValues& in, Target target) const;

 private:
  // Neighbouring levels with the same stencil and one way of computing it.
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
    DeviceBuffer<CubeItem> items;  // of a separable cube: see CubeWork
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

/// A local statistic over a box of odd size, tree included, into `out`. Cells of the level
/// `pixel_level` (of the APR's numbers) are pixels. mean: use OctetConvolution with a box. With
/// `part` only that is computed, and the interior cells of `in` must hold means already.
void local_statistic(const OctetApr& apr, const OctetPart* part, LocalStatistic statistic,
                     const StatisticBox& box, int pixel_level, Boundary boundary,
                     const OctetValues& in, const OctetValues& out);

/// The total-variation term of repeated_variation() with reflecting borders, tree included.
void total_variation(const OctetApr& apr, float edge, const OctetValues& in,
                     const OctetValues& out);

}  // namespace aprscope::gpu
