#include "core/pipeline/backend.hpp"

namespace aprscope {

Result<Data> Backend::iterate(const Operation& operation, const Dataset&, const IterationHooks&,
                              const JobContext&) const {
  return Error{operation.id + " does not run on " + id(), operation.id, "use the CPU"};
}

Result<std::shared_ptr<const Dataset>> Backend::find_labels(const Operation& operation,
                                                            const Dataset& input,
                                                            const JobContext& context) const {
  auto made = run(operation, input, context);
  if (!made) return made.error();
  auto labels = std::visit([](auto& one) { return one.labels; }, *made);
  const auto* const apr = std::get_if<Apr>(&*made);
  const bool told = apr != nullptr && !apr->history.empty();
  return input.with_labels(std::move(labels), told ? apr->history.back() : std::string());
}

Result<Measurement> Backend::measure(const Operation& operation, const Dataset& input,
                                     const JobContext& context) const {
  const auto cpu = cpu_backend();
  context.moved({id(), cpu->id(), cpu->name(), "the GPU does not measure this"});
  return cpu->measure(operation, input, context);
}

Result<std::optional<std::vector<Plane>>> Backend::filtered_slices(
    const Operation& /*operation*/, const Dataset& /*input*/,
    std::span<const SlicePlace> /*slices*/, const JobContext& /*context*/) const {
  return std::optional<std::vector<Plane>>();
}

Result<Data> compute_elsewhere(const Backend& asked, const Backend& other,
                               const std::string& reason, const JobContext& context,
                               const std::function<Result<Data>()>& work) {
  context.moved({asked.id(), other.id(), other.name(), reason});
  auto made = work();
  auto* const apr = made ? std::get_if<Apr>(&*made) : nullptr;
  if (apr == nullptr || apr->history.empty()) return made;
  // The reason has numbers that differ from day to day: it is for whoever waits, not for files.
  std::string& line = apr->history.back();
  const std::string where = "[" + other.id() + "]";
  if (line.ends_with(where)) {
    line.replace(line.size() - where.size(), where.size(),
                 "[" + other.id() + " instead of " + asked.id() + "]");
  }
  return made;
}

Result<std::shared_ptr<const Raycaster>> Backend::raycaster(
    const std::shared_ptr<const Dataset>& input, const JobContext& context) const {
  auto built = input->raycaster(context);
  if (!built) return built.error();
  return std::shared_ptr<const Raycaster>(*std::move(built));
}

}  // namespace aprscope
