#include "servers/etcd/etcd_request.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Words = std::vector<std::string>;

// The decoded text ends with zeros in place of the padding.
std::string from_base64(const std::string& text) {
  std::string out(text.size() / 4 * 3 + 1, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()), reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size()));
  if (length < 0) throw BadInput("a text is not in base64");
  const auto padding = static_cast<int>(std::min<std::size_t>(2, text.size() - text.find_last_not_of('=') - 1));
  out.resize(static_cast<std::size_t>(text.empty() ? 0 : length - padding));
  return out;
}

std::string in_base(const std::string& digits, int from, int to) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, from);
  if (digits.empty() || stop != digits.data() + digits.size() || error != std::errc()) {
    throw BadInput("'" + digits + "' is not a number of base " + std::to_string(from));
  }
  char out[24];
  return {out, std::to_chars(std::begin(out), std::end(out), value, to).ptr};
}

std::string lease_number(const std::string& hex) {
  return in_base(hex, 16, 10);
}

std::string decimal(const std::string& digits) {
  return in_base(digits, 10, 10);
}

// Splits a command after its verb into arguments and options.
struct Taken {
  Words arguments;
  std::vector<std::pair<std::string, std::string>> options;

  std::optional<std::string> option(const std::string& name) const {
    for (const auto& [key, value] : options) {
      if (key == name) return value;
    }
    return std::nullopt;
  }
};

[[noreturn]] void refuse_words(const Words& words, const std::string& why) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "'" : " ") + word;
  throw BadInput(text + "': " + why);
}

// `known`: the allowed options.
Taken take(const Words& words, std::size_t verbs, std::size_t arguments, const std::set<std::string>& known = {}) {
  Taken out;
  for (std::size_t i = verbs; i < words.size(); ++i) {
    if (words[i].rfind("--", 0) != 0) {
      out.arguments.push_back(words[i]);
      continue;
    }
    const auto equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (!known.contains(name)) refuse_words(words, name + " is not supported");
    out.options.emplace_back(name, equals == std::string::npos ? "" : words[i].substr(equals + 1));
  }
  if (out.arguments.size() != arguments) {
    refuse_words(words,
                 std::to_string(arguments) + " arguments are expected, not " + std::to_string(out.arguments.size()));
  }
  return out;
}

// The first key after all keys with this prefix.
std::string after_prefix(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) prefix.pop_back();
  if (prefix.empty()) return std::string(1, '\0');  // no such key: to the end
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

ordered_json put_of(const Words& words) {
  const Taken taken = take(words, 1, 2, {"--lease"});
  ordered_json out{{"key", base64(taken.arguments[0])}, {"value", base64(taken.arguments[1])}};
  if (const auto lease = taken.option("--lease")) out["lease"] = lease_number(*lease);
  return out;
}

ordered_json del_of(const Words& words) {
  return {{"key", base64(take(words, 1, 1).arguments[0])}};
}

ordered_json get_of(const Words& words) {
  const Taken taken = take(words, 1, 1, {"--prefix", "--sort-by", "--order", "--limit", "--consistency"});
  const std::string& key = taken.arguments[0];
  ordered_json out{{"key", base64(key)}};
  if (taken.option("--prefix")) out["range_end"] = base64(after_prefix(key));
  if (const auto by = taken.option("--sort-by")) out["sort_target"] = *by;
  if (const auto order = taken.option("--order")) out["sort_order"] = *order;
  if (const auto limit = taken.option("--limit")) out["limit"] = decimal(*limit);
  if (taken.option("--consistency") == "s") out["serializable"] = true;
  return out;
}

