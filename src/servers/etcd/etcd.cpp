// etcd, through its JSON gateway. The lab starts the installed etcd, or the one named by --server etcd=PATH.
#include "servers/etcd/etcd_file.hpp"
#include "servers/etcd/etcd_lock_server.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

std::string_view embedded_etcd(std::string_view name);

namespace {

std::vector<std::string> names(const StatementFile& file) {
  return EtcdFile::parse(file).names();
}

std::vector<std::string> parameters(const StatementFile& file, std::string_view statement) {
  return EtcdFile::parse(file).parameters(statement);
}

}  // namespace

extern const ServerType server_etcd;
const ServerType server_etcd = with_etcd_client({
    .title = "etcd",
    .about = "etcd: commands of etcdctl",
    .form = {.folder = "etcd",
             .comment = "#",
             .fence = "sh",
             .text = embedded_etcd,
             .notes = {"answers"},
             .names = names,
             .parameters = parameters},
    .topologies = {{.name = "single", .about = "one server"},
                   {.name = "cluster",
                    .about = "three etcd servers that elect a leader; the last one leads when the load begins",
                    .servers = 3,
                    .elects = true}},
    .programs = {{.name = "etcd"}},
    .vdso_clock = true,
    .login = {.port = 2379},
    .suite = "scenarios/etcd",
    .protocol = "grpc",
    .requests_repeat = false,
    .plain_lock = "etcd_lease_txn",
});

}  // namespace holdfast
