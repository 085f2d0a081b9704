#include "runner/capabilities/lab_client_sessions.hpp"

namespace holdfast {
namespace {

constexpr unsigned kServerBits = 56;

std::uint64_t number_of(std::uint64_t session) {
  return session & ((std::uint64_t{1} << kServerBits) - 1);
}

std::uint32_t server_of_session(std::uint64_t session) {
  return static_cast<std::uint32_t>(session >> kServerBits);
}

}  // namespace

// Several servers number their sessions alike: the server's own number goes with the session's.
std::vector<std::uint64_t> LabClientSessions::of(std::uint32_t client) const {
  const std::uint64_t server = server_of_client(lab_.servers(), plan_.load, client);
  std::vector<std::uint64_t> out;
  for (const auto& session : page_.clients.at(client).connections) {
    if (const std::uint64_t number = session.load(); number != 0) out.push_back(number | server << kServerBits);
  }
  return out;
}

void LabClientSessions::end(std::uint64_t session) {
  const std::lock_guard guard(mutex_);
  lab_.lock_server().end_connection(number_of(session), server_of_session(session));
}

bool LabClientSessions::alive(std::uint64_t session) {
  const std::lock_guard guard(mutex_);
  return lab_.lock_server().connection_alive(number_of(session), server_of_session(session));
}

}  // namespace holdfast
