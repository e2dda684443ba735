#include "core/dataset/dataset.hpp"

#include <new>
#include <utility>

namespace aprscope {
namespace {

// The image, kept alive with the data it is part of; null for an APR.
std::shared_ptr<const Volume> volume_in(const std::shared_ptr<const Data>& data) {
  const auto* volume = std::get_if<Volume>(data.get());
  return volume ? std::shared_ptr<const Volume>(data, volume) : nullptr;
}

DatasetValues values_of(const Data& data, std::shared_ptr<const Volume> volume) {
  if (volume) return DatasetValues(std::move(volume));
  const Apr& apr = std::get<Apr>(data);
  return {apr.access, apr.main_field()};
}

}  // namespace

Dataset::Dataset(std::shared_ptr<const Data> data, std::shared_ptr<const Labels> labels,
                 std::shared_ptr<Derived> derived)
    : data_(std::move(data)),
      volume_(volume_in(data_)),
      labels_(std::move(labels)),
      derived_(std::move(derived)) {}

std::shared_ptr<const Dataset> Dataset::create(Data data) {
  std::shared_ptr<const Labels> labels = std::visit([](auto& one) { return one.labels; }, data);
  if (auto* volume = std::get_if<Volume>(&data)) volume->labels.reset();
  const auto kept = std::make_shared<const Data>(std::move(data));
  auto derived = std::make_shared<Derived>(values_of(*kept, volume_in(kept)));
  return std::shared_ptr<const Dataset>(new Dataset(kept, std::move(labels), std::move(derived)));
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
  sum += derived_->values.bytes();
  const std::lock_guard lock(derived_->mutex);
  if (derived_->raycaster) sum += derived_->raycaster->bytes();
  return sum;
}

Plane Dataset::slice(ReconstructionMode mode, Axis axis, std::int64_t index) const {
  if (!is_apr()) return slice_pixels(*volume_, axis, index);
  return slice_particles(*apr().access, values().particles(), mode, axis, index);
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
    if (is_apr() && values().particles().empty()) {
      return Error{"has no particle values to show", name(), "open a file with a particle field"};
    }
    auto made = is_apr()
                    ? MipRaycaster::build(apr().access, values().particles(), apr().voxel, context)
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
  const auto& particles = values().particles();
  const float value = found.index < particles.size() ? particles[found.index] : 0.0F;
  return {value, found.level, 1 << (apr().access->level_max() - found.level)};
}

}  // namespace aprscope
