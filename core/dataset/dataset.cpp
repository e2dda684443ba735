#include "core/dataset/dataset.hpp"

#include <new>
#include <utility>

#include "core/apr/structure/tree.hpp"
#include "core/dataset/first_pixel.hpp"

namespace aprscope {
namespace {

// The value in `slot`, made by `build` on first use. Two mutexes, so that whoever only looks at the
// slot never waits for a computation, while nothing is computed twice.
template <class T, class Build>
std::shared_ptr<const T> once(std::mutex& slots, std::mutex& building,
                              std::shared_ptr<const T>& slot, const Build& build) {
  const auto look = [&] {
    const std::lock_guard lock(slots);
    return slot;
  };
  if (auto ready = look()) return ready;
  const std::lock_guard lock(building);
  if (auto ready = look()) return ready;
  std::shared_ptr<const T> made = build();
  const std::lock_guard store(slots);
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

}  // namespace

Dataset::Dataset(std::shared_ptr<const Data> data, std::shared_ptr<const Labels> labels,
                 std::shared_ptr<Derived> derived)
    : data_(std::move(data)), labels_(std::move(labels)), derived_(std::move(derived)) {
  if (const auto* volume = std::get_if<Volume>(data_.get())) {
    volume_ = std::shared_ptr<const Volume>(data_, volume);
  }
}

std::shared_ptr<const Dataset> Dataset::create(Data data) {
  std::shared_ptr<const Labels> labels = std::visit([](auto& one) { return one.labels; }, data);
  if (auto* volume = std::get_if<Volume>(&data)) volume->labels.reset();
  return std::shared_ptr<const Dataset>(new Dataset(std::make_shared<const Data>(std::move(data)),
                                                    std::move(labels),
                                                    std::make_shared<Derived>()));
}

std::shared_ptr<const Dataset> Dataset::with_labels(std::shared_ptr<const Labels> labels,
                                                    const std::string& history,
                                                    KnownLabels known) const {
  std::shared_ptr<const Data> data = data_;
  if (is_apr()) {
    Apr other = apr();
    other.labels = labels;
    if (!history.empty()) other.history.push_back(history);
    data = std::make_shared<const Data>(std::move(other));
  }
  const std::shared_ptr<Dataset> made(new Dataset(std::move(data), std::move(labels), derived_));
  made->known_ = std::move(known);
  return made;
}

Data Dataset::copy() const {
  Data out = *data_;
  std::visit([&](auto& one) { one.labels = labels_; }, out);
  return out;
}

KnownLabels Dataset::known_labels() const {
  const std::lock_guard lock(known_mutex_);
  return known_;
}

void Dataset::keep_records(std::shared_ptr<const LabelRecords> records) const {
  const std::lock_guard lock(known_mutex_);
  known_ = {std::move(records), {}, {}};
}

const std::string& Dataset::name() const { return is_apr() ? apr().name : volume_->name; }

Size3 Dataset::size() const {
  if (!is_apr()) return volume_->size();
  return apr().access ? apr().access->size() : Size3{0, 0, 0};
}

Data with_voxel_size(const Dataset& data, const VoxelSize& voxel) {
  Data copy = data.copy();
  std::visit([&](auto& one) { one.voxel = voxel; }, copy);
  return copy;
}

const VoxelSize& Dataset::voxel() const { return is_apr() ? apr().voxel : volume_->voxel; }

std::uint64_t Dataset::bytes() const {
  std::uint64_t sum = is_apr() ? apr().bytes() : volume_->bytes();
  if (labels()) sum += labels()->bytes();
  const std::lock_guard lock(derived_->mutex);
  const auto floats = [](const std::vector<float>& v) {
    return static_cast<std::uint64_t>(v.size() * sizeof(float));
  };
  // Values that are f32 already are shared with the data, not copied.
  const auto main = is_apr() ? apr().main_field() : nullptr;
  if (derived_->values && !(main && std::holds_alternative<std::vector<float>>(main->values))) {
    sum += floats(*derived_->values);
  }
  if (derived_->tree_mean) sum += floats(*derived_->tree_mean);
  if (derived_->pixels && !std::holds_alternative<Pixels<float>>(volume_->pixels)) {
    sum += floats(derived_->pixels->values);
  }
  if (derived_->raycaster) sum += derived_->raycaster->bytes();
  return sum;
}

const std::vector<float>& Dataset::particle_values() const {
  return *once(derived_->mutex, derived_->values_build, derived_->values,
               [&]() -> std::shared_ptr<const std::vector<float>> {
                 const auto field = is_apr() ? apr().main_field() : nullptr;
                 if (!field) return std::make_shared<const std::vector<float>>();
                 if (const auto* same = std::get_if<std::vector<float>>(&field->values)) {
                   return {field, same};
                 }
                 return std::make_shared<const std::vector<float>>(field->to_float());
               });
}

const std::vector<float>& Dataset::tree_mean() const {
  const std::vector<float>& values = particle_values();
  return *once(derived_->mutex, derived_->tree_build, derived_->tree_mean,
               [&]() -> std::shared_ptr<const std::vector<float>> {
                 if (!is_apr() || values.empty()) {
                   return std::make_shared<const std::vector<float>>();
                 }
                 auto tree = fill_tree(*apr().access, values, Reduction::mean);
                 // Nobody can cancel this, so only memory can be missing.
                 if (!tree) throw std::bad_alloc();
                 return std::make_shared<const std::vector<float>>(*std::move(tree));
               });
}

bool Dataset::has_tree_mean() const {
  const std::lock_guard lock(derived_->mutex);
  return derived_->tree_mean != nullptr;
}

void Dataset::keep_tree_mean(std::vector<float> means) const {
  auto kept = std::make_shared<const std::vector<float>>(std::move(means));
  const std::lock_guard building(derived_->tree_build);
  const std::lock_guard lock(derived_->mutex);
  if (derived_->tree_mean == nullptr) derived_->tree_mean = std::move(kept);
}

const Pixels<float>& Dataset::pixels_f32() const {
  return *once(derived_->mutex, derived_->pixels_build, derived_->pixels,
               [&]() -> std::shared_ptr<const Pixels<float>> {
                 if (is_apr()) return std::make_shared<const Pixels<float>>();
                 if (const auto* same = std::get_if<Pixels<float>>(&volume_->pixels))
                   return {volume_, same};
                 return std::make_shared<const Pixels<float>>(volume_->to_float());
               });
}

NonFinite Dataset::non_finite() const {
  return *once(derived_->mutex, derived_->finite_build, derived_->non_finite, [&] {
    if (!is_apr()) return std::make_shared<const NonFinite>(count_non_finite(*volume_));
    const auto field = apr().main_field();
    const bool real = field && (std::holds_alternative<std::vector<float>>(field->values) ||
                                std::holds_alternative<std::vector<double>>(field->values));
    if (!real) return std::make_shared<const NonFinite>();
    return std::make_shared<const NonFinite>(
        count_in(particle_values(), apr().access->particles()));
  });
}

Plane Dataset::slice(ReconstructionMode mode, Axis axis, std::int64_t index) const {
  if (!is_apr()) return slice_pixels(*volume_, axis, index);
  return slice_particles(*apr().access, particle_values(), mode, axis, index);
}

Result<std::shared_ptr<const MipRaycaster>> Dataset::raycaster(const JobContext& context) const {
  const auto look = [&] {
    const std::lock_guard lock(derived_->mutex);
    return derived_->raycaster;
  };
  if (auto ready = look()) return ready;
  const std::lock_guard building(derived_->raycaster_build);
  if (auto ready = look()) return ready;
  try {
    if (context.stop_requested()) return cancelled_error();
    if (is_apr() && particle_values().empty()) {
      return Error{"has no particle values to show", name(), "open a file with a particle field"};
    }
    auto made = is_apr()
                    ? MipRaycaster::build(apr().access, particle_values(), apr().voxel, context)
                    : MipRaycaster::build(volume_, context);
    if (!made) return made.error();
    const std::lock_guard store(derived_->mutex);
    derived_->raycaster = *made;
    return made;
  } catch (const std::bad_alloc&) {
    return Error{"is too large to be shown in 3-D with the memory left", name(),
                 "close other data"};
  }
}

Dataset::Probe Dataset::probe(const Index3& p) const {
  if (!is_apr()) return {volume_->value(p), finest_level(size()), 1};
  const ParticleAt found = apr().access->find(p);
  const auto& values = particle_values();
  const float value = found.index < values.size() ? values[found.index] : 0.0F;
  return {value, found.level, 1 << (apr().access->level_max() - found.level)};
}

}  // namespace aprscope
