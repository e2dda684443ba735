#pragma once

#include <QImage>
#include <QWidget>

#include "core/deconvolution/psf/psf.hpp"
#include "core/image/volume.hpp"

namespace aprscope::gui {

/// Two cuts through the middle of a PSF, xy and xz, with the aspect of its voxels and a scale bar.
/// Brightness is the square root of the weight, so that rings are visible beside the peak.
class PsfView : public QWidget {
  Q_OBJECT

 public:
  explicit PsfView(QWidget* parent = nullptr);

  void set_psf(const Stencil& psf, const VoxelSize& voxel);
  /// Shows the PSF in grey while another one is computed.
  void set_stale(bool stale);
  void clear();
  [[nodiscard]] bool empty() const { return xy_.isNull(); }

  [[nodiscard]] QSize sizeHint() const override { return {300, 150}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 130}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_cut(QPainter& painter, const QImage& image, const QRectF& into, double width,
                 double height, const QString& name) const;

  QImage xy_;
  QImage xz_;
  Size3 size_;
  VoxelSize voxel_;
  bool stale_ = false;
};

}  // namespace aprscope::gui
