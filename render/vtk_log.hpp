#pragma once

#include <cstdint>

namespace aprscope {

/// Sends VTK's errors and warnings to the log instead of a window of VTK's own. Every VtkWidget
/// calls it; calling it again does nothing.
void install_vtk_log();

/// The number of errors / warnings that VTK has reported since the program started.
std::uint64_t vtk_error_count();
std::uint64_t vtk_warning_count();

}  // namespace aprscope
