#include "core/base/result.hpp"

namespace aprscope {

std::string Error::message() const {
  std::string text;
  if (!where.empty()) text += where + ": ";
  text += what;
  if (!advice.empty()) text += "; " + advice;
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

Error cancelled_error() { return {"cancelled", "", "", ErrorKind::cancelled}; }

}  // namespace aprscope
