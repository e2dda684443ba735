#include "core/io/em/mrc_format.hpp"

#include "core/io/em/em_volume.hpp"

namespace aprscope {

Format mrc_format() {
  return em_format(EmKind::mrc, "mrc", "MRC",
                   {".mrc", ".map", ".mrcs", ".ccp4", ".mrc.gz", ".map.gz", ".mrc.bz2", ".map.bz2"},
                   {"application/x-mrc"});
}

}  // namespace aprscope
