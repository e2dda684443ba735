#pragma once

#include <exception>

#include "core/io/common/file_watch.hpp"
#include "core/io/common/source_info.hpp"

// Private to core/io: parts of .apr files that are read while nobody changes them.

namespace aprscope {

/// What `load()` gives. Errors: also that the file changed meanwhile, or too little memory.
template <class Load>
auto load_watched(const SourceInfo& info, const Load& load) -> decltype(load()) {
  try {
    const auto watch = FileWatch::begin(info.path);
    if (!watch) return watch.error();
    auto part = load();
    // What a file that changes makes of reading it is not the file's fault.
    if (Status same = watch->unchanged(); !same && (part || !part.error().cancelled())) {
      return same.error();
    }
    return part;
  } catch (const std::exception&) {
    // They can only mean that memory is short.
    return Error{"does not fit into memory", info.path.string(),
                 "take a smaller region or a coarser level"};
  }
}

}  // namespace aprscope
