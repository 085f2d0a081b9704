// A session with a ZooKeeper server that never hangs: the C client's single-threaded interface. Nothing happens between
// two calls: no pings are sent, and no events are handled. So a lock that needs its session must send requests in time,
// and a stopped process has nothing that keeps running.
//
//   ZooKeeperSession session({"10.77.0.2"});
//   session.open(3000);
//   const Reply made = session.run(zookeeper_command({"create", "-e", "/locks/a", "me"}, {"czxid"}));
//
// A session outlives its connection: after a loss the next call reconnects and continues the session, with its nodes.
// Once the server has ended it, every command is refused (`unavailable`) until another session is opened. The client
// library closes a connection if it has received nothing for two thirds of the session's time.
//
// Error numbers are ZooKeeper's without the minus sign: 110 is "node exists".
//
// A command that was sent and not answered throws StatementFailed (indeterminate). Nothing is sent twice.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "servers/zookeeper/zookeeper_file.hpp"
#include "store/session.hpp"

namespace holdfast {

inline constexpr int kZooKeeperPort = 2181;

struct ZooKeeperAddress {
  std::string host;
  int port = kZooKeeperPort;
  std::int64_t timeout_ms = 1000;
};

class ZooKeeperSession {
 public:
  explicit ZooKeeperSession(ZooKeeperAddress address);
  ~ZooKeeperSession();  // ends the session, if it is connected
  ZooKeeperSession(const ZooKeeperSession&) = delete;
  ZooKeeperSession& operator=(const ZooKeeperSession&) = delete;

  // Both throw StatementFailed (definite): nothing can have been done.
  void open(std::int64_t session_ms);  // ends an earlier session, if it is connected
  void connect();                      // if there is a session without a connection

  Reply run(const ZooKeeperCommand& command);  // all commands except `open`
  void drop();                                 // closes the connection; the session stays
  std::uint64_t id() const;                    // the session's number; 0: not connected

 private:
  struct Handle;
  struct Answer;
  Answer ask(const ZooKeeperCommand& command);
  static std::vector<std::vector<Field>> rows_of(const ZooKeeperCommand& command, const Answer& answer);

  ZooKeeperAddress address_;
  std::unique_ptr<Handle> handle_;
};

// One session that runs the commands of a lock's file by name.
class ZooKeeperStatements : public StatementConnection {
 public:
  ZooKeeperStatements(ZooKeeperAddress server, ZooKeeperFile commands)
      : session_(std::move(server)), commands_(std::move(commands)) {}
  void connect() override { session_.connect(); }
  void connect_for(std::string_view statement) override;
  Reply run(std::string_view statement, Params params) override;
  void close() override { session_.drop(); }
  std::uint64_t id() const override { return session_.id(); }

 private:
  ZooKeeperSession session_;
  ZooKeeperFile commands_;
};

}  // namespace holdfast
