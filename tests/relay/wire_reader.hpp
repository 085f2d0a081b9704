// Reads a recorded conversation with a protocol of the relay, cut as one likes, and writes down what it took from it.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "relay/wire.hpp"

namespace holdfast {

// A part of a conversation: what one side sent without waiting for the other.
struct Utterance {
  bool by_client;
  std::string bytes;
};

// How many bytes come at once; at least one.
using Cuts = std::function<std::size_t(std::size_t left)>;

// One line a message: which side's, how long, what it is. `names`: a request that contains this names a lock.
inline std::string told(const std::string& protocol_name, const std::vector<Utterance>& conversation,
                        const std::string& names, const Cuts& cuts) {
  const auto wire = protocol(protocol_name).make();
  std::string out;
  std::string message[2];
  for (const auto& said : conversation) {
    std::string& whole = message[said.by_client ? 1 : 0];
    for (std::string_view left = said.bytes; !left.empty();) {
      const std::string_view come = left.substr(0, std::clamp<std::size_t>(cuts(left.size()), 1, left.size()));
      const Piece piece = said.by_client ? wire->from_client(come) : wire->from_server(come);
      if (!wire->opaque().empty()) return out + "opaque: " + wire->opaque() + "\n";
      if (!said.by_client && !wire->replies_known()) return out + "replies unknown\n";
      whole += come.substr(0, piece.size);
      left.remove_prefix(piece.size);
      if (!piece.whole) continue;
      out += (said.by_client ? "client " : "server ") + std::to_string(whole.size());
      if (piece.request) {
        out += wire->counts(whole, whole.find(names) != std::string::npos) ? " counts" : " passes";
        if (wire->counted() == Counted::in_background) out += " in_background";
        if (wire->ends_transaction()) out += " ends";
        if (wire->repeatable()) out += " repeatable";
      }
      out += std::string(piece.expects_reply ? " asks" : "") + (piece.aside ? " aside" : "");
      if (piece.answers != 0) out += " answers " + std::to_string(piece.answers);
      if (piece.gives_up != 0) out += " gives up " + std::to_string(piece.gives_up);
      out += "\n";
      whole.clear();
    }
  }
  return out;
}

}  // namespace holdfast
