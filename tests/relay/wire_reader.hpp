// Reads a recorded conversation with a protocol of the relay, cut as one likes, and writes down what it took from it.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "relay/wire.hpp"

namespace holdfast {

// A part of a conversation: what one side sent without waiting for the other.
struct Utterance {
  bool by_client;
  std::string bytes;
};

// The number of bytes that come at once; at least one.
using Cuts = std::function<std::size_t(std::size_t left)>;

// One line a message: which side's, how long, what it is. `names`: a request that contains this names a lock.
inline std::string told(const std::string& protocol_name, const std::vector<Utterance>& conversation,
                        const std::string& names, const Cuts& cuts) {
  const auto wire = protocol(protocol_name).make();
  std::string out;
  std::string message[2], overtaking, kept[2];  // kept: what does not say yet what it is
  for (const auto& said : conversation) {
    std::string& its = message[said.by_client ? 1 : 0];
    const std::string all = std::exchange(kept[said.by_client ? 1 : 0], "") + said.bytes;
    for (std::string_view left = all; !left.empty();) {
      std::size_t come = std::clamp<std::size_t>(cuts(left.size()), 1, left.size());
      const auto read = [&] {
        return said.by_client ? wire->from_client(left.substr(0, come)) : wire->from_server(left.substr(0, come));
      };
      Piece piece = read();
      if (!wire->opaque().empty()) return out + "opaque: " + wire->opaque() + "\n";
      if (!said.by_client && !wire->replies_known()) return out + "replies unknown\n";
      while (piece.size == 0 && come < left.size()) {
        ++come;
        piece = read();
        if (!wire->opaque().empty()) return out + "opaque: " + wire->opaque() + "\n";
      }
      if (piece.size == 0) {
        kept[said.by_client ? 1 : 0] = left;
        break;
      }
      std::string& whole = piece.overtakes ? overtaking : its;
      whole += left.substr(0, piece.size);
      left.remove_prefix(piece.size);
      if (!piece.whole) continue;
      out += (said.by_client ? "client " : "server ") + std::to_string(whole.size());
      if (piece.overtakes) out += " overtakes";
      if (piece.request) {
        out += wire->counts(whole, whole.find(names) != std::string::npos) ? " counts" : " passes";
        if (wire->counted() == Counted::in_background) out += " in_background";
        if (wire->ends_transaction()) out += " ends";
        if (wire->repeatable()) out += " repeatable";
      }
      out += std::string(piece.expects_reply ? " asks" : "") + (piece.aside ? " aside" : "");
      if (piece.answers != 0) out += " answers " + std::to_string(piece.answers);
      out += "\n";
      whole.clear();
    }
  }
  return out;
}

}  // namespace holdfast
