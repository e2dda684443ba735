#pragma once

namespace aprscope::fuzz {

/// From now on one helper process describes HDF5 files one after the other, until one of them ends
/// it. The program starts a helper a file, which under sanitizers takes 30 ms. What ends a helper
/// is written to the file that APRSCOPE_FUZZ_HELPER_LOG names. True, so that it can be called where
/// a static is made.
bool keep_hdf5_helper();

}  // namespace aprscope::fuzz
