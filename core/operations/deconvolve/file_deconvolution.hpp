#pragma once

#include <cstdint>
#include <filesystem>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/engine/file_engine.hpp"

namespace aprscope {

/// FileEngine::takes() of a deconvolution: not the far part of a large PSF, a back projector,
/// held-out photons, a start or a background from elsewhere.
Status deconvolves_in_slabs(const Operation& complete, const AprFileSlabs& file);

/// FileEngine::run() of a deconvolution. What iterations keep, four to eight values a particle,
/// lies on the disk of TMPDIR (/var/tmp without it) meanwhile. Errors: also those of
/// deconvolves_in_slabs() and of richardson_lucy(), no room on that disk.
Result<FileRunReport> deconvolve_apr_file(const Operation& complete, AprFileSlabs& file,
                                          const FileRunOptions& options,
                                          const std::filesystem::path& output,
                                          const JobContext& context = {});

/// FileEngine::bytes() of a deconvolution.
Result<std::uint64_t> bytes_to_deconvolve(const Operation& complete, const AprFileSlabs& file);

}  // namespace aprscope
