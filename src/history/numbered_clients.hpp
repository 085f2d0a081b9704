// Detects whether the clients of a foreign history have their own numbers: then the first line of a client gives one
// (`client`), and observers and faults refer to these numbers, also in earlier lines. Otherwise clients are named as
// their processes.
//
//   LineReader lines(path);
//   if (numbers_clients([&](std::string_view& text) { return lines.next(text); })) rules.clients_are_numbered();
#pragma once

#include <functional>
#include <string_view>

namespace holdfast {

// Number of lines read ahead; later lines are not considered, also when logs are merged.
inline constexpr int kReadAhead = 1024;

// Stops at a broken line, which is reported when it is reached. Throws what `next` throws.
bool numbers_clients(const std::function<bool(std::string_view&)>& next);

}  // namespace holdfast
