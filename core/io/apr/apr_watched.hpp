#pragma once

#include <exception>

#include "core/io/common/file_watch.hpp"
#include "core/io/common/source_info.hpp"

// Private to core/io: parts of .apr files that are read while nobody changes them.

namespace aprscope {

/// The result of `load()`. Errors: also a file that changed meanwhile, or too little memory.
template <class Load>
auto load_watched(const SourceInfo& info, const Load& load) -> decltype(load()) {
  try {
    const auto watch = FileWatch::begin(info.path);
    if (!watch) return watch.error();
    auto part = load();
    // An error of reading may come from a change of the file: report the change instead.
    if (Status same = watch->unchanged(); !same && (part || !part.error().cancelled())) {
      return same.error();
    }
    return part;
  } catch (const std::exception&) {
    // Exceptions here can only mean that memory is short.
    return Error{"does not fit into memory", info.path.string(),
                 "take a smaller region or a coarser level"};
  }
}

}  // namespace aprscope
