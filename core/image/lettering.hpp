#pragma once

#include <memory>
#include <string>

#include "core/base/result.hpp"
#include "core/image/picture.hpp"

namespace aprscope {

/// Writes text into pictures without any window system: a font that is part of the program (DejaVu
/// Sans), drawn by FreeType.
class Lettering {
 public:
  /// Loads the font; `pixels`: height of a line of letters. Errors: those of FreeType.
  static Result<Lettering> create(int pixels);
  Lettering(Lettering&&) noexcept;
  Lettering& operator=(Lettering&&) noexcept;
  ~Lettering();

  /// Width of a text in pixels. Text is UTF-8; signs that the font lacks show as boxes.
  [[nodiscard]] int width(const std::string& text) const;
  /// Distance from one line to the next in pixels.
  [[nodiscard]] int line_height() const;
  /// Draws a line of text whose top left corner is at (left, top).
  void draw(Picture& picture, const std::string& text, int left, int top, Rgba color) const;
  /// The text, cut and ended by "…" where it is wider than `room`.
  [[nodiscard]] std::string elided(const std::string& text, int room) const;

 private:
  struct Impl;
  explicit Lettering(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
