#include "gpu/engines/devices.hpp"
#include "gpu/engines/projections.hpp"

namespace aprscope {

Result<InserterFactory> inserters_on(const std::string& device, InsertionReading /*reading*/) {
  const auto chosen = select_backend(device);
  if (!chosen) return chosen.error();
  return InserterFactory(make_cpu_inserter);
}

}  // namespace aprscope
