#include "core/io/em/spider_format.hpp"

#include "core/io/em/em_volume.hpp"

namespace aprscope {

Format spider_format() {
  return em_format(EmKind::spider, "spider", "SPIDER", {".spi", ".stk", ".vol"},
                   {"application/x-spider"});
}

}  // namespace aprscope
