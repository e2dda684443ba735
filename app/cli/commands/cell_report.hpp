#pragma once

#include "app/cli/shared/session.hpp"
#include "core/cells/agreement.hpp"
#include "core/data/measurement.hpp"
#include "core/pipeline/cell_check.hpp"

namespace aprscope::cli {

/// Summary of a table of cells: {cells, volume, volume_unit, flagged, flags: {border: N, …}, notes}
/// (of a single slice: area).
Json cells_json(const Measurement& found);
/// The same as text: "39 cells, 6123.4 µm³, 3 of them flagged (2 border, 1 leaks)".
std::string cells_text(const Json& cells);

/// How well labels agree with true ones, see LabelAgreement. Unknown numbers are null.
Json agreement_json(const LabelAgreement& agreement);

/// What conversion changed: {particles and pixels: {cells, volume, leak_radius}, volume_unit,
/// leak_radius_unit, overlap, matched, agrees, finding}. Unknown numbers are null.
Json check_json(const CellCheck& check);
/// The same as text.
std::string check_text(const CellCheck& check);

}  // namespace aprscope::cli
