#pragma once

#include <memory>

#include "core/io/common/format.hpp"
#include "core/io/em/em_bytes.hpp"
#include "core/io/em/em_file.hpp"

// Private to core/io: maps and stacks of electron microscopy as pixel images.

namespace aprscope {

enum class EmKind { mrc, spider };

/// Whether a file, unpacked where it is packed, is of that kind.
Result<bool> is_em(EmKind kind, const Probe& probe);
/// Images of a stack are slices; maps of a stack of maps are time points. Voxel sizes are in Å.
Result<SourceInfo> inspect_em(EmKind kind, const Probe& probe);
Result<Volume> load_em(EmKind kind, const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context);
Result<std::unique_ptr<SliceSource>> open_em_slices(EmKind kind, const SourceInfo& info,
                                                    const SourceSelection& selection);
Status read_em_exactly(EmKind kind, const SourceInfo& info, const SourceSelection& selection,
                       const SliceVisitor& visit, const JobContext& context);

/// The five above as a format of the program.
Format em_format(EmKind kind, std::string id, std::string name, std::vector<std::string> endings,
                 std::vector<std::string> mime_types);

}  // namespace aprscope
