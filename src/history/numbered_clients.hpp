// Whether the clients of a foreign history have numbers of their own: then the first line of a client says one
// (`client`), and an observer, or a fault, means them, also in lines before that one. Else they are called as their
// processes are.
//
//   LineReader lines(path);
//   if (numbers_clients([&](std::string_view& text) { return lines.next(text); })) rules.clients_are_numbered();
#pragma once

#include <functional>
#include <string_view>

namespace holdfast {

// So many lines are looked at; what comes later is not known yet, here and where logs are merged.
inline constexpr int kReadAhead = 1024;

// A broken line ends the look: it is told when its turn comes. Throws what `next` throws.
bool numbers_clients(const std::function<bool(std::string_view&)>& next);

}  // namespace holdfast
