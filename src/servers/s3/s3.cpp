// Object stores with Amazon's S3 interface: writes on condition that an object is missing or unchanged. The lab starts
// versitygw, a gateway to a folder of files, or else moto_server, an emulator in memory; both are installed by
// `./run setup s3`, or named by --server versitygw=PATH.
#include "servers/s3/s3_file.hpp"
#include "servers/s3/s3_lock_server.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

std::string_view embedded_s3(std::string_view name);

namespace {

std::vector<std::string> s3_names(const StatementFile& file) {
  return S3File::parse(file).names();
}

std::vector<std::string> s3_parameters(const StatementFile& file, std::string_view statement) {
  return S3File::parse(file).parameters(statement);
}

}  // namespace

extern const ServerType server_s3;
const ServerType server_s3 = with_s3_client({
    .title = "S3",
    .about = "object stores with Amazon's S3 interface: requests by curl",
    .form = {.folder = "s3",
             .comment = "#",
             .fence = "sh",
             .text = embedded_s3,
             .notes = {"answers"},
             .names = s3_names,
             .parameters = s3_parameters},
    .topologies = {{.name = "single", .about = "one server"}},
    .programs = {{.name = "versitygw"}, {.name = "moto_server"}},
    .vdso_clock = true,
    .login = {.port = 7070},
    .suite = "scenarios/s3",
    .protocol = "http",
    .plain_lock = "s3_store_clock",
});

}  // namespace holdfast
