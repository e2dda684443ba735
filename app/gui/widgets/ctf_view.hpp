#pragma once

#include <QImage>
#include <QWidget>
#include <optional>

#include "core/projections/ctf.hpp"

namespace aprscope::gui {

/// The effect of the microscope on the spatial frequencies of an image: the contrast transfer
/// function, from 0 in the middle to Nyquist at the border; grey where contrast is lost.
class CtfView : public QWidget {
  Q_OBJECT

 public:
  explicit CtfView(QWidget* parent = nullptr);

  /// None: the CTF is unknown. `pixel_size` in Å.
  void set_ctf(std::optional<Ctf> ctf, double pixel_size);
  [[nodiscard]] const QImage& picture() const { return picture_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QImage picture_;
};

}  // namespace aprscope::gui
