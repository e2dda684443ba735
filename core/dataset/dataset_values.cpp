#include "core/dataset/dataset_values.hpp"

#include <new>
#include <utility>

#include "core/apr/structure/tree.hpp"
#include "core/dataset/first_pixel.hpp"

namespace aprscope {
namespace {

// The value in `slot`, made by `build` on first use. Two mutexes: threads that only look at the
// slot never wait for a computation, and nothing is computed twice.
template <class T, class Build>
std::shared_ptr<const T> once(std::mutex& looking, std::mutex& building,
                              std::shared_ptr<const T>& slot, const Build& build) {
  const auto look = [&] {
    const std::lock_guard lock(looking);
    return slot;
  };
  if (auto ready = look()) return ready;
  const std::lock_guard lock(building);
  if (auto ready = look()) return ready;
  std::shared_ptr<const T> made = build();
  const std::lock_guard store(looking);
  slot = made;
  return made;
}

NonFinite count_in(const std::vector<float>& values, const LinearAccess& access) {
  NonFinite bad;
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_usable(values[i])) continue;
    if (bad.count++ == 0) first = i;
  }
  if (bad.count > 0) bad.first = first_pixel(access, first);
  return bad;
}

std::uint64_t floats(const std::vector<float>& values) {
  return static_cast<std::uint64_t>(values.size() * sizeof(float));
}

}  // namespace

DatasetValues::DatasetValues(std::shared_ptr<const Volume> volume) : volume_(std::move(volume)) {}

DatasetValues::DatasetValues(std::shared_ptr<const AprAccess> access,
                             std::shared_ptr<const Field> field)
    : access_(std::move(access)), field_(std::move(field)) {}

const std::vector<float>& DatasetValues::particles() const {
  return *once(made_->mutex, made_->particles_build, made_->particles,
               [&]() -> std::shared_ptr<const std::vector<float>> {
                 if (!field_) return std::make_shared<const std::vector<float>>();
                 // Values that are f32 already are shared with the data, not copied.
                 if (const auto* same = std::get_if<std::vector<float>>(&field_->values)) {
                   return {field_, same};
                 }
                 return std::make_shared<const std::vector<float>>(field_->to_float());
               });
}

const std::vector<float>& DatasetValues::tree_mean() const {
  const std::vector<float>& values = particles();
  return *once(made_->mutex, made_->tree_build, made_->tree_mean,
               [&]() -> std::shared_ptr<const std::vector<float>> {
                 if (values.empty()) return std::make_shared<const std::vector<float>>();
                 auto tree = fill_tree(*access_, values, Reduction::mean);
                 // Nothing cancels this computation, so a failure means that memory is short.
                 if (!tree) throw std::bad_alloc();
                 return std::make_shared<const std::vector<float>>(*std::move(tree));
               });
}

bool DatasetValues::has_tree_mean() const {
  const std::lock_guard lock(made_->mutex);
  return made_->tree_mean != nullptr;
}

void DatasetValues::keep_tree_mean(std::vector<float> means) const {
  auto kept = std::make_shared<const std::vector<float>>(std::move(means));
  const std::lock_guard building(made_->tree_build);
  const std::lock_guard lock(made_->mutex);
  if (made_->tree_mean == nullptr) made_->tree_mean = std::move(kept);
}

const Pixels<float>& DatasetValues::pixels() const {
  return *once(made_->mutex, made_->pixels_build, made_->pixels,
               [&]() -> std::shared_ptr<const Pixels<float>> {
                 if (!volume_) return std::make_shared<const Pixels<float>>();
                 if (const auto* same = std::get_if<Pixels<float>>(&volume_->pixels)) {
                   return {volume_, same};
                 }
                 return std::make_shared<const Pixels<float>>(volume_->to_float());
               });
}

NonFinite DatasetValues::non_finite() const {
  return *once(made_->mutex, made_->finite_build, made_->non_finite, [&] {
    if (volume_) return std::make_shared<const NonFinite>(count_non_finite(*volume_));
    const bool real = field_ && (std::holds_alternative<std::vector<float>>(field_->values) ||
                                 std::holds_alternative<std::vector<double>>(field_->values));
    if (!real) return std::make_shared<const NonFinite>();
    return std::make_shared<const NonFinite>(count_in(particles(), access_->particles()));
  });
}

std::uint64_t DatasetValues::bytes() const {
  const std::lock_guard lock(made_->mutex);
  std::uint64_t sum = 0;
  const bool shared = field_ && std::holds_alternative<std::vector<float>>(field_->values);
  if (made_->particles && !shared) sum += floats(*made_->particles);
  if (made_->tree_mean) sum += floats(*made_->tree_mean);
  if (made_->pixels && !std::holds_alternative<Pixels<float>>(volume_->pixels)) {
    sum += floats(made_->pixels->values);
  }
  return sum;
}

}  // namespace aprscope
