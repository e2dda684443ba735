#include "core/io/hdf5/hdf5_probe.hpp"

namespace aprscope {
namespace {

// An HDF5 file may begin with a user block of 512, 1024, 2048, … bytes.
bool has_signature(const Probe& probe) {
  for (std::uint64_t at = 0; at <= (1U << 20U); at = at == 0 ? 512 : at * 2) {
    if (probe.has(at, "\x89HDF\r\n\x1a\n")) return true;
  }
  return false;
}

}  // namespace

Result<std::shared_ptr<const ProbedHdf5>> probe_hdf5(Probe& probe) {
  if (probe.hdf5 != nullptr || !has_signature(probe)) return probe.hdf5;
  const auto reader = Hdf5Reader::open(probe.path(), probe.context().stop_token());
  if (!reader) return reader.error();
  ProbedHdf5 held{*reader, false};
  if (probe.dataset().empty()) {
    const auto particles = (*reader)->kind("/ParticleRepr");
    if (!particles) return particles.error();
    held.particles = particles->has_value();
  }
  probe.hdf5 = std::make_shared<const ProbedHdf5>(std::move(held));
  return probe.hdf5;
}

}  // namespace aprscope
