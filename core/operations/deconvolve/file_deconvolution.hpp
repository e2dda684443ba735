#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/deconvolve/deconvolution_plan.hpp"
#include "core/operations/engine/file_engine.hpp"

namespace aprscope {

/// An error if the plan needs the particles of a file in memory: the far part of a large PSF, a
/// back projector, held-out photons, a start or a background from elsewhere.
Status check_in_slabs(const DeconvolutionPlan& plan, const std::string& name);

/// FileEngine::run() of a deconvolution. What iterations keep, four to eight values a particle, lies
/// on the disk of TMPDIR (/var/tmp without it) meanwhile. Errors: also those of check_in_slabs() and
/// of richardson_lucy(), no room on that disk.
Result<FileRunReport> deconvolve_apr_file(const Operation& complete, AprFileSlabs& file,
                                                    const FileRunOptions& options,
                                                    const std::filesystem::path& output,
                                                    const JobContext& context = {});

/// FileEngine::bytes() of a deconvolution.
Result<std::uint64_t> bytes_to_deconvolve(const Operation& complete, const AprFileSlabs& file);

}  // namespace aprscope
