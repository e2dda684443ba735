#pragma once

#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/tiff/tiff_file.hpp"
#include "core/io/tiff/tiff_pages.hpp"

// Private to core/io: pixels of one page.

namespace aprscope {

/// Reads one sample (channel of the page) of every pixel of a page; `out` holds rows · cols values
/// of the type that stored_as(page.type) names, or of f64. Errors: damaged or cut-off data,
/// cancelled.
template <class T>
Status read_tiff_page(const TiffFile& file, const TiffPage& page, int sample, T* out,
                      const JobContext& context);

/// The same for a plane that lies uncompressed at `offset`, rows after each other.
template <class T>
Status read_raw_plane(int descriptor, const std::filesystem::path& path, const TiffPage& page,
                      std::uint64_t offset, bool swap, int sample, T* out,
                      const JobContext& context);

extern template Status read_tiff_page(const TiffFile&, const TiffPage&, int, std::uint8_t*,
                                      const JobContext&);
extern template Status read_tiff_page(const TiffFile&, const TiffPage&, int, std::uint16_t*,
                                      const JobContext&);
extern template Status read_tiff_page(const TiffFile&, const TiffPage&, int, float*,
                                      const JobContext&);
extern template Status read_tiff_page(const TiffFile&, const TiffPage&, int, double*,
                                      const JobContext&);
extern template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&,
                                      std::uint64_t, bool, int, std::uint8_t*, const JobContext&);
extern template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&,
                                      std::uint64_t, bool, int, std::uint16_t*, const JobContext&);
extern template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&,
                                      std::uint64_t, bool, int, float*, const JobContext&);
extern template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&,
                                      std::uint64_t, bool, int, double*, const JobContext&);

}  // namespace aprscope
