// The file of --hosts: what it may say, and what is refused where.
#include "hosts/host_list.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;

TEST(HostList, ReadsAllFields) {
  const auto hosts = read_hosts(R"({"nodes": [
    {"run": "ssh -p 22 left"},
    {"name": "right", "run": "docker exec -i 'a b'", "folder": "/opt/x", "server": "[::1]:6379"}]})",
                                "h.json");
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0].name, "ssh -p 22 left");
  EXPECT_EQ(hosts[0].run, (Words{"ssh", "-p", "22", "left"}));
  EXPECT_EQ(hosts[0].folder, "");
  EXPECT_FALSE(hosts[0].server);
  EXPECT_EQ(hosts[1].run, (Words{"docker", "exec", "-i", "a b"}));
  EXPECT_EQ(hosts[1].folder, "/opt/x");
  EXPECT_EQ(hosts[1].server->host, "::1");
  EXPECT_EQ(hosts[1].server->port, 6379U);
}

TEST(HostList, ErrorsNameTheNode) {
  const auto refused = [](const std::string& text) { return refusal([&] { read_hosts(text, "h.json"); }); };
  const auto of_node = [&](const std::string& node) { return refused("{\"nodes\": [\n" + node + "]}"); };
  EXPECT_TRUE(
      contains(refused("{}"), "h.json:1: expected 'nodes', a list of at least one host; remedy: for example {"));
  EXPECT_TRUE(contains(refused(R"({"nodes": []})"), "at least one host"));
  EXPECT_TRUE(contains(refused(R"({"nodes": 3})"), "at least one host"));
  EXPECT_TRUE(contains(refused(R"({"node": [{"run": "a"}]})"), "at least one host"));
  EXPECT_TRUE(contains(of_node("{}"), "h.json:2: nodes[0]"));
  EXPECT_TRUE(contains(of_node(R"({"run": ""})"), "h.json:2: nodes[0].run: the command"));
  EXPECT_TRUE(contains(of_node(R"({"run": "a", "name": ""})"), "nodes[0].name: expected a name"));
  EXPECT_TRUE(contains(of_node(R"({"run": "a", "folder": "x"})"), "nodes[0].folder: expected an absolute path"));
  EXPECT_TRUE(contains(of_node(R"({"run": "a", "fold": "/x"})"), "did you mean 'folder'"));
  EXPECT_TRUE(
      contains(of_node(R"({"run": "a"}, {"run": "a"})"), "a second host 'a'; remedy: give each a unique 'name'"));
  for (const char* server : {"x", "x:", ":1", "x:0", "x:65536", "x:1y", ""}) {
    EXPECT_TRUE(contains(refusal([&] { host_server(server); }), "for example \"10.0.0.5:6379\"")) << server;
  }
}

TEST(HostList, HostsAreTakenInTurn) {
  EXPECT_EQ(host_of_node(2, 0), 0U);
  EXPECT_EQ(host_of_node(2, 3), 1U);
  EXPECT_EQ(host_of_node(1, 9), 0U);
}

}  // namespace
}  // namespace holdfast
