// Redis, stepped. The server's wall clock is frozen (src/preload) at the scheduler's time, so keys expire exactly then.
// Redis has neither waiting transactions nor session locks, so a session holds nothing.
//
// Redis measures time in milliseconds: a lease is over a millisecond after its end, not a microsecond.
//
// Several independent servers are represented by as many databases of one: no schedule strikes a server, so there is no
// visible difference.
#include "servers/redis/redis_store.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/placed_statement.hpp"
#include "lab/process.hpp"
#include "lab/server_clock.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/redis/redis_file.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

// Those that locks use. Source: Redis's documentation, flag CMD_READONLY.
constexpr std::array<std::string_view, 23> kReads = {
    "DUMP",    "EVALSHA_RO", "EVAL_RO",  "EXISTS", "EXPIRETIME", "GET",    "HEXISTS", "HGET",
    "HGETALL", "HLEN",       "HMGET",    "HVALS",  "LLEN",       "LRANGE", "MGET",    "PEXPIRETIME",
    "PTTL",    "SISMEMBER",  "SMEMBERS", "STRLEN", "TTL",        "TYPE",   "ZSCORE"};

constexpr std::int64_t kStorePatience_ms = 10'000;
// Each key with its value and expiry time.
constexpr const char* kContent = R"(
  local out, keys = {}, redis.call('keys', '*')
  table.sort(keys)
  for _, key in ipairs(keys) do
    out[#out + 1] = key
    out[#out + 1] = redis.call('dump', key) or ''
    out[#out + 1] = tostring(redis.call('pexpiretime', key))
  end
  return out)";

// A key still exists in the millisecond of its end.
std::int64_t gone_after_us(std::int64_t expires_ms) {
  return expires_ms < 0 ? StoredRow{}.gone_after_us : expires_ms * 1000 + 999;
}

std::string shown(const std::vector<std::string>& arguments) {
  std::string out;
  for (const auto& argument : arguments) {
    const bool plain = !argument.empty() && argument.find_first_of(" \n'\"") == std::string::npos;
    out += (out.empty() ? "" : " ") + (plain ? argument : "'" + argument + "'");
  }
  return out;
}

// Commands that may block their connection. Source: Redis's documentation, flag CMD_BLOCKING.
bool blocks(const std::vector<std::string>& arguments) {
  const std::string verb = verb_of(arguments);
  const char* const blocking[] = {"BLPOP",    "BRPOP",    "BRPOPLPUSH", "BLMOVE", "BLMPOP",
                                  "BZPOPMIN", "BZPOPMAX", "BZMPOP",     "WAIT",   "WAITAOF"};
  if (std::find(std::begin(blocking), std::end(blocking), verb) != std::end(blocking)) return true;
  const bool stream = verb == "XREAD" || verb == "XREADGROUP";
  return stream && std::find(arguments.begin(), arguments.end(), "BLOCK") != arguments.end();
}

RedisAddress address_of(const std::string& host, int port, std::uint32_t server) {
  RedisAddress out;
  out.database = static_cast<int>(server);
  out.host = host;
  out.port = port;
  out.timeout_ms = kStorePatience_ms;
  return out;
}

class RedisStore : public SteppedStore {
 public:
  RedisStore(const StoreSpec& spec, const std::string& host, int port, ServerClock& clock)
      : commands_(RedisFile::parse(spec.file)), clock_(clock), sessions_(spec.sessions) {
    for (std::uint32_t server = 0; server < spec.servers; ++server) {
      const RedisAddress address = address_of(host, port, server);
      beside_.emplace_back(address);
      for (auto& session : sessions_) session.emplace_back(address);
    }
  }

  void begin(std::int64_t now_us, Beginning) override {
    set_time(now_us);
    must(beside_.front().command({"FLUSHALL"}));
  }

  Command bind(std::size_t, std::string_view statement, Params params) override {
    const PlacedStatement where = placed(statement);
    Command out{std::string(statement), "", commands_.bind(where.name, params)};
    out.text = shown(out.arguments);
    if (servers() > 1) out.text += " at server " + std::to_string(where.server);
    if (blocks(out.arguments)) {
      throw Unavailable("explore cannot simulate '" + out.text +
                        "': it waits at the server; remedy: poll in the lock's own code, or test it with holdfast run");
    }
    return out;
  }

  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override {
    set_time(now_us);
    Executed out;
    out.reply = sessions_[session].at(placed(command.statement).server).command(command.arguments);
    out.read = out.reply.only_read;
    out.changed = !only_asks(command.arguments);  // the answer of GETSET, HSET or a script does not show its changes
    return out;
  }

  void end_session(std::size_t) override {}
  bool holds_session(std::size_t) const override { return false; }
  bool empties() const override { return true; }
  std::int64_t tick_us() const override { return 1000; }
  bool tells_whole_seconds() const override { return false; }
  std::optional<std::vector<StoredRow>> content(const std::string&) override {
    std::vector<StoredRow> out;
    for (std::uint32_t server = 0; server < servers(); ++server) add_content(out, server);
    return out;
  }
  std::uint32_t servers() const override { return static_cast<std::uint32_t>(beside_.size()); }

 private:
  void set_time(std::int64_t us) {
    if (us == time_us_) return;
    time_us_ = us;
    clock_.freeze(us * 1000);
  }
  void add_content(std::vector<StoredRow>& out, std::uint32_t server) {
    const Reply reply = beside_[server].command({"EVAL", kContent, "0"});
    must(reply);
    for (std::size_t i = 0; i + 2 < reply.rows.size(); i += 3) {
      const auto text = [&](std::size_t which) { return reply.field(i + which, 0).value_or(""); };
      out.push_back({{text(0), text(1)}, gone_after_us(std::stoll(text(2)))});
      if (servers() > 1) out.back().fields.push_back(std::to_string(server));
    }
  }
  static void must(const Reply& reply) {
    if (!reply.ok()) throw HarnessError("the explorer's Redis: " + reply.message);
  }

  RedisFile commands_;
  ServerClock& clock_;
  std::vector<RedisConnection> beside_;                 // by server
  std::vector<std::vector<RedisConnection>> sessions_;  // each by server
  std::int64_t time_us_ = -1;
};

constexpr const char* kHost = "127.0.0.1";
constexpr int kEnd_ms = 5'000;
constexpr int kDatabases = 8;

// `clock`: the server's own, which is frozen.
std::unique_ptr<SteppedStore> make_redis_store(const StoreSpec& spec, const std::string& host, int port,
                                               ServerClock& clock) {
  return std::make_unique<RedisStore>(spec, host, port, clock);
}

class ExploreRedis : public ExploreServer {
 public:
  explicit ExploreRedis(std::string folder) : folder_(std::move(folder)) {}

  ExploreStores stores_of(const StoreSpec& spec) override {
    return {[this, spec](int worker) {
      need(worker);
      return make_redis_store(spec.of(worker), kHost, kRedisPort + worker,
                              servers_[static_cast<std::size_t>(worker)]->clock);
    }};
  }

  void stop() override {
    for (auto& one : servers_) {
      one->process.signal(SIGKILL);
      one->process.wait(kEnd_ms);
    }
  }

 private:
  struct Frozen {
    ServerClock clock;
    Process process;
  };

  void need(int worker) {
    while (static_cast<int>(servers_.size()) <= worker) {
      const int number = static_cast<int>(servers_.size());
      auto one = std::make_unique<Frozen>();
      RedisSpec spec;
      spec.data = folder_ + "/lab/redis-" + std::to_string(number);
      spec.log = folder_ + "/redis.log";
      spec.persistence = "none";
      spec.port = kRedisPort + number;
      spec.clock = &one->clock;
      spec.databases = kDatabases;
      one->process = start_redis(spec);
      ReadinessProbe probe = kRedisProbe;
      probe.port = spec.port;
      wait_for_answer(kHost, probe, one->process, spec.log, kServerStart_ms);
      servers_.push_back(std::move(one));
    }
  }

  std::string folder_;
  std::vector<std::unique_ptr<Frozen>> servers_;  // by worker
};

}  // namespace

std::string verb_of(const std::vector<std::string>& arguments) {
  std::string verb = arguments.front();
  const auto capital = [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); };
  std::transform(verb.begin(), verb.end(), verb.begin(), capital);
  return verb;
}

bool only_asks(const std::vector<std::string>& arguments) {
  return std::find(kReads.begin(), kReads.end(), verb_of(arguments)) != kReads.end();
}

std::unique_ptr<ExploreServer> explore_redis(const std::string& folder) {
  return std::make_unique<ExploreRedis>(folder);
}

}  // namespace holdfast
