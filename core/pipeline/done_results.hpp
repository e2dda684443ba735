#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "core/io/common/source_info.hpp"
#include "core/pipeline/batch.hpp"

namespace aprscope {

/// Results that need not be made again. Beside the results of a batch lies a folder ".done" with a
/// record of each input: what its result was made of, and which files came of it. The results
/// themselves are the same bytes with and without it.

/// Everything that determines a result: steps, channel, time point, build of the program, the kind
/// of `device` (Backend::id(): CPU and GPU may round differently), and for the input and every
/// other file that is read its whole path, bytes and time of modification (of a folder those of all
/// files in it). Call it before the input is read, so that later changes are noticed. Errors: a
/// file cannot be looked at.
Result<nlohmann::ordered_json> origin_of(const Recipe& recipe, const std::string& input,
                                         const SourceInfo& info, const SourceSelection& selection,
                                         const std::string& device);

/// Writes the record of a row whose files are written; `name` is that of result_names(). Errors:
/// those of the file system.
Status keep_done(const std::filesystem::path& folder, const std::string& name,
                 const nlohmann::ordered_json& origin, const BatchRow& row);

/// Fills the row from its record, with its tables, if the record has this origin and all of its
/// files have the same bytes and time of modification as then. Else returns false and leaves the
/// row as it was.
bool find_done(const std::filesystem::path& folder, const std::string& name,
               const nlohmann::ordered_json& origin, BatchRow& row);

}  // namespace aprscope
