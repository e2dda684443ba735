#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Particles: HDF5 files with a group /ParticleRepr, unless a dataset in them is named.
Format apr_format();

}  // namespace aprscope
