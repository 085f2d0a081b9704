#include "hosts/host_list.hpp"

#include <charconv>
#include <set>

#include "adapter/command_words.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostHosts = 200;  // as many as clients
constexpr const char* kExample = R"({"nodes": [{"run": "ssh HOST"}]})";

// Reports an error in a value with its place in the file.
template <typename Read>
auto at_node(const JsonNode& node, Read read) {
  try {
    return read(node.text);
  } catch (const BadInput& wrong) {
    node.refuse(wrong.what());
  }
}

HostPlace read_host(const JsonNode& node) {
  ObjectReader in(node);
  HostPlace out;
  const std::string run = in.required("run", in.text("run"));
  out.run = at_node(*in.node("run"), command_words);
  out.name = in.text("name").value_or(run);
  if (out.name.empty()) in.node("name")->refuse("expected a name; remedy: leave it out");
  out.folder = in.text("folder").value_or("");
  const bool relative = !out.folder.empty() && out.folder.front() != '/';
  if (relative)
    in.node("folder")->refuse("expected an absolute path on that host; remedy: for example \"/opt/my_lock\"");
  if (in.text("server")) out.server = at_node(*in.node("server"), host_server);
  in.finish();
  return out;
}

}  // namespace

HostServer host_server(const std::string& text) {
  const auto colon = text.rfind(':');
  HostServer out;
  if (colon != std::string::npos && colon > 0) {
    out.host = text.substr(0, colon);
    if (out.host.size() > 2 && out.host.front() == '[' && out.host.back() == ']') {
      out.host = out.host.substr(1, out.host.size() - 2);
    }
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, out.port);
    if (error == std::errc() && rest == end && out.port >= 1 && out.port <= 65'535) return out;
  }
  throw BadInput("expected the server's address as seen from that host; remedy: for example \"10.0.0.5:6379\"");
}

std::vector<HostPlace> read_hosts(const std::string& text, const std::string& file) {
  const JsonNode root = parse_json_text(text, file);
  ObjectReader in(root);
  const JsonNode* nodes = in.node("nodes");
  const std::string remedy = std::string("remedy: for example ") + kExample;
  if (nodes == nullptr || nodes->kind != JsonNode::Kind::array || nodes->items.empty()) {
    (nodes == nullptr ? root : *nodes).refuse("expected 'nodes', a list of at least one host; " + remedy);
  }
  if (nodes->items.size() > kMostHosts) nodes->refuse("at most " + std::to_string(kMostHosts));
  std::vector<HostPlace> out;
  std::set<std::string> names;
  for (const JsonNode& item : nodes->items) {
    out.push_back(read_host(item));
    if (!names.insert(out.back().name).second) {
      item.refuse("a second host '" + out.back().name + "'; remedy: give each a unique 'name'");
    }
  }
  in.finish();
  return out;
}

std::vector<HostPlace> load_hosts(const std::string& file) {
  return read_hosts(read_text_file(file), file);
}

}  // namespace holdfast
