#include "core/pipeline/backend.hpp"

namespace aprscope {

Result<Data> Backend::iterate(const Operation& operation, const Dataset&, const IterationHooks&,
                              const JobContext&) const {
  return Error{operation.id + " does not run on " + id(), operation.id, "use the CPU"};
}

Result<std::shared_ptr<const Raycaster>> Backend::raycaster(
    const std::shared_ptr<const Dataset>& input, const JobContext& context) const {
  auto built = input->raycaster(context);
  if (!built) return built.error();
  return std::shared_ptr<const Raycaster>(*std::move(built));
}

}  // namespace aprscope
