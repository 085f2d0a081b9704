// Each lock against its file of sql/ or redis/, on a session that answers anything: every statement and parameter that
// the code names is there, and nothing in the file is left unused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "lock/lock.hpp"
#include "servers/etcd/etcd_file.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/redis/redis_file.hpp"
#include "servers/s3/s3_file.hpp"
#include "servers/server_type.hpp"
#include "servers/sql_file.hpp"
#include "servers/zookeeper/zookeeper_file.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

constexpr unsigned kAnswers = 13;
constexpr const char* kOwner = "owner";
constexpr const char* kServerId = "A:";

// A statement with its parameters in place, as text. Throws std::logic_error when one is missing.
using Bind = std::function<std::string(std::string_view, Params)>;

std::string call_of(const EtcdCommand& command) {
  std::string all;
  for (const auto& word : command.words) all += word + "\n";
  for (const auto& one : command.compares) all += one.target + one.key + one.sign + one.value + "\n";
  for (const auto* part : {&command.then, &command.otherwise}) {
    for (const auto& words : *part) {
      for (const auto& word : words) all += word + "\n";
    }
  }
  return all;
}

Bind binding(const std::string& lock) {
  if (std::string(find_entry(locks(), lock)->server) == "redis") {
    return [commands = RedisFile::parse(lock_file(lock))](std::string_view statement, Params params) {
      std::string all;
      for (const auto& argument : commands.bind(statement, params)) all += argument + "\n";
      return all;
    };
  }
  if (find_entry(locks(), lock)->server == "etcd") {
    return [commands = EtcdFile::parse(lock_file(lock))](std::string_view statement, Params params) {
      return call_of(commands.bind(statement, params));
    };
  }
  if (find_entry(locks(), lock)->server == "zookeeper") {
    return [commands = ZooKeeperFile::parse(lock_file(lock))](std::string_view statement, Params params) {
      const ZooKeeperCommand command = commands.bind(statement, params);
      return command.path + "\n" + command.data + "\n" + std::to_string(command.session_ms);
    };
  }
  if (find_entry(locks(), lock)->server == "s3") {
    return [commands = S3File::parse(lock_file(lock))](std::string_view statement, Params params) {
      const S3Command command = commands.bind(statement, params);
      std::string all = command.path + "\n" + command.body + "\n";
      for (const auto& header : command.headers) all += header + "\n";
      return all;
    };
  }
  const bool colons = std::string(find_entry(locks(), lock)->server) == "postgres";
  return [sql = SqlFile::parse(lock_file(lock), colons ? SqlMarks::colon : SqlMarks::at)](std::string_view statement,
                                                                                          Params params) {
    return sql.bind(statement, params, [](const std::string&) { return "''"; });
  };
}

// Calls recorded by the sessions of one lock.
struct Seen {
  std::set<std::string> used;    // statements
  std::set<std::string> unused;  // parameters that are given and in no file
  std::set<std::string> bound;   // statements with the names of their parameters: each is looked at once
};

// Binds what a lock sends and answers with what the next of `answers` says, so that the lock goes down every path.
class ScriptedSession : public Session {
 public:
  ScriptedSession(const Bind& bind, unsigned script, Seen& seen) : bind_(bind), script_(script), seen_(seen) {}

  Reply attempt(std::string_view statement, Params params) override {
    std::string call(statement);
    seen_.used.insert(call);
    for (const auto& param : params) call.append(" @").append(param.name);
    if (seen_.bound.count(call) == 0) {
      look_at(statement, params);
      seen_.bound.insert(call);
    }
    return next_answer();
  }
  std::int64_t now_ns() override { return now_ns_ += 1'000'000'000; }
  std::int64_t steady_ns() override { return steady_ns_ += 1'000'000; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return "10.0.0.1"; }

 private:
  // Without one of its parameters a statement must not be complete, or the file does not use it.
  void look_at(std::string_view statement, Params params) {
    const std::string with_all = bind_(statement, params);
    for (const auto& param : params) {
      if (bind_without(statement, params, param.name) != with_all) continue;
      seen_.unused.insert(std::string(statement) + " @" + std::string(param.name));
    }
  }
  std::string bind_without(std::string_view statement, Params params, std::string_view left_out) const {
    std::vector<Param> rest;
    for (const auto& param : params) {
      if (param.name != left_out) rest.push_back(param);
    }
    try {
      // An initializer_list has a fixed length: twice the first, up to six, covers every lock there is.
      rest.resize(6, rest.empty() ? Param{"no such parameter", nullptr} : rest.front());
      return bind_(statement, {rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]});
    } catch (const std::logic_error&) {
      return "refused";
    }
  }
  Reply next_answer() {
    const unsigned choice = script_ % kAnswers;
    script_ /= kAnswers;
    Reply reply;
    reply.affected = choice == 1 ? 1 : 0;
    if (choice == 2) reply = mysql_refused(kDuplicateKey, "");
    if (choice == 4) reply = mysql_refused(kDeadlock, "");
    if (choice == 3 || choice == 1) reply.rows = {{Field("1"), Field("0"), Field("9"), Field("9")}};
    if (choice == 5) reply.rows = {{Field(address()), Field("0"), Field("0"), Field("0")}};
    if (choice == 6) reply.rows = {{Field(kServerId + std::string(kOwner)), Field("0"), Field("0"), Field("0")}};
    // its own row, which has not expired
    if (choice == 7) reply.rows = {{Field(kOwner), Field("9999999999"), Field("0"), Field("0")}};
    if (choice == 8) reply.rows = {{Field("k0"), Field(kOwner), Field("2100-01-01 00:00:00"), Field("0")}};
    // another's, which has
    if (choice == 9) {
      reply.rows = {{Field("x"), Field("2000-01-01 00:00:00"), Field("2000-01-01 00:00:00"), Field("0")}};
    }
    if (choice == 10) reply = mysql_refused(kNoSuchTable, "");
    // as PostgreSQL writes what is true; then a free object of a store
    if (choice == 11) reply.rows = {{Field("t"), Field("7 -")}};
    if (choice == 12) reply = Reply::refused(ErrorKind::unavailable, 0, "");  // its session has ended
    return reply;
  }

