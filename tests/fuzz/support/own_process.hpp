#pragma once

namespace aprscope::fuzz {

/// Whether APRSCOPE_FUZZ_OWN_PROCESS is set; if so, the HDF5 library runs in this process from now
/// on instead of in a helper. That is a hundred times as fast, and the library's own mistakes end
/// the process: inputs that do are tried again with a helper (resources/setup/fuzz.sh).
bool read_hdf5_in_own_process();

}  // namespace aprscope::fuzz
