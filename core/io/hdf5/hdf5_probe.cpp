#include "core/io/hdf5/hdf5_probe.hpp"

#include <string_view>

namespace aprscope {
namespace {

// An HDF5 file may begin with a user block of 512, 1024, 2048, … bytes.
bool has_signature(const Probe& probe) {
  for (std::uint64_t at = 0; at <= (1U << 20U); at = at == 0 ? 512 : at * 2) {
    if (probe.has(at, "\x89HDF\r\n\x1a\n")) return true;
  }
  return false;
}

// "", or a number as names of levels are.
bool is_level(std::string_view dataset) {
  return dataset.find_first_not_of("/0123456789") == std::string_view::npos;
}

Result<bool> is_imaris(const std::shared_ptr<Hdf5Reader>& reader) {
  const auto level = reader->kind("/DataSet/ResolutionLevel 0");
  if (level && *level == Hdf5ObjectKind::group) return true;
  // An attribute that cannot be read counts as missing, unless the reader itself has failed.
  const auto stated = reader->attribute("", "ImarisDataSet");
  if (Status alive = reader->status(); !alive) return alive.error();
  return stated && stated->has_value();
}

}  // namespace

Result<std::shared_ptr<const ProbedHdf5>> probe_hdf5(Probe& probe) {
  if (probe.hdf5 != nullptr || !has_signature(probe)) return probe.hdf5;
  const auto reader = Hdf5Reader::open(probe.path(), probe.context().stop_token());
  if (!reader) return reader.error();
  ProbedHdf5 held{*reader};
  if (probe.dataset().empty()) {
    const auto particles = (*reader)->kind("/ParticleRepr");
    if (!particles) return particles.error();
    held.particles = particles->has_value();
  }
  if (!held.particles && is_level(probe.dataset())) {
    const auto imaris = is_imaris(*reader);
    if (!imaris) return imaris.error();
    held.imaris = *imaris;
  }
  probe.hdf5 = std::make_shared<const ProbedHdf5>(std::move(held));
  return probe.hdf5;
}

}  // namespace aprscope
