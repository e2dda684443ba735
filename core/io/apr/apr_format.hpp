#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// The format of particles: HDF5 files with a group /ParticleRepr, if no dataset in them is named.
Format apr_format();

}  // namespace aprscope
