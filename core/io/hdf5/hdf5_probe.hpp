#pragma once

#include <memory>

#include "core/io/common/probe.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: which of the formats in HDF5 files a file is of.

namespace aprscope {

/// A file that is HDF5, opened.
struct ProbedHdf5 {
  std::shared_ptr<Hdf5Reader> reader;
  /// It has a group /ParticleRepr, and no dataset was asked for.
  bool particles = false;
  /// It has a group /DataSet/ResolutionLevel 0, or says at its root that it is of Imaris, and what
  /// was asked for is nothing or a level of resolution ("/1").
  bool imaris = false;
};

/// Opens the file and looks what it holds when it is asked first, and keeps that in the probe. None
/// when the file does not begin as HDF5. Errors name the file: damaged, cancelled.
Result<std::shared_ptr<const ProbedHdf5>> probe_hdf5(Probe& probe);

}  // namespace aprscope
