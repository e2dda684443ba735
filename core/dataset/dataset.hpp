#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/apr/sample/slice.hpp"
#include "core/cells/label_sums.hpp"
#include "core/dataset/dataset_values.hpp"
#include "core/image/labels.hpp"
#include "core/io/image_source.hpp"

namespace aprscope {

/// Facts about the objects of a data set that need not be computed again.
struct KnownLabels {
  /// Sums over objects and over grey values of the data in them, see label_records(); null:
  /// unknown.
  std::shared_ptr<const LabelRecords> records;
  /// Labels that lost or gained a pixel in `box` since; empty: the records are up to date.
  std::vector<std::uint32_t> changed;
  Region box{};
};

/// Data with what is derived from it, made once on first use. Immutable from outside; every member
/// may be called from any thread. This is what the window shows and what operations start from.
class Dataset {
 public:
  static std::shared_ptr<const Dataset> create(Data data);
  /// The same data with other labels (one a pixel, or particle; null: none). Particles get
  /// `history`, if it is not empty, as a further line. Values and all that is derived from them are
  /// shared, so only the labels take memory.
  [[nodiscard]] std::shared_ptr<const Dataset> with_labels(std::shared_ptr<const Labels> labels,
                                                           const std::string& history = {},
                                                           KnownLabels known = {}) const;
  /// Whether another has the same values, see with_labels(), whatever its labels are.
  [[nodiscard]] bool shares_values(const Dataset& other) const {
    return derived_ == other.derived_;
  }

  /// The data. An image comes without labels, as it is shared with data sets that have others: see
  /// labels() and copy(). Labels of particles are a part of the data.
  [[nodiscard]] const Data& data() const { return *data_; }
  /// The data, of its own, with its labels: pixels are copied, particles are shared.
  [[nodiscard]] Data copy() const;
  [[nodiscard]] bool is_apr() const { return std::holds_alternative<Apr>(*data_); }
  [[nodiscard]] const Apr& apr() const { return std::get<Apr>(*data_); }
  [[nodiscard]] const Volume& volume() const { return *volume_; }
  [[nodiscard]] std::shared_ptr<const Volume> shared_volume() const { return volume_; }
  /// The objects, one label a pixel or particle; null: none were looked for.
  [[nodiscard]] const std::shared_ptr<const Labels>& labels() const { return labels_; }
  [[nodiscard]] KnownLabels known_labels() const;
  /// Keeps records that were computed elsewhere; they must be those of labels() on these values.
  void keep_records(std::shared_ptr<const LabelRecords> records) const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] Size3 size() const;
  [[nodiscard]] const VoxelSize& voxel() const;
  /// Bytes of the data and of everything derived so far.
  [[nodiscard]] std::uint64_t bytes() const;

  /// The values in the forms that computing takes, without labels.
  [[nodiscard]] const DatasetValues& values() const { return derived_->values; }

  /// A slice as shown; `mode` matters for an APR only.
  [[nodiscard]] Plane slice(ReconstructionMode mode, Axis axis, std::int64_t index) const;

  /// The MIP renderer of this data, built on first use (seconds for large data: call it from a
  /// worker). Errors: cancelled (the next call builds again), out of memory.
  Result<std::shared_ptr<const MipRaycaster>> raycaster(const JobContext& context = {}) const;

  /// Value, level (finest for pixels) and side of the cell at a pixel.
  struct Probe {
    float value = 0.0F;
    int level = 0;
    int cell_side = 1;
  };
  [[nodiscard]] Probe probe(const Index3& p) const;

 private:
  // What follows from the values alone, so is shared by data sets with other labels.
  struct Derived {
    explicit Derived(DatasetValues of) : values(std::move(of)) {}

    DatasetValues values;
    // Guards the pointer and is never held while something is computed.
    std::mutex mutex;
    std::mutex raycaster_build;
    std::shared_ptr<const MipRaycaster> raycaster;
  };

  Dataset(std::shared_ptr<const Data> data, std::shared_ptr<const Labels> labels,
          std::shared_ptr<Derived> derived);

  // A block of its own: the renderer keeps the volume alive without keeping this object.
  std::shared_ptr<const Data> data_;
  std::shared_ptr<const Volume> volume_;  // null for an APR; else part of *data_
  std::shared_ptr<const Labels> labels_;
  std::shared_ptr<Derived> derived_;
  mutable std::mutex known_mutex_;
  mutable KnownLabels known_;
};

/// The same data with another voxel size: pixels are copied, particles are shared.
Data with_voxel_size(const Dataset& data, const VoxelSize& voxel);

}  // namespace aprscope
