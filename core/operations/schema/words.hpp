#pragma once

#include <string>
#include <vector>

namespace aprscope::schema {

/// A word of a choice and what it stands for. The table of a choice is an array of these; the first
/// word is the default.
template <class Value>
struct Word {
  const char* word;
  Value value;
};

template <class Value, std::size_t n>
std::vector<std::string> words_of(const Word<Value> (&table)[n]) {
  std::vector<std::string> words;
  for (const Word<Value>& each : table) words.emplace_back(each.word);
  return words;
}

/// The value of a word, which must be in the table, as words of complete operations are.
template <class Value, std::size_t n>
Value value_of(const Word<Value> (&table)[n], const std::string& word) {
  for (const Word<Value>& each : table) {
    if (word == each.word) return each.value;
  }
  return table[0].value;
}

/// The word of a value that is in the table.
template <class Value, std::size_t n>
const char* word_of(const Word<Value> (&table)[n], const Value& value) {
  for (const Word<Value>& each : table) {
    if (value == each.value) return each.word;
  }
  return table[0].word;
}

}  // namespace aprscope::schema
