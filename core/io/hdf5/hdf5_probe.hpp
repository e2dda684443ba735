#pragma once

#include <memory>

#include "core/io/common/probe.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: which of the formats in HDF5 files a file is of.

namespace aprscope {

/// A file that is HDF5, opened.
struct ProbedHdf5 {
  std::shared_ptr<Hdf5Reader> reader;
  /// Whether it has a group /ParticleRepr, and no dataset was asked for.
  bool particles = false;
  /// Whether it has a group /DataSet/ResolutionLevel 0, or a root attribute of Imaris, and no
  /// dataset or a level of resolution ("/1") was asked for.
  bool imaris = false;
};

/// At the first call opens the file, examines it and keeps the result in the probe. Null when the
/// file does not begin as HDF5. Errors name the file: damaged, cancelled.
Result<std::shared_ptr<const ProbedHdf5>> probe_hdf5(Probe& probe);

}  // namespace aprscope
