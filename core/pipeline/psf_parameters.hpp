#pragma once

#include <vector>

#include "core/pipeline/operation.hpp"

namespace aprscope {

/// The parameters of operation "deconvolve" that describe its point-spread function: psf (which
/// kind), and those of each kind.
std::vector<ParameterSpec> psf_parameters();

/// The PSF of a complete operation, for an image of this voxel size and extent: odd size, centre in
/// the middle, weights from 0 that sum to 1. It is the image of a point: blurring is convolution
/// with it. Errors: parameters that make no PSF.
Result<Stencil> psf_of(const Operation& complete, const VoxelSize& voxel, const Size3& size);

}  // namespace aprscope
