#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/deconvolution/psf/psf_measured.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The parameters of operation "deconvolve" that describe its point-spread function: psf (which
/// kind: gaussian, born_wolf, gibson_lanni, file, beads, given), and those of each kind.
std::vector<ParameterSpec> psf_parameters();

/// Whether a parameter says which PSF it is: the kind, and the width of a Gaussian.
bool is_psf_kind(const std::string& id);

/// Whether a parameter has a say in the PSF of this kind; true for those that are not about PSFs.
bool psf_parameter_counts(const std::string& kind, const std::string& parameter);

/// How a complete operation wants an image of a PSF measured.
MeasureOptions measure_options(const Operation& complete, const Size3& image);

/// The PSF of a complete operation, for an image of this voxel size and extent ({0, 0, 0}:
/// unknown), with its coverage and warnings. Kinds file and beads read their file. Errors:
/// parameters that make no PSF, the file, everything that check_psf() refuses, cancelled.
Result<MadePsf> make_psf(const Operation& complete, const VoxelSize& voxel, const Size3& size,
                         const JobContext& context = {});

/// The PSF of make_psf() without coverage and warnings: odd size, centre in the middle, weights at
/// least 0 that sum to 1. Blurring is convolution with it.
Result<Stencil> psf_of(const Operation& complete, const VoxelSize& voxel, const Size3& size);

/// Positions in pixels from 0 as "z/x/y;z/x/y", and back. Error: the piece that is no position.
Result<std::vector<Index3>> positions_from_text(const std::string& text);
std::string positions_to_text(const std::vector<Index3>& positions);

/// "gaussian:sigma=2,size=13", "born-wolf:na=1.4,wavelength=500,n=1.518",
/// "gibson-lanni:na=1.2,depth=10,ns=1.33", "file:psf.tif,background=off",
/// "beads:img.tif,at=z/x/y;z/x/y" → parameters of "deconvolve". Errors name the offending part.
Result<std::map<std::string, ParameterValue>> parse_psf_spec(const std::string& spec);

}  // namespace aprscope
