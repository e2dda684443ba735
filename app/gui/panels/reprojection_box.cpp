#include "app/gui/panels/reprojection_box.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "core/base/memory_error.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/projections/reprojection.hpp"

namespace aprscope::gui {
namespace {

constexpr int kSide = 112;
// Range of grey values in standard deviations: shows noise in spite of a few bright pixels.
constexpr double kDeviations = 3.0;

const Projections* projections_of(const Item* item) {
  if (item == nullptr || item->is_apr() || item->is_measurement()) return nullptr;
  return item->dataset->volume().projections.get();
}

bool is_map(const Item& item, std::int64_t side) {
  if (item.is_apr() || item.is_measurement() || item.growing) return false;
  return !item.dataset->volume().projections && item.dataset->size() == Size3{side, side, side};
}

// A picture that is black at mean − 3 and white at mean + 3 standard deviations.
QImage picture_of(std::span<const float> values, std::int64_t side) {
  double mean = 0.0;
  for (const float v : values) mean += v;
  mean /= static_cast<double>(values.size());
  double square = 0.0;
  for (const float v : values) square += (v - mean) * (v - mean);
  const double deviation = std::sqrt(square / static_cast<double>(values.size()));
  const double scale = deviation > 0.0 ? 255.0 / (2.0 * kDeviations * deviation) : 0.0;
  const int n = static_cast<int>(side);
  QImage picture(n, n, QImage::Format_Grayscale8);
  for (int y = 0; y < n; ++y) {
    uchar* const row = picture.scanLine(y);
    for (int x = 0; x < n; ++x) {
      const double grey = 127.5 + scale * (values[static_cast<std::size_t>(y * n + x)] - mean);
      row[x] = std::isfinite(grey) ? static_cast<uchar>(std::clamp(grey, 0.0, 255.0)) : uchar{0};
    }
  }
  return picture;
}

QPixmap enlarged(const QImage& picture) {
  return QPixmap::fromImage(picture.scaled(kSide, kSide, Qt::KeepAspectRatio));
}

// A larger spectrum is not kept, but computed anew for each image.
constexpr std::uint64_t kMostKept = std::uint64_t{512} << 20U;

}  // namespace

struct ReprojectionBox::Kept {
  std::mutex mutex;
  std::weak_ptr<const Dataset> of;
  std::optional<PreparedMap> map;

  Result<PreparedMap> prepared(const std::shared_ptr<const Dataset>& dataset,
                               const JobContext& context) {
    const std::lock_guard lock(mutex);
    if (map && of.lock() == dataset) return *map;
    map.reset();
    const std::vector<float>& values = dataset->values().pixels().values;
    auto made = PreparedMap::create(values, dataset->size().z, {}, context);
    if (made && made->bytes() <= kMostKept) {
      map = *made;
      of = dataset;
    }
    return made;
  }
};

ReprojectionBox::ReprojectionBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), kept_(std::make_shared<Kept>()) {
  setObjectName(QStringLiteral("reprojection_box"));
  build();
  connect(&document_.items(), &ItemList::current_changed, this, &ReprojectionBox::renew);
  connect(&document_.items(), &ItemList::items_changed, this, &ReprojectionBox::renew);
  connect(&document_.view(), &ViewState::crosshair_changed, this, &ReprojectionBox::renew);
  connect(&document_.items(), &ItemList::data_changed, this, &ReprojectionBox::renew);
  connect(maps_, &QComboBox::activated, this, [this](int index) {
    chosen_ = maps_->itemData(index).toULongLong();
    renew();
  });
  renew();
}

void ReprojectionBox::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  maps_ = new QComboBox(this);
  maps_->setObjectName(QStringLiteral("reprojection_map"));
  maps_->setAccessibleName(tr("Map that is projected"));
  maps_->setToolTip(
      tr("The map that the image is compared with: its projection along the image's "
         "orientation is on the right"));
  maps_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  column->addWidget(maps_);
  pictures_ = new QWidget(this);
  auto* row = new QHBoxLayout(pictures_);
  row->setContentsMargins(0, 0, 0, 0);
  const auto picture = [&](const char* name, const QString& says) {
    auto* label = new QLabel(pictures_);
    label->setObjectName(QLatin1String(name));
    label->setAccessibleName(says);
    label->setToolTip(says);
    label->setFixedSize(kSide, kSide);
    row->addWidget(label);
    return label;
  };
  recorded_ = picture("reprojection_image", tr("The image as it was recorded"));
  projected_ = picture(
      "reprojection_projection",
      tr("The projection of the map along the image's orientation, with its shift and CTF"));
  row->addStretch(1);
  column->addWidget(pictures_);
  words_ = new ElidedLabel(this);
  words_->setObjectName(QStringLiteral("reprojection_words"));
  words_->setProperty("muted", true);
  correlate_ = new QPushButton(tr("Correlate all"), this);
  correlate_->setObjectName(QStringLiteral("reprojection_all"));
  correlate_->setProperty("link", true);
  correlate_->setToolTip(
      tr("Correlates every image with the map in the background: a column of the table"));
  connect(correlate_, &QPushButton::clicked, this, &ReprojectionBox::correlate_all);
  auto* last = new QHBoxLayout;
  last->setContentsMargins(0, 0, 0, 0);
  last->addWidget(words_, 1);
  last->addWidget(correlate_);
  column->addLayout(last);
}

