#pragma once

#include "core/data/measurement.hpp"

namespace aprscope {

/// Two measurements of the same kind beside each other: each curve that both have with a line of
/// each, over the x of both (between points as its shape says; beyond them 0, or as the last level
/// set of all is), and tables of both. Of units that differ a note says so instead.
/// Of curves whose points are in a table also one of their values and differences (second − first),
/// and a note that says how large those get and how large the area between the curves is.
Measurement paired(const Measurement& first, const Measurement& second);

}  // namespace aprscope
