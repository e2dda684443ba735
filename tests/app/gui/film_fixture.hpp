#pragma once

#include <QImage>
#include <vector>

#include "core/apr/convert/conversion.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace aprscope::gui::test {

/// Particles of one time point of a film: other cells at each.
inline Apr film_frame(int time, const Size3& size) {
  SyntheticOptions options;
  options.size = size;
  options.seed = static_cast<std::uint64_t>(time) + 1;
  auto volume = make_synthetic("cells", options);
  if (!volume) qFatal("%s", volume.error().message().c_str());
  auto apr = convert(*volume, {});
  if (!apr) qFatal("%s", apr.error().message().c_str());
  return *std::move(apr);
}

/// A film in one .apr file.
inline void write_film(const QString& path, int times, const Size3& size) {
  std::vector<Apr> film;
  for (int time = 0; time < times; ++time) {
    film.push_back(film_frame(time, size));
    film.back().time = time;
  }
  const Status written = write_apr_series(film, path.toStdString());
  if (!written) qFatal("%s", written.error().message().c_str());
}

/// One time point as the first of a file of its own, in which nothing moves: its window has
/// the same rows below the views, so they are as large.
inline void write_still(const QString& path, const Apr& frame) {
  std::vector<Apr> twice{frame, frame};
  twice.back().time = 1;
  const Status written = write_apr_series(twice, path.toStdString());
  if (!written) qFatal("%s", written.error().message().c_str());
}

/// Shows the current item in a contrast of this test's own, without the captions, which say which
/// file and time point it is, and without a frame around the view that has the keys.
inline void show_plainly(WindowFixture& f) {
  if (QWidget* focused = f.window->focusWidget()) focused->clearFocus();
  ViewOptions options = f.document.view().options();
  options.captions = false;
  f.document.view().set_options(options);
  const Item& item = *f.document.items().current();
  DisplaySettings display = item.display;
  display.contrast = {80.0, 400.0, 1.0};
  f.document.edits().set_display(item.id, display);
}

}  // namespace aprscope::gui::test
