#include "core/apr/conversion_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

#define APRSCOPE_DECLARE(isa)                                                   \
  namespace isa {                                                               \
  extern const decltype(ConversionKernels::filter_z) filter_z_kernel;           \
  extern const decltype(ConversionKernels::weighted_z) weighted_z_kernel;       \
  extern const decltype(ConversionKernels::filter_y) filter_y_kernel;           \
  extern const decltype(ConversionKernels::filter_x) filter_x_kernel;           \
  extern const decltype(ConversionKernels::blocks) blocks_kernel;               \
  extern const decltype(ConversionKernels::levels) levels_kernel;               \
  extern const decltype(ConversionKernels::pair_means) pair_means_kernel;       \
  extern const decltype(ConversionKernels::weigh) weigh_kernel;                 \
  extern const decltype(ConversionKernels::box) box_kernel;                     \
  extern const decltype(ConversionKernels::sum_rows) sum_rows_kernel;           \
  extern const decltype(ConversionKernels::deviation) scale_deviation_kernel;   \
  ConversionKernels conversion() {                                              \
    return {{filter_z_kernel[0], filter_z_kernel[1], filter_z_kernel[2]},       \
            {weighted_z_kernel[0], weighted_z_kernel[1], weighted_z_kernel[2]}, \
            filter_y_kernel,                                                    \
            filter_x_kernel,                                                    \
            blocks_kernel,                                                      \
            levels_kernel,                                                      \
            {pair_means_kernel[0], pair_means_kernel[1], pair_means_kernel[2]}, \
            weigh_kernel,                                                       \
            box_kernel,                                                         \
            sum_rows_kernel,                                                    \
            scale_deviation_kernel};                                            \
  }                                                                             \
  }

APRSCOPE_DECLARE(isa_v3)
APRSCOPE_DECLARE(isa_v4)
#undef APRSCOPE_DECLARE

const ConversionKernels& conversion_kernels() {
  static const ConversionKernels narrow = isa_v3::conversion();
  static const ConversionKernels wide = isa_v4::conversion();
  return use_avx512() ? wide : narrow;
}

}  // namespace aprscope