ordered_json compare_of(const EtcdCompare& one) {
  static const std::vector<std::pair<std::string, std::string>> kSigns{
      {"=", "EQUAL"}, {"!=", "NOT_EQUAL"}, {"<", "LESS"}, {">", "GREATER"}};
  const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& s) { return s.first == one.sign; });
  if (sign == kSigns.end()) throw BadInput("'" + one.sign + "' does not compare");
  ordered_json out{{"key", base64(one.key)}, {"result", sign->second}};
  if (one.target == "value") {
    out["target"] = "VALUE";
    out["value"] = base64(one.value);
  } else if (one.target == "create" || one.target == "mod" || one.target == "version") {
    out["target"] = one.target == "create" ? "CREATE" : one.target == "mod" ? "MOD" : "VERSION";
    out[one.target == "version" ? "version" : one.target + "_revision"] = decimal(one.value);
  } else {
    throw BadInput("'" + one.target + "' cannot be compared; create, mod, version and value can");
  }
  return out;
}

ordered_json operations_of(const std::vector<Words>& all) {
  ordered_json out = ordered_json::array();
  for (const Words& words : all) {
    if (words.front() == "put") {
      out.push_back({{"request_put", put_of(words)}});
    } else if (words.front() == "del") {
      out.push_back({{"request_delete_range", del_of(words)}});
    } else {
      refuse_words(words, "a txn can only put and delete");
    }
  }
  return out;
}

ordered_json txn_of(const EtcdCommand& command) {
  take(command.words, 1, 0);
  ordered_json compares = ordered_json::array();
  for (const auto& one : command.compares) compares.push_back(compare_of(one));
  return {
      {"compare", compares}, {"success", operations_of(command.then)}, {"failure", operations_of(command.otherwise)}};
}

EtcdCall lease_call(const Words& words) {
  const std::string verb = words.size() > 1 ? words[1] : "";
  if (verb == "grant") {
    return {"/v3/lease/grant",
            text_of_json(ordered_json{{"TTL", decimal(take(words, 2, 1).arguments[0])}, {"ID", "0"}})};
  }
  if (verb == "keep-alive") {
    const Taken taken = take(words, 2, 1, {"--once"});
    if (!taken.option("--once")) refuse_words(words, "it needs --once: holdfast runs no background keep-alive");
    return {"/v3/lease/keepalive", text_of_json(ordered_json{{"ID", lease_number(taken.arguments[0])}})};
  }
  if (verb != "revoke") refuse_words(words, "only lease grant, lease keep-alive and lease revoke are supported");
  return {"/v3/lease/revoke", text_of_json(ordered_json{{"ID", lease_number(take(words, 2, 1).arguments[0])}})};
}

bool is_in(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Fields in the answer to a command.
std::vector<std::string> fields_of(const Words& words) {
  if (words.front() == "get") return {"key", "value", "create", "mod", "lease"};
  if (words.front() == "lease" && words.at(1) != "revoke") return {"lease", "ttl"};
  return {"revision"};
}

// An integer of the gateway is a text; zero is omitted.
std::string number_in(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return "0";
  return found->is_string() ? found->get<std::string>() : std::to_string(found->get<std::int64_t>());
}

std::string text_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? "" : from_base64(found->get<std::string>());
}

std::int64_t amount(const json& object, const char* name) {
  return std::stoll(number_in(object, name));
}

std::string lease_in(const json& object, const char* name) {
  return in_base(number_in(object, name), 10, 16);
}

std::string field_of(const json& said, const std::string& name, bool of_key) {
  if (name == "key" || name == "value") return text_in(said, name.c_str());
  if (name == "create") return number_in(said, "create_revision");
  if (name == "mod") return number_in(said, "mod_revision");
  if (name == "lease") return lease_in(said, of_key ? "lease" : "ID");
  if (name == "ttl") return number_in(said, "TTL");
  return number_in(said.at("header"), "revision");
}

void add_row(Reply& out, const EtcdCommand& command, const json& said) {
  if (!said.is_object()) throw BadInput("an answer has a " + std::string(said.type_name()) + " instead of an object");
  if (command.answers.empty()) return;
  std::vector<Field> row;
  for (const auto& name : command.answers) row.emplace_back(field_of(said, name, command.words[0] == "get"));
  out.rows.push_back(std::move(row));
}

