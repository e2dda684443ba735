#include "gpu/octet/octet_part.hpp"

#include <algorithm>
#include <iterator>

#include "core/operations/engine/result_data.hpp"
#include "gpu/octet/octet_order.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "a part of the particles on the GPU";

// Whether a brick, whose side is 16 cells of its level, contains pixels of the region.
bool touches(const BrickWork& brick, int level_max, const Region& region) {
  const std::int64_t side = std::int64_t{16} << (level_max - brick.level);
  const auto meets = [side](std::int64_t at, std::int64_t begin, std::int64_t end) {
    return at * side < end && (at + 1) * side > begin;
  };
  return meets(brick.z, region.begin.z, region.end.z) &&
         meets(brick.x, region.begin.x, region.end.x) &&
         meets(brick.y, region.begin.y, region.end.y);
}

// Indices of particles in the regions; 32 bits suffice, as for the rows of octets.
std::vector<std::uint32_t> particles_of(const AprAccess& access, std::span<const Region> regions) {
  std::vector<std::uint32_t> all;
  for (const Region& region : regions) {
    const std::vector<std::uint64_t> found = particles_in(access, region);
    const std::vector<std::uint32_t> some(found.begin(), found.end());
    std::vector<std::uint32_t> both;
    both.reserve(all.size() + some.size());
    std::set_union(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(both));
    all = std::move(both);
  }
  return all;
}

}  // namespace

OctetPart::OctetPart(const OctetApr& apr, std::span<const Region> regions)
    : device_(apr.shared_device()),
      access_(apr.access()),
      regions_(regions.begin(), regions.end()),
      view_(apr.view()) {
  std::vector<BrickWork> chosen;
  const std::vector<BrickWork>& all = apr.bricks();
  // Coarse levels come first, as in the whole structure.
  for (int l = 1; l <= view_.level_max; ++l) {
    const OctetStructure::Range range = apr.structure().work(l);
    const auto first = static_cast<std::uint32_t>(chosen.size());
    std::copy_if(all.begin() + range.first, all.begin() + range.first + range.count,
                 std::back_inserter(chosen), [&](const BrickWork& brick) {
                   return std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
                     return touches(brick, view_.level_max, region);
                   });
                 });
    work_[static_cast<std::size_t>(l)] = {first, static_cast<std::uint32_t>(chosen.size()) - first};
  }
  work_count_ = chosen.size();
  bricks_ = device_->upload(std::span<const BrickWork>(chosen), kWhat);
  view_.work = bricks_.data();
}

const std::vector<std::uint32_t>& OctetPart::particles() const {
  if (!listed_) {
    particles_ = particles_of(access_, regions_);
    indices_ = device_->upload(std::span<const std::uint32_t>(particles_), kWhat);
    listed_ = true;
  }
  return particles_;
}

void OctetPart::download(const OctetValues& from, std::span<float> linear) const {
  const std::vector<std::uint32_t>& wanted = particles();
  if (wanted.empty()) return;
  // Uninitialised elsewhere: only places of the part's bricks are written, and only these are read.
  const DeviceBuffer<float> all(linear.size(), kWhat, device_->main());
  bricks_to_linear(view_, bricks(), from.data(), all.data(), device_->main());
  const DeviceBuffer<float> picked(wanted.size(), kWhat, device_->main());
  pick(all.data(), indices_.data(), wanted.size(), picked.data(), device_->main());
  std::vector<float> values(wanted.size());
  device_->download(picked.data(), values.data(), values.size() * sizeof(float));
  for (std::size_t i = 0; i < values.size(); ++i) linear[wanted[i]] = values[i];
}

}  // namespace aprscope::gpu
