// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace hlg::cli {

/** A file's UTF-8 text, or with "-" stdin's; `what` names it in errors, "the prompt". Throws UsageError where it can't be read,
   has more bytes than `most` or is not UTF-8, and CommandError for a Ctrl-C on the way. */
std::string read_text_file(const std::string& path, const std::string& what, std::size_t most);

/** The text, if it is UTF-8: a tokenizer would make something of any bytes, and the model would continue what nobody wrote. */
std::string checked_utf8(std::string text, const std::string& what);

}  // namespace hlg::cli
