#pragma once

#include <string>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/filter/convolution.hpp"
#include "core/io/image_source.hpp"

// How back ends make result data.
namespace aprscope {

/// The APR with one field of these values instead of its own, under the same name, and one line
/// more of history.
Data with_field(const Apr& apr, std::vector<float> values, std::string history);

/// The image with other values and with its labels. `input` must be an image.
Data filtered_image(const Dataset& input, std::vector<float> values);

/// A copy of the data with other labels (one a pixel, or particle), and with `history` as a further
/// line if it keeps one; see also Dataset::with_labels().
Data with_labels(const Dataset& input, Labels labels, std::string history);

/// An image with what is known of an APR.
Volume image_like(const Apr& apr, AnyPixels pixels);

/// Values rounded to a type / to that of a field, if images have it (else they stay f32).
template <class T>
AnyPixels typed(Pixels<float> pixels);
AnyPixels typed_as(const Field& field, Pixels<float> pixels);

/// The particles whose cells intersect a region that is not empty, in ascending order.
std::vector<std::uint64_t> particles_in(const AprAccess& access, const Region& region);

/// Values of the particles whose cells intersect the region / of its pixels.
void copy_particles(const AprAccess& access, const Region& region, const std::vector<float>& from,
                    std::vector<float>& to);
void copy_pixels(const Size3& n, const Region& region, const std::vector<float>& from,
                 std::vector<float>& to);

}  // namespace aprscope