void ReprojectionBox::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew();
}

void ReprojectionBox::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  forget();
  // A running job that uses the old spectrum frees it at its end.
  kept_ = std::make_shared<Kept>();
}

// Cancels the request that is being computed.
void ReprojectionBox::forget() {
  ++newest_;
  shown_ = {};
  if (job_ != 0) document_.background().cancel(std::exchange(job_, 0));
  correlation_.reset();
}

void ReprojectionBox::correlate_all() {
  const Item* set = document_.items().current();
  const Item* map = document_.items().find(maps_->currentData().toULongLong());
  if (correlating_ != 0 || projections_of(set) == nullptr || map == nullptr) return;
  using Found = Result<std::vector<double>>;
  correlate_->setEnabled(false);
  correlating_ = document_.jobs().post(
      Lane::full, tr("Correlate with %1").arg(document_.items().full_name(map->id)), {}, this,
      [set = set->dataset, map = map->dataset](const JobContext& context) -> Found {
        const Projections projections = projections_with_typed_size(*set);
        const auto rows = static_cast<std::int64_t>(projections.table.rows.size());
        if (Status ok = check_memory(reprojection_bytes(map->size().z, rows), *map); !ok) {
          return ok.error();
        }
        return reprojection_correlations(map->values().pixels().values, map->size().z, projections,
                                         context);
      },
      [this, of = set->id, voxel = set->dataset->voxel()](const Found& found) {
        correlating_ = 0;
        correlate_->setEnabled(true);
        if (!found) {
          document_.messages().say(found.error());
          return;
        }
        all_ = Correlations{of, voxel, *found};
        emit correlated();
      });
}

void ReprojectionBox::list_maps(const Item& set) {
  const std::int64_t side = projections_of(&set)->table.side;
  const QSignalBlocker quiet(maps_);
  maps_->clear();
  std::uint64_t shown = 0;
  for (const Item& item : document_.items().all()) {
    if (!is_map(item, side)) continue;
    maps_->addItem(document_.items().full_name(item.id), QVariant::fromValue<qulonglong>(item.id));
    if (item.dataset->volume().reconstruction && item.parent == set.id) shown = item.id;
  }
  if (maps_->findData(QVariant::fromValue<qulonglong>(chosen_)) >= 0) shown = chosen_;
  const int at = maps_->findData(QVariant::fromValue<qulonglong>(shown));
  maps_->setCurrentIndex(std::max(at, 0));
}

void ReprojectionBox::renew() {
  const Item* set = document_.items().current();
  const Projections* projections = projections_of(set);
  if (projections != nullptr) list_maps(*set);
  const bool any = projections != nullptr && maps_->count() > 0;
  maps_->setVisible(any);
  pictures_->setVisible(any);
  words_->setVisible(any);
  correlate_->setVisible(any);
  const auto row = static_cast<std::size_t>(
      set != nullptr ? shown_row(*set, document_.view().crosshair().z) : -1);
  const Item* map = any ? document_.items().find(maps_->currentData().toULongLong()) : nullptr;
  if (map == nullptr || !isVisible() || row >= projections->table.rows.size()) return forget();
  // The crosshair may have moved within the same image: then nothing changes.
  const Shown now{set->dataset, map->dataset, row};
  if (now == shown_) return;
  forget();
  shown_ = now;
  using Found = Result<std::shared_ptr<const Reprojection>>;
  job_ = document_.background().post(
      Lane::preview, tr("Projecting the map"), "reprojection", this,
      [set = set->dataset, map = map->dataset, row,
       kept = kept_](const JobContext& context) -> Found {
        if (Status ok = check_memory(reprojection_bytes(map->size().z, 1), *map); !ok) {
          return ok.error();
        }
        return with_memory_errors(map->name(), [&]() -> Found {
          const auto prepared = kept->prepared(map, context);
          if (!prepared) return prepared.error();
          auto made = reproject(*prepared, projections_with_typed_size(*set), row, context);
          if (!made) return made.error();
          return std::make_shared<const Reprojection>(*std::move(made));
        });
      },
      [this, row, request = newest_](const Found& found) {
        if (request != newest_) return;
        job_ = 0;
        if (found) {
          show_result(**found);
          words_->setText(tr("Image %L1 and the map: correlation %2")
                              .arg(row + 1)
                              .arg((*found)->correlation, 0, 'f', 3));
        } else if (!found.error().cancelled()) {
          recorded_->clear();
          projected_->clear();
          words_->setText(QString::fromStdString(found.error().message()));
        }
      });
}

void ReprojectionBox::show_result(const Reprojection& found) {
  image_ = picture_of(found.image, found.side);
  projection_ = picture_of(found.projection, found.side);
  recorded_->setPixmap(enlarged(image_));
  projected_->setPixmap(enlarged(projection_));
  correlation_ = found.correlation;
}

}  // namespace aprscope::gui
