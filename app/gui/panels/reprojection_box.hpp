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

/// The image of a set of projections that the slices show, beside the image that a map predicts for
/// it, and how well both agree. The user chooses the map; at first it is the newest made from the
/// set. Computes nothing while hidden, and cancels what the selection has made obsolete. A button
/// correlates all images with the map, see correlations().
class ReprojectionBox : public QWidget {
  Q_OBJECT

 public:
  explicit ReprojectionBox(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] const QImage& image() const { return image_; }
  [[nodiscard]] const QImage& projection() const { return projection_; }
  /// The correlation of the shown images; none while it is being computed.
  [[nodiscard]] std::optional<double> correlation() const { return correlation_; }
  /// The last correlations of all images of a set with a map that the user asked for.
  struct Correlations {
    /// The item of the set, and its pixel size at that time; it may show other images by now.
    std::uint64_t item = 0;
    VoxelSize voxel;
    /// The correlation for each row of the table; NaN for rows that cannot be used.
    std::vector<double> values;
  };
  [[nodiscard]] const std::optional<Correlations>& correlations() const { return all_; }
  /// Follows the current set, row and maps.
  void renew();

 signals:
  /// correlations() changed.
  void correlated();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  /// The images that are shown or being computed.
  struct Shown {
    std::shared_ptr<const Dataset> set, map;
    std::size_t row = 0;
    bool operator==(const Shown&) const = default;
  };

  /// The spectrum of the map used last; kept while the box is visible.
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
  /// The map that the user chose; reset when it is removed.
  std::uint64_t chosen_ = 0;
  std::uint64_t newest_ = 0;
  std::uint64_t job_ = 0;
  Shown shown_;
  std::shared_ptr<Kept> kept_;
  std::optional<Correlations> all_;
  /// The job that correlates all images; 0: none is running.
  std::uint64_t correlating_ = 0;
};

}  // namespace aprscope::gui
