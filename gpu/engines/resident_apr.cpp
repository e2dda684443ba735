#include "gpu/engines/resident_apr.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "gpu/octet/particle_filter.hpp"

namespace aprscope::gpu {
namespace {

// Buffers beside its input that a filter takes.
constexpr std::uint64_t kResultBuffers = kFilterBuffers - 1;

}  // namespace

const OctetApr& ResidentApr::structure(const Dataset& input, std::uint64_t more) {
  const Apr& apr = input.apr();
  if (has(input)) {
    if (device_memory().free < more + kResultBuffers * kept_.input.bytes()) kept_.other = {};
    check_device_memory(more, input.name(), *device_);
    return *kept_.apr;
  }
  release();
  check_device_memory(OctetApr::estimate_bytes(*apr.access, kFilterBuffers) + more, input.name(),
                      *device_);
  Kept next;
  next.apr = std::make_unique<OctetApr>(apr.access, device_);
  next.access = apr.access;
  next.input = next.apr->make_values();
  kept_ = std::move(next);
  return *kept_.apr;
}

const ResidentApr::Kept& ResidentApr::whole(const Dataset& input, std::uint64_t more) {
  structure(input, more);
  const auto field = input.apr().main_field();
  if (kept_.field == field) return kept_;
  Kept next = std::exchange(kept_, {});
  if (next.other.count() != 0) {
    // What was sent is needed again more likely than what is overwritten.
    const auto other = next.other_field.lock();
    next.other_field = std::exchange(next.field, other);
    std::swap(next.input, next.other);
    next.tree = false;
    if (other == field) {
      kept_ = std::move(next);
      return kept_;
    }
  }
  const std::vector<float>& values = input.values().particles();
  next.apr->upload(values, next.input);
  next.field = field;
  next.tree = false;
  kept_ = std::move(next);
  return kept_;
}

void ResidentApr::keep(const Apr& result, OctetValues values) {
  // Another job may have had its turn since.
  if (!kept_.apr || kept_.access != result.access) return;
  kept_.other = {};
  if (device_memory().free < kResultBuffers * values.bytes()) return;
  kept_.other_field = result.main_field();
  kept_.other = std::move(values);
}

const ResidentApr::Kept& ResidentApr::part(const Dataset& input, std::span<const Region> regions) {
  whole(input, 0);
  if (!kept_.tree) {
    kept_.apr->fill_tree(kept_.input, Reduction::mean);
    kept_.tree = true;
  }
  const auto same = [](const Region& a, const Region& b) {
    return a.begin == b.begin && a.end == b.end;
  };
  const auto& shown = kept_.shown;
  if (!shown || !std::equal(regions.begin(), regions.end(), shown->regions().begin(),
                            shown->regions().end(), same)) {
    kept_.shown = std::make_unique<OctetPart>(*kept_.apr, regions);
  }
  return kept_;
}

bool ResidentApr::has(const Dataset& input) const {
  return input.is_apr() && kept_.apr && kept_.access == input.apr().access;
}

bool ResidentApr::fits(const Dataset& input) {
  if (has(input)) return true;
  release();
  return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers) <= device_memory().free;
}

Status ResidentApr::make_room(std::uint64_t needed, const Dataset& input) {
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    if (needed > device_memory().free) kept_.other = {};
    if (needed > device_memory().free) release();
    check_device_memory(needed, input.name(), *device_);
    return {};
  });
}

}  // namespace aprscope::gpu
