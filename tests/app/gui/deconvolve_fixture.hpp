#pragma once

#include <QAbstractButton>
#include <memory>

#include "app/gui/document/deconvolution_run.hpp"
#include "app/gui/panels/deconvolve_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace aprscope::gui::test {

/// A window with cells in it and the Deconvolve panel open, and what a hand does there.
class DeconvolveFixture : public QObject {
 protected:
  void open();
  DeconvolvePanel& panel() { return *f_->window->findChild<DeconvolvePanel*>(); }
  QAbstractButton* button(const char* name) {
    return panel().findChild<QAbstractButton*>(QLatin1String(name));
  }
  void choose(const char* kind);
  void type(const char* field, const QString& text);
  bool psf_ready();
  void set_iterations(int n);
  void set_preview(bool on);
  void write(const char* name, const Pixels<float>& pixels);
  /// Presses Deconvolve and waits for the result.
  void run_to_the_end(int iterations);

  std::unique_ptr<WindowFixture> f_;
};

}  // namespace aprscope::gui::test
