#include "core/apr/convert/conversion_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

#define APRSCOPE_DECLARE(isa)                                             \
  namespace isa {                                                         \
  extern const decltype(ConversionKernels::filter_z) filter_z_loop;       \
  extern const decltype(ConversionKernels::weighted_z) weighted_z_loop;   \
  extern const decltype(ConversionKernels::filter_zy) filter_zy_loop;     \
  extern const decltype(ConversionKernels::leave) leave_loop;             \
  extern const decltype(ConversionKernels::filter_x) filter_x_loop;       \
  extern const decltype(ConversionKernels::blocks) blocks_loop;           \
  extern const decltype(ConversionKernels::levels) levels_loop;           \
  extern const decltype(ConversionKernels::pair_means) pair_means_loop;   \
  extern const decltype(ConversionKernels::weigh) weigh_loop;             \
  extern const decltype(ConversionKernels::box) box_loop;                 \
  extern const decltype(ConversionKernels::sum_rows) sum_rows_loop;       \
  extern const decltype(ConversionKernels::deviation) deviation_loop;     \
  ConversionKernels conversion() {                                        \
    return {{filter_z_loop[0], filter_z_loop[1], filter_z_loop[2]},       \
            {weighted_z_loop[0], weighted_z_loop[1], weighted_z_loop[2]}, \
            {filter_zy_loop[0], filter_zy_loop[1], filter_zy_loop[2]},    \
            leave_loop,                                                   \
            filter_x_loop,                                                \
            blocks_loop,                                                  \
            levels_loop,                                                  \
            {pair_means_loop[0], pair_means_loop[1], pair_means_loop[2]}, \
            weigh_loop,                                                   \
            box_loop,                                                     \
            sum_rows_loop,                                                \
            deviation_loop};                                              \
  }                                                                       \
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
