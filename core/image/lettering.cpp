#include "core/image/lettering.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <ft2build.h>
#include FT_FREETYPE_H

// The font file, put into the program where it is assembled.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".global aprscope_font_begin\n"
    "aprscope_font_begin:\n"
    ".incbin \"" APRSCOPE_FONT_FILE
    "\"\n"
    ".global aprscope_font_end\n"
    "aprscope_font_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const unsigned char aprscope_font_begin[];
extern "C" const unsigned char aprscope_font_end[];

namespace aprscope {
namespace {

// The characters of a UTF-8 text; bytes that are not UTF-8 count as U+FFFD.
std::vector<std::uint32_t> characters(const std::string& text) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const int more = first < 0x80    ? 0
                     : first >= 0xF0 ? 3
                     : first >= 0xE0 ? 2
                     : first >= 0xC0 ? 1
                                     : -1;
    std::uint32_t code = more <= 0 ? first : first & (0x3FU >> static_cast<unsigned>(more));
    bool sound = more >= 0;
    for (int k = 0; k < more && sound; ++k) {
      sound = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
      if (sound) code = code << 6U | (static_cast<unsigned char>(text[i++]) & 0x3FU);
    }
    out.push_back(sound ? code : 0xFFFD);
  }
  return out;
}

std::string first_characters(const std::string& text, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t n = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && n++ == count) break;
  }
  return text.substr(0, end);
}

}  // namespace

struct Lettering::Impl {
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (face != nullptr) FT_Done_Face(face);
    if (library != nullptr) FT_Done_FreeType(library);
  }

  // Calls `use` with each glyph, its place on the line and its column.
  template <class Use>
  int walk(const std::string& text, FT_Int32 how, const Use& use) const {
    FT_Pos at = 0;
    for (const std::uint32_t code : characters(text)) {
      if (FT_Load_Char(face, code, how) != 0) continue;
      use(*face->glyph, static_cast<int>(at >> 6));
      at += face->glyph->advance.x;
    }
    return static_cast<int>((at + 63) >> 6);
  }
};

Lettering::Lettering(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Lettering::Lettering(Lettering&&) noexcept = default;
Lettering& Lettering::operator=(Lettering&&) noexcept = default;
Lettering::~Lettering() = default;

Result<Lettering> Lettering::create(int pixels) {
  const auto failed = [](const char* what, FT_Error code) {
    return Error{std::string(what) + " (FreeType error " + std::to_string(code) + ")", "lettering",
                 "please report this"};
  };
  auto impl = std::make_unique<Impl>();
  if (const FT_Error code = FT_Init_FreeType(&impl->library); code != 0) {
    return failed("fonts cannot be used", code);
  }
  const auto size = static_cast<FT_Long>(aprscope_font_end - aprscope_font_begin);
  FT_Error code = FT_New_Memory_Face(impl->library, aprscope_font_begin, size, 0, &impl->face);
  if (code == 0) code = FT_Set_Pixel_Sizes(impl->face, 0, static_cast<FT_UInt>(pixels));
  if (code != 0) return failed("the font cannot be read", code);
  return Lettering(std::move(impl));
}

int Lettering::width(const std::string& text) const {
  return impl_->walk(text, FT_LOAD_DEFAULT, [](const FT_GlyphSlotRec&, int) {});
}

int Lettering::line_height() const {
  return static_cast<int>(impl_->face->size->metrics.height >> 6);
}

void Lettering::draw(Picture& picture, const std::string& text, int left, int top,
                     Rgba color) const {
  const int base = top + static_cast<int>(impl_->face->size->metrics.ascender >> 6);
  impl_->walk(text, FT_LOAD_RENDER, [&](const FT_GlyphSlotRec& glyph, int at) {
    const FT_Bitmap& bitmap = glyph.bitmap;
    for (unsigned row = 0; row < bitmap.rows; ++row) {
      const unsigned char* line = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
      for (unsigned column = 0; column < bitmap.width; ++column) {
        picture.blend(left + at + glyph.bitmap_left + static_cast<int>(column),
                      base - glyph.bitmap_top + static_cast<int>(row), color, line[column] / 255.0);
      }
    }
  });
}

std::string Lettering::elided(const std::string& text, int room) const {
  if (width(text) <= room) return text;
  std::size_t count = characters(text).size();
  while (count > 0) {
    std::string shorter = first_characters(text, --count) + "…";
    if (width(shorter) <= room) return shorter;
  }
  return "";
}

}  // namespace aprscope
