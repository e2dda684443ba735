#include "core/io/apr/apr_format.hpp"

#include <utility>

#include "core/io/apr/apr_file.hpp"
#include "core/io/apr/apr_header.hpp"
#include "core/io/hdf5/hdf5_probe.hpp"

namespace aprscope {
namespace {

Result<bool> holds_particles(Probe& probe) {
  const auto held = probe_hdf5(probe);
  if (!held) return held.error();
  return *held != nullptr && (*held)->particles;
}

Result<SourceInfo> inspect_file(const Probe& probe) { return inspect_apr(probe.hdf5->reader); }

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto apr = load_apr(info, selection, context);
  if (!apr) return apr.error();
  return Data(*std::move(apr));
}

}  // namespace

Format apr_format() {
  return {.id = "apr",
          .name = "APR",
          .endings = {".apr"},
          // Desktops take the file for any HDF5 file.
          .mime_types = {"application/x-apr"},
          .particles = true,
          .is_it = holds_particles,
          .inspect = inspect_file,
          .load = read_data,
          .slices = {},
          .exactly = {}};
}

}  // namespace aprscope