  const Bind& bind_;
  unsigned script_;
  Seen& seen_;
  std::int64_t now_ns_ = 1'700'000'000'000'000'000;
  std::int64_t steady_ns_ = 0;
};

class LockStatements : public testing::TestWithParam<std::string> {};

TEST_P(LockStatements, CodeAndFileAgree) {
  const LockType& type = *find_entry(locks(), GetParam());
  const Bind bind = binding(GetParam());
  Seen seen;
  for (unsigned script = 0; script < kAnswers * kAnswers * kAnswers * kAnswers; ++script) {
    ScriptedSession session(bind, script, seen);
    // Every second script brings a value with the id in it.
    const std::string value = script / kAnswers % 2 == 0 ? kOwner : kServerId + std::string(kOwner);
    Claim claim{"k0", kOwner, 2000, 1, INT64_MAX, kServerId, value};
    const auto lock = type.make();
    for (const int step : {0, 1, 2, 3, 4}) {
      try {
        if (step == 0) lock->acquire(session, claim);
        if (step == 1 && type.renews) lock->renew(session, claim);
        if (step == 2 && type.releases) lock->release(session, claim);
        if (step == 3) lock->start(session, "k0");
        if (step == 4 && type.renews_in_background) lock->background(session, claim);
      } catch (const StatementFailed&) {    // the server's error, as the script has it
      } catch (const std::out_of_range&) {  // a row that a real server always sends
      } catch (const std::bad_optional_access&) {
      } catch (const std::invalid_argument&) {  // a word where a real server has a number
      } catch (const BadInput&) {               // no path where a real server has that of a node
      }
    }
    ASSERT_EQ(seen.unused, std::set<std::string>{}) << "given by the code, not in the file";
  }
  for (const auto& name : statement_names(GetParam()))
    EXPECT_TRUE(name == "schema" || seen.used.count(name) == 1) << name << " is unused";
  EXPECT_FALSE(seen.used.empty());
}

INSTANTIATE_TEST_SUITE_P(Each, LockStatements, testing::ValuesIn(entry_names(locks())),
                         [](const auto& at) { return at.param; });

TEST(SqlFolder, EveryFileSetsAValueForEachParameter) {
  const std::regex parameter("(^|[^@])@([a-z_0-9]+)");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/sql")) {
    const std::string text = read_text_file(entry.path().string());
    const std::string head = text.substr(0, text.find("-- name:"));
    const std::string body = text.substr(text.find("-- name:"));
    for (std::sregex_iterator at(body.begin(), body.end(), parameter), end; at != end; ++at) {
      EXPECT_TRUE(contains(head, "@" + (*at)[2].str() + " =")) << entry.path() << ": SET lacks @" << (*at)[2];
    }
    EXPECT_NO_THROW(SqlFile::parse(text, entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 5);
}

TEST(PostgresFolder, EveryFileSetsAValueForEachParameter) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/postgres")) {
    const std::string path = entry.path().string();
    const std::string text = read_text_file(path);
    const std::string head = text.substr(0, text.find("-- name:"));
    const SqlFile file = SqlFile::parse(text, path, SqlMarks::colon);
    for (const auto& name : file.names()) {
      for (const auto& parameter : file.parameters(name)) {
        EXPECT_TRUE(contains(head, "\\set " + parameter + " ")) << path << ": \\set lacks " << parameter;
      }
    }
    ++files;
  }
  EXPECT_GE(files, 5);
}

