#pragma once

#include <hdf5.h>

// Private to core/io: checks that the HDF5 library (1.10) leaves out. It copies a whole chunk out
// of what the filters gave, however little that is, and so past the end of its buffer.

namespace aprscope {

/// True when every chunk of a chunked `dataset` that the box of `start` and `count` touches is as
/// long as its header says it must be: a chunk whose filters are marked as skipped must have the
/// size of a decoded one. True for other layouts. Call with hdf5_mutex() held.
bool chunks_are_whole(hid_t dataset, const hsize_t* start, const hsize_t* count);

/// True when the shape of chunks that the header claims is that of the chunks in the file: decodes
/// the first chunk (deflate) or reads its own header (blosc) and compares the size. True where
/// there is nothing to compare. Call with hdf5_mutex() held.
bool chunk_shape_is_true(hid_t dataset);

}  // namespace aprscope
