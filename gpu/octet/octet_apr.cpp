#include "gpu/octet/octet_apr.hpp"

#include <utility>

#include "gpu/octet/octet_order.hpp"
#include "gpu/octet/octet_tree.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kValues = "particles on the GPU";

Int3 narrow(const Size3& n) {
  return {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
}

}  // namespace

LinearSource describe_access(const AprAccess& access) {
  LinearSource source;
  source.size = narrow(access.size());
  source.level_max = access.level_max();
  source.particle_count = access.count();
  for (int l = 1; l <= access.level_max(); ++l) {
    const auto i = static_cast<std::size_t>(l);
    source.first_row[i] = access.particles().first_row(l);
    source.interior[i - 1] = access.tree().level(l - 1).count();
  }
  return source;
}

OctetApr::OctetApr(std::shared_ptr<const AprAccess> access, std::shared_ptr<GpuDevice> device)
    : access_(std::move(access)), device_(std::move(device)) {
  const LinearAccess& cells = access_->particles();
  const auto y = device_->upload(cells.y(), "APR structure");
  const auto xz_end = device_->upload(cells.xz_end(), "APR structure");
  LinearSource source = describe_access(*access_);
  source.y = y.data();
  source.xz_end = xz_end.data();
  structure_ = std::make_unique<OctetStructure>(source, device_->main());
}

OctetValues OctetApr::make_values() const {
  OctetValues values(structure_->slot_count(), kValues, device_->main());
  values.zero();
  return values;
}

void OctetApr::upload(std::span<const float> linear, const OctetValues& to) const {
  const auto buffer = device_->upload(linear, kValues);
  to_octets(view(), buffer.data(), to.data(), device_->main());
}

void OctetApr::download(const OctetValues& from, std::span<float> linear) const {
  const DeviceBuffer<float> buffer(linear.size(), kValues, device_->main());
  to_linear(view(), from.data(), buffer.data(), device_->main());
  device_->download(buffer.data(), linear.data(), linear.size_bytes());
}

const std::vector<BrickWork>& OctetApr::bricks() const {
  if (!bricks_.empty()) return bricks_;
  const OctetStructure::Range finest = structure_->work(structure_->level_max());
  std::vector<BrickWork> bricks(std::uint64_t{finest.first} + finest.count);
  device_->download(view().work, bricks.data(), bricks.size() * sizeof(BrickWork));
  bricks_ = std::move(bricks);
  return bricks_;
}

void OctetApr::fill_tree(const OctetValues& values, Reduction reduction) const {
  const Reduce how = reduction == Reduction::mean  ? Reduce::mean
                     : reduction == Reduction::min ? Reduce::min
                                                   : Reduce::max;
  gpu::fill_tree(view(), values.data(), how, view().level_max, device_->main());
}

std::vector<float> OctetApr::download_tree(const OctetValues& values) const {
  const LinearAccess& cells = access_->tree();
  const auto y = device_->upload(cells.y(), "APR tree");
  const auto xz_end = device_->upload(cells.xz_end(), "APR tree");
  TreeAccess tree;
  tree.y = y.data();
  tree.xz_end = xz_end.data();
  tree.rows = cells.xz_end().size() - 1;
  for (int l = 0; l < access_->level_max(); ++l) tree.first_row[l] = cells.first_row(l);
  std::vector<float> out(cells.count());
  const DeviceBuffer<float> linear(out.size(), "APR tree", device_->main());
  tree_to_linear(view(), tree, values.data(), linear.data(), device_->main());
  device_->download(linear.data(), out.data(), out.size() * sizeof(float));
  return out;
}

std::uint64_t OctetApr::estimate_bytes(const AprAccess& access, int buffers) {
  const std::uint64_t octets = access.tree().count() + 1;
  const LinearAccess& cells = access.particles();
  // A linear copy exists as well: of the access during construction, later of uploaded values.
  return OctetStructure::estimate_bytes(narrow(access.size()), access.level_max(), octets) +
         cells.bytes() + access.count() * sizeof(float) +
         static_cast<std::uint64_t>(buffers) * octets * 8 * sizeof(float);
}

}  // namespace aprscope::gpu
