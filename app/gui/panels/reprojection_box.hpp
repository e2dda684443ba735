#pragma once

#include <QImage>
#include <QWidget>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/image/volume.hpp"

class QComboBox;
class QLabel;
class QPushButton;

namespace aprscope {
class Dataset;
struct Reprojection;
}  // namespace aprscope

namespace aprscope::gui {

class Document;
class ElidedLabel;
struct Item;

/// The image of a set of projections that the slices show, beside what a map says that it should
/// be, and how well the two agree. The map is one of the list, at first the newest that was made of
/// the set. Nothing is computed while it is hidden, and what the selection has left behind is
/// cancelled. A button correlates all images with the map, see correlations().
class ReprojectionBox : public QWidget {
  Q_OBJECT

 public:
  explicit ReprojectionBox(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] const QImage& image() const { return image_; }
  [[nodiscard]] const QImage& projection() const { return projection_; }
  /// Of what is shown; none while it is being computed.
  [[nodiscard]] std::optional<double> correlation() const { return correlation_; }
  /// Of all images of a set with a map, as they were asked for last.
  struct Correlations {
    /// The set, and its pixel size then: whichever of its images are shown by now.
    std::uint64_t item = 0;
    VoxelSize voxel;
    /// One for each row of the table; NaN for those that cannot be used.
    std::vector<double> values;
  };
  [[nodiscard]] const std::optional<Correlations>& correlations() const { return all_; }
  /// Looks again at what there is: the current set and row, the maps.
  void renew();

 signals:
  /// correlations() changed.
  void correlated();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  /// What is shown or being computed.
  struct Shown {
    std::shared_ptr<const Dataset> set, map;
    std::size_t row = 0;
    bool operator==(const Shown&) const = default;
  };

  /// The spectrum of the map that was projected last, as long as somebody looks.
  struct Kept;

  void build();
  void list_maps(const Item& set);
  void forget();
  void correlate_all();
  void show_result(const Reprojection& found);

  Document& document_;
  QComboBox* maps_ = nullptr;
  QWidget* pictures_ = nullptr;
  QLabel* recorded_ = nullptr;
  QLabel* projected_ = nullptr;
  ElidedLabel* words_ = nullptr;
  QPushButton* correlate_ = nullptr;
  QImage image_;
  QImage projection_;
  std::optional<double> correlation_;
  /// The map that somebody chose, until it goes.
  std::uint64_t chosen_ = 0;
  std::uint64_t newest_ = 0;
  std::uint64_t job_ = 0;
  Shown shown_;
  std::shared_ptr<Kept> kept_;
  std::optional<Correlations> all_;
  /// The job that correlates all images; 0: none.
  std::uint64_t correlating_ = 0;
};

}  // namespace aprscope::gui
