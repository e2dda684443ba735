#include "core/pipeline/backend.hpp"

namespace aprscope {

Result<Data> Backend::iterate(const Operation& operation, const Dataset&, const IterationHooks&,
                              const JobContext&) const {
  return Error{operation.id + " does not run on " + id(), operation.id, "use the CPU"};
}

}  // namespace aprscope
