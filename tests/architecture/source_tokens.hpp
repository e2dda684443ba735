#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aprscope::test {

/// A word, a number, "::", or one other character.
struct Token {
  std::string text;
  int line = 0;
};

/// The tokens of C++ source without comments and preprocessor lines; a text between quotes,
/// whatever it holds, is one token "".
std::vector<Token> tokens_of(std::string_view source);

}  // namespace aprscope::test
