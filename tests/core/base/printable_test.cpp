#include "core/base/printable.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using namespace std::string_literals;

TEST(Printable, OrdinaryTextIsLeftAsItIs) {
  for (const char* text : {"", "stack.tif: 12 µm, 64³ ± 0.5", "核 ядро 🔬", "C:\\data\\a.tif"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_line(text), text);
  }
}

TEST(Printable, EveryControlCharacterBecomesVisible) {
  EXPECT_EQ(printable("\x1b]0;owned\x07\x1b[2J"), "\\x1b]0;owned\\x07\\x1b[2J");
  EXPECT_EQ(printable("a\nb\tc\rd\be"), "a\\nb\\tc\\rd\\x08e");
  EXPECT_EQ(printable("a\0b"s), "a\\x00b");
  for (int c = 0; c < 0x20; ++c) {
    EXPECT_EQ(printable(std::string(1, static_cast<char>(c)))[0], '\\') << c;
  }
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  // C1 as characters of UTF-8, which terminals obey like ESC: all 32 of them.
  for (int c = 0x80; c < 0xA0; ++c) {
    EXPECT_EQ(printable("\xc2"s + static_cast<char>(c))[0], '\\') << c;
  }
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");  // the next one is a space
}

TEST(Printable, NothingTurnsTheDirectionOfWriting) {
  EXPECT_EQ(printable("a\u202egnp.exe"), "a\\u202egnp.exe");
  for (const char* mark : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d",
                           "\u2066", "\u2067", "\u2068", "\u2069", "\u2028", "\u2029"}) {
    EXPECT_EQ(printable(mark).substr(0, 2), "\\u");
  }
}

TEST(Printable, BytesThatAreNotUtf8BecomeVisible) {
  EXPECT_EQ(printable("gr\xfc\xdf"), "gr\\xfc\\xdf");
  EXPECT_EQ(printable("\x9b"), "\\x9b");                             // C1 of Latin-1
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");                    // ESC, written too long
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");                    // cut off
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  EXPECT_EQ(printable("\xc2\x1b[2J"), "\\xc2\\x1b[2J");  // what follows is looked at, too
}

TEST(Printable, ALineStaysALine) {
  EXPECT_EQ(printable_line("first\nsecond\x1b"), "first second\\x1b");
}

TEST(Printable, JsonKeepsItsValue) {
  EXPECT_EQ(printable_json("{\n  \"a\": \"x\xc2\x9b\x7f\u202ey µ\"\n}"),
            "{\n  \"a\": \"x\\u009b\\u007f\\u202ey µ\"\n}");
}

TEST(Utf8Prefix, IsCutBetweenCharacters) {
  EXPECT_EQ(utf8_prefix("abc", 5), "abc");
  EXPECT_EQ(utf8_prefix("abc", 2), "ab");
  EXPECT_EQ(utf8_prefix("aµb", 2), "a");
  EXPECT_EQ(utf8_prefix("aµb", 3), "aµ");
  EXPECT_EQ(utf8_prefix("🔬", 3), "");
}

}  // namespace
}  // namespace aprscope