TEST(RedisFolder, EveryFileSetsAValueForEachParameter) {
  const std::regex parameter("\"\\$([a-z_0-9]+)\"");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/redis")) {
    const std::string text = read_text_file(entry.path().string());
    const std::string head = text.substr(0, text.find("# name:"));
    const std::string body = text.substr(text.find("# name:"));
    for (std::sregex_iterator at(body.begin(), body.end(), parameter), end; at != end; ++at) {
      EXPECT_TRUE(contains(head, (*at)[1].str() + "=")) << entry.path() << ": no value for " << (*at)[1];
    }
    EXPECT_NO_THROW(RedisFile::parse(text, entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 7);
}

TEST(EtcdFolder, EveryFileSetsAValueForEachParameter) {
  const std::regex parameter("\\$([a-z_0-9]+)");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/etcd")) {
    const std::string text = read_text_file(entry.path().string());
    const std::string head = text.substr(0, text.find("# name:"));
    const std::string body = text.substr(text.find("# name:"));
    for (std::sregex_iterator at(body.begin(), body.end(), parameter), end; at != end; ++at) {
      EXPECT_TRUE(contains(head, (*at)[1].str() + "=")) << entry.path() << ": no value for " << (*at)[1];
    }
    EXPECT_NO_THROW(EtcdFile::parse(text, entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 3);
}

TEST(ZooKeeperFolder, EveryFileSetsAValueForEachParameter) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/zookeeper")) {
    const std::string text = read_text_file(entry.path().string());
    const std::string head = text.substr(0, text.find("# name:"));
    const auto file = ZooKeeperFile::parse(text, entry.path().string());
    for (const auto& name : file.names()) {
      for (const auto& parameter : file.parameters(name)) {
        EXPECT_TRUE(contains(head, parameter + "=")) << entry.path() << ": no value for " << parameter;
      }
    }
    ++files;
  }
  EXPECT_GE(files, 3);
}

TEST(S3Folder, EveryFileSetsAValueForEachParameter) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/s3")) {
    const std::string text = read_text_file(entry.path().string());
    const std::string head = text.substr(0, text.find("# name:"));
    const auto file = S3File::parse(text, entry.path().string());
    for (const auto& name : file.names()) {
      for (const auto& parameter : file.parameters(name)) {
        EXPECT_TRUE(contains(head, parameter + "=")) << entry.path() << ": no value for " << parameter;
      }
    }
    ++files;
  }
  EXPECT_GE(files, 7);
}

TEST(LockRef, NamesALockAndAVariant) {
  EXPECT_EQ(parse_lock_ref("get_lock").lock, "get_lock");
  EXPECT_EQ(parse_lock_ref("get_lock").variant, "");
  EXPECT_EQ(parse_lock_ref("get_lock+found_rows").variant, "found_rows");
  EXPECT_TRUE(
      contains(refusal([] { parse_lock_ref("get_lok"); }), "unknown lock 'get_lok' (did you mean 'get_lock'?)"));
  EXPECT_TRUE(contains(refusal([] { parse_lock_ref("get_lock+fond_rows"); }), "did you mean 'found_rows'?"));
  EXPECT_TRUE(contains(refusal([] { parse_lock_ref("redis_token+found_rows"); }),
                       "a connection to Redis has no variants; remedy: redis_token"));
  EXPECT_TRUE(contains(refusal([] { parse_lock_ref(""); }), "unknown lock ''"));
}

TEST(LockTypes, AreComplete) {
  EXPECT_GE(locks().size(), 4u);
  for (const auto& [name, type] : locks()) {
    ASSERT_NE(type->make, nullptr) << name;
    EXPECT_NE(type->make(), nullptr) << name;
    const auto promises = type->promises();
    EXPECT_EQ(std::count(promises.begin(), promises.end(), "fencing"), type->fenced ? 1 : 0) << name;
  }
}

TEST(LockTypes, NameAKnownServer) {
  for (const auto& [name, type] : locks()) {
    const ServerType* server = find_entry(server_types(), type->server);
    ASSERT_NE(server, nullptr) << name;
    EXPECT_EQ(lock_file(name).path.rfind(server->form.folder, 0), 0u) << name;
  }
}

TEST(EmbeddedStatements, AMissingFileHasNoText) {
  EXPECT_EQ(server_type("mysql").form.text("no_such_lock.sql"), "");
  EXPECT_EQ(server_type("redis").form.text("get_lock.redis"), "") << "its statements are SQL";
  EXPECT_TRUE(SqlFile::parse(server_type("mysql").form.text("resource.sql"), "resource.sql").has("write_fenced"));
  EXPECT_THROW(server_type("redys"), HarnessError);
}

}  // namespace
}  // namespace holdfast
