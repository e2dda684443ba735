#include "core/filter/kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

#define APRSCOPE_DECLARE(isa)                                                       \
  namespace isa {                                                                   \
  extern const decltype(FilterKernels::fill) fill_kernel;                           \
  extern const decltype(FilterKernels::spread) spread_kernel;                       \
  extern const decltype(FilterKernels::means) means_kernel;                         \
  extern const decltype(FilterKernels::store) store_kernel;                         \
  extern const decltype(FilterKernels::correlate) correlate_kernel;                 \
  extern const decltype(FilterKernels::correlate_taps) correlate_taps_kernel;       \
  extern const decltype(FilterKernels::add_rows) add_rows_kernel;                   \
  extern const decltype(FilterKernels::fold) fold_kernel;                           \
  extern const decltype(FilterKernels::unfold) unfold_kernel;                       \
  extern const decltype(FilterKernels::weighted) weighted_kernel;                   \
  extern const decltype(FilterKernels::weighted_mirrored) weighted_mirrored_kernel; \
  extern const decltype(FilterKernels::along) along_kernel;                         \
  extern const decltype(FilterKernels::largest) largest_kernel;                     \
  extern const decltype(FilterKernels::smallest) smallest_kernel;                   \
  extern const decltype(FilterKernels::median) median_kernel;                       \
  extern const decltype(FilterKernels::deviation) deviation_kernel;                 \
  extern const decltype(FilterKernels::variation) variation_kernel;                 \
  FilterKernels kernels() {                                                         \
    return {fill_kernel,                                                            \
            spread_kernel,                                                          \
            means_kernel,                                                           \
            store_kernel,                                                           \
            correlate_kernel,                                                       \
            correlate_taps_kernel,                                                  \
            add_rows_kernel,                                                        \
            fold_kernel,                                                            \
            unfold_kernel,                                                          \
            weighted_kernel,                                                        \
            weighted_mirrored_kernel,                                               \
            along_kernel,                                                           \
            largest_kernel,                                                         \
            smallest_kernel,                                                        \
            median_kernel,                                                          \
            deviation_kernel,                                                       \
            variation_kernel};                                                      \
  }                                                                                 \
  }

APRSCOPE_DECLARE(isa_v3)
APRSCOPE_DECLARE(isa_v4)
#undef APRSCOPE_DECLARE

const FilterKernels& filter_kernels() {
  static const FilterKernels narrow = isa_v3::kernels();
  static const FilterKernels wide = isa_v4::kernels();
  return use_avx512() ? wide : narrow;
}

}  // namespace aprscope