Reply read_answer(const EtcdCommand& command, const json& said) {
  Reply out;
  const std::string& verb = command.words[0];
  if (verb == "get") {
    out.only_read = true;
    const json pairs = said.value("kvs", json::array());
    if (!pairs.is_array()) throw BadInput("kvs is not an array");
    for (const auto& pair : pairs) add_row(out, command, pair);
  } else if (verb == "txn") {
    out.only_read = !said.value("succeeded", false);
    out.affected = out.only_read ? 0 : 1;
    if (out.affected > 0) add_row(out, command, said);
  } else if (verb == "lease" && command.words[1] == "keep-alive") {
    out.only_read = true;
    const json& result = said.at("result");
    if (amount(result, "TTL") > 0) add_row(out, command, result);
  } else if (verb == "lease" && command.words[1] == "grant") {
    out.only_read = true;
    add_row(out, command, said);
  } else {
    out.affected = verb == "del" ? amount(said, "deleted") : 1;
    add_row(out, command, said);
  }
  return out;
}

// gRPC codes with which etcd answers before a request is processed, or for which no effect is possible: invalid
// argument, not found, already exists, permission denied, resource exhausted (no space, too many requests), failed
// precondition, out of range, unimplemented, unauthenticated. Others may have had an effect: "request timed out" has
// the code of "unavailable".
bool surely_not_done(std::int64_t code) {
  static const std::set<std::int64_t> kSure{3, 5, 6, 7, 8, 9, 11, 12, 16};
  return kSure.contains(code);
}

Reply refusal(const json& said) {
  const json& error = said.at("error");
  const json& of = error.is_object() ? error : said;  // the object within a stream
  const auto code = of.contains("grpc_code") ? amount(of, "grpc_code") : amount(of, "code");
  const std::string message = error.is_object() ? of.value("message", "") : error.get<std::string>();
  if (surely_not_done(code)) return Reply::refused(ErrorKind::unknown, static_cast<int>(code), message);
  const bool late = message.find("timed out") != std::string::npos;
  throw StatementFailed(false, late ? Reason::timeout : Reason::unavailable, static_cast<int>(code), message);
}

}  // namespace

std::string base64(const std::string& bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // plus the zero that OpenSSL appends
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

EtcdCall etcd_call(const EtcdCommand& command) {
  const Words& words = command.words;
  if (words.empty()) throw BadInput("the name of a command is missing");
  EtcdCall out;
  if (words[0] == "get") out = {"/v3/kv/range", text_of_json(get_of(words))};
  if (words[0] == "put") out = {"/v3/kv/put", text_of_json(put_of(words))};
  if (words[0] == "del") out = {"/v3/kv/deleterange", text_of_json(del_of(words))};
  if (words[0] == "txn") out = {"/v3/kv/txn", text_of_json(txn_of(command))};
  if (words[0] == "lease") out = lease_call(words);
  if (out.path.empty()) {
    throw BadInput(unknown_word("command of etcdctl", words[0], {"get", "put", "del", "txn", "lease"}));
  }
  const auto fields = fields_of(words);
  for (const auto& field : command.answers) {
    if (!is_in(fields, field)) throw BadInput(unknown_word("field of an answer to " + words[0], field, fields));
  }
  return out;
}

Reply etcd_reply(const EtcdCommand& command, long status, const std::string& body) {
  std::string why = "HTTP status " + std::to_string(status);
  try {
    const json said = parse_json(body);
    if (said.contains("error")) return refusal(said);
    if (status == 200) return read_answer(command, said);
  } catch (const StatementFailed&) {
    throw;
  } catch (const JsonRefusal& wrong) {
    why += ", but not JSON: " + wrong.why;
  } catch (const std::exception& wrong) {
    why += std::string(": ") + wrong.what();
  }
  throw StatementFailed(false, Reason::other, 0, command.words[0] + ": does not answer like etcd: " + why);
}

}  // namespace holdfast
