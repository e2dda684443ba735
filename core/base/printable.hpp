#pragma once

#include <string>
#include <string_view>

namespace aprscope {

/// A text from a file, a library or a user for a terminal or a log, which would obey what stands in
/// it: control characters (C0, DEL, C1), what turns the direction of writing, line separators and
/// bytes that are not UTF-8 become visible escapes (\n, \x1b, \u202e). Everything else is as it
/// was.
std::string printable(std::string_view text);

/// printable() in one line: line breaks become spaces.
std::string printable_line(std::string_view text);

/// The same for JSON that is valid UTF-8: there such characters can stand in strings only and get
/// JSON's own escapes, so that its value stays what it is.
std::string printable_json(std::string_view json);

/// The beginning of a text in at most so many bytes, cut between characters of UTF-8.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

}  // namespace aprscope
