#include "disk/fuse/disk_requests.hpp"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

using Node = PowerDisk::Node;
using Guard = std::lock_guard<std::mutex>;

constexpr std::uint64_t kFreeBlocks = 1 << 20;  // in units of KeptContent::kPage bytes; a full disk is not modelled
constexpr double kAskAgain_s = 0;               // the kernel does not cache names and sizes: a loss changes them

SharedDisk& shared(fuse_req_t request) {
  return *static_cast<SharedDisk*>(fuse_req_userdata(request));
}

timespec now() {
  timespec out{};
  ::clock_gettime(CLOCK_REALTIME, &out);
  return out;
}

// An open file or folder. Handles opened before the last loss are invalid.
struct Handle {
  std::uint64_t losses = 0;
  std::vector<std::pair<std::string, Node>> names{};  // names of a folder when it was opened
};

Handle& handle_of(const fuse_file_info* file) {
  // libfuse stores this number. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return *reinterpret_cast<Handle*>(file->fh);
}

bool is_dead(const SharedDisk& all, const fuse_file_info* file) {
  return file != nullptr && handle_of(file).losses != all.losses;
}

void open_handle(const SharedDisk& all, fuse_file_info* file) {
  file->fh = reinterpret_cast<std::uint64_t>(new Handle{all.losses});
}

struct stat stat_of(PowerDisk& disk, Node node) {
  const FileAttributes& attributes = disk.attributes(node);
  struct stat out {};
  out.st_ino = node;
  out.st_mode = attributes.mode;
  out.st_uid = attributes.uid;
  out.st_gid = attributes.gid;
  out.st_nlink = S_ISDIR(attributes.mode) ? 2 : disk.links(node);
  out.st_size = static_cast<off_t>(disk.size(node));
  out.st_blksize = KeptContent::kPage;
  out.st_blocks = (out.st_size + 511) / 512;
  out.st_atim = attributes.read;
  out.st_mtim = attributes.written;
  out.st_ctim = attributes.changed;
  return out;
}

// The kernel holds a node from each such answer until it sends a forget.
fuse_entry_param entry_of(PowerDisk& disk, Node node) {
  fuse_entry_param out{};
  out.ino = node;
  out.generation = 1;
  out.attr = stat_of(disk, node);
  out.attr_timeout = kAskAgain_s;
  out.entry_timeout = kAskAgain_s;
  disk.hold(node);
  return out;
}

void answer_found(fuse_req_t request, PowerDisk& disk, const PowerDisk::Found& found) {
  if (found.error != 0) {
    fuse_reply_err(request, found.error);
    return;
  }
  const fuse_entry_param entry = entry_of(disk, found.node);
  fuse_reply_entry(request, &entry);
}

PowerDisk::Found make(fuse_req_t request, Node folder, const char* name, mode_t mode, const std::string& points_to) {
  const fuse_ctx* who = fuse_req_ctx(request);
  const timespec time = now();
  PowerDisk& disk = shared(request).disk;
  const auto made = disk.make(folder, name, {mode, who->uid, who->gid, time, time, time}, points_to);
  if (made.error == 0) disk.attributes(folder).written = disk.attributes(folder).changed = time;
  return made;
}

// Names.

void lookup(fuse_req_t request, fuse_ino_t folder, const char* name) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  answer_found(request, all.disk, all.disk.find(folder, name));
}

void forget(fuse_req_t request, fuse_ino_t node, std::uint64_t times) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  all.disk.let_go(node, times);
  fuse_reply_none(request);
}

void forget_many(fuse_req_t request, std::size_t count, fuse_forget_data* all_of_them) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  for (std::size_t i = 0; i < count; ++i) all.disk.let_go(all_of_them[i].ino, all_of_them[i].nlookup);
  fuse_reply_none(request);
}

void make_node(fuse_req_t request, fuse_ino_t folder, const char* name, mode_t mode, dev_t) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  answer_found(request, all.disk, make(request, folder, name, mode, ""));
}

void make_folder(fuse_req_t request, fuse_ino_t folder, const char* name, mode_t mode) {
  make_node(request, folder, name, S_IFDIR | mode, 0);
}

void make_symbolic_link(fuse_req_t request, const char* points_to, fuse_ino_t folder, const char* name) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  answer_found(request, all.disk, make(request, folder, name, S_IFLNK | 0777, points_to));
}

void read_symbolic_link(fuse_req_t request, fuse_ino_t node) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  fuse_reply_readlink(request, all.disk.points_to(node).c_str());
}

void remove(fuse_req_t request, fuse_ino_t folder, const char* name, bool a_folder) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const int error = all.disk.remove(folder, name, a_folder);
  if (error == 0) all.disk.attributes(folder).written = all.disk.attributes(folder).changed = now();
  fuse_reply_err(request, error);
}

void remove_file(fuse_req_t request, fuse_ino_t folder, const char* name) {
  remove(request, folder, name, false);
}

void remove_folder(fuse_req_t request, fuse_ino_t folder, const char* name) {
  remove(request, folder, name, true);
}

void rename(fuse_req_t request, fuse_ino_t from, const char* name, fuse_ino_t to, const char* new_name,
            unsigned flags) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const bool known = (flags & ~static_cast<unsigned>(RENAME_NOREPLACE)) == 0;
  fuse_reply_err(request, known ? all.disk.rename(from, name, to, new_name, flags == 0) : EINVAL);
}

void link(fuse_req_t request, fuse_ino_t file, fuse_ino_t folder, const char* name) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const int error = all.disk.link(file, folder, name);
  answer_found(request, all.disk, {error, file});
}

// Attributes of a file.

void get_attributes(fuse_req_t request, fuse_ino_t node, fuse_file_info*) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const struct stat found = stat_of(all.disk, node);
  fuse_reply_attr(request, &found, kAskAgain_s);
}

void set_attributes(fuse_req_t request, fuse_ino_t node, struct stat* wanted, int what, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  if (is_dead(all, file)) {
    fuse_reply_err(request, EIO);
    return;
  }
  FileAttributes& attributes = all.disk.attributes(node);
  const auto set = [&](int one) { return (what & one) != 0; };
  if (set(FUSE_SET_ATTR_MODE)) attributes.mode = (attributes.mode & S_IFMT) | (wanted->st_mode & ~S_IFMT);
  if (set(FUSE_SET_ATTR_UID)) attributes.uid = wanted->st_uid;
  if (set(FUSE_SET_ATTR_GID)) attributes.gid = wanted->st_gid;
  if (set(FUSE_SET_ATTR_SIZE)) {
    all.disk.resize(node, static_cast<std::uint64_t>(wanted->st_size));
    attributes.written = now();
  }
  if (set(FUSE_SET_ATTR_ATIME)) attributes.read = set(FUSE_SET_ATTR_ATIME_NOW) ? now() : wanted->st_atim;
  if (set(FUSE_SET_ATTR_MTIME)) attributes.written = set(FUSE_SET_ATTR_MTIME_NOW) ? now() : wanted->st_mtim;
  attributes.changed = now();
  const struct stat found = stat_of(all.disk, node);
  fuse_reply_attr(request, &found, kAskAgain_s);
}

void tell_space(fuse_req_t request, fuse_ino_t) {
  struct statvfs out {};
  out.f_bsize = out.f_frsize = KeptContent::kPage;
  out.f_blocks = 2 * kFreeBlocks;
  out.f_bfree = out.f_bavail = kFreeBlocks;
  out.f_files = out.f_ffree = kFreeBlocks;
  out.f_namemax = 255;
  fuse_reply_statfs(request, &out);
}

// Open files.

void open(fuse_req_t request, fuse_ino_t node, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  if ((file->flags & O_TRUNC) != 0) all.disk.resize(node, 0);
  open_handle(all, file);
  fuse_reply_open(request, file);
}

void create(fuse_req_t request, fuse_ino_t folder, const char* name, mode_t mode, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const auto made = make(request, folder, name, S_IFREG | (mode & ~S_IFMT), "");
  if (made.error != 0) {
    fuse_reply_err(request, made.error);
    return;
  }
  const fuse_entry_param entry = entry_of(all.disk, made.node);
  open_handle(all, file);
  fuse_reply_create(request, &entry, file);
}

void read(fuse_req_t request, fuse_ino_t node, std::size_t size, off_t offset, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  if (is_dead(all, file)) {
    fuse_reply_err(request, EIO);
    return;
  }
  const std::string bytes = all.disk.read(node, static_cast<std::uint64_t>(offset), size);
  fuse_reply_buf(request, bytes.data(), bytes.size());
}

// The kernel combines the flags of the file and of this write. Newer kernels also send a sync after such a write.
void write(fuse_req_t request, fuse_ino_t node, const char* bytes, std::size_t size, off_t offset,
           fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  if (is_dead(all, file)) {
    fuse_reply_err(request, EIO);
    return;
  }
  all.disk.write(node, static_cast<std::uint64_t>(offset), {bytes, size});
  if ((file->flags & O_DSYNC) != 0) all.disk.sync(node);  // O_SYNC has this bit, too
  FileAttributes& attributes = all.disk.attributes(node);
  attributes.written = attributes.changed = now();
  fuse_reply_write(request, size);
}

void sync(fuse_req_t request, fuse_ino_t node, int, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const bool dead = is_dead(all, file);
  if (!dead) all.disk.sync(node);
  fuse_reply_err(request, dead ? EIO : 0);
}

void allocate(fuse_req_t request, fuse_ino_t node, int mode, off_t offset, off_t length, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const auto begin = static_cast<std::uint64_t>(offset);
  const auto end = begin + static_cast<std::uint64_t>(length);
  const bool zeroes = (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0;
  const bool known = (mode & ~(FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) == 0;
  if (is_dead(all, file) || !known) {
    fuse_reply_err(request, known ? EIO : EOPNOTSUPP);
    return;
  }
  if (zeroes) all.disk.zero(node, begin, end - begin);
  if ((mode & FALLOC_FL_KEEP_SIZE) == 0 && end > all.disk.size(node)) all.disk.resize(node, end);
  fuse_reply_err(request, 0);
}

void close(fuse_req_t request, fuse_ino_t, fuse_file_info* file) {
  delete &handle_of(file);
  fuse_reply_err(request, 0);
}

// Folders.

void open_folder(fuse_req_t request, fuse_ino_t node, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  open_handle(all, file);
  auto& names = handle_of(file).names;
  names = all.disk.list(node);
  names.insert(names.begin(), {{".", node}, {"..", node}});
  fuse_reply_open(request, file);
}

void read_folder(fuse_req_t request, fuse_ino_t, std::size_t size, off_t offset, fuse_file_info* file) {
  SharedDisk& all = shared(request);
  const Guard guard(all.mutex);
  const auto& names = handle_of(file).names;
  std::string out(size, '\0');
  std::size_t used = 0;
  for (auto i = static_cast<std::size_t>(offset); i < names.size(); ++i) {
    struct stat entry {};
    entry.st_ino = names[i].second;
    if (all.disk.there(names[i].second)) entry.st_mode = all.disk.attributes(names[i].second).mode;
    const std::size_t length = fuse_add_direntry(request, out.data() + used, size - used, names[i].first.c_str(),
                                                 &entry, static_cast<off_t>(i + 1));
    if (length > size - used) break;  // buffer full: the entry was not added
    used += length;
  }
  fuse_reply_buf(request, out.data(), used);
}

}  // namespace

// Operations left out are done by the kernel (locks), or reported to programs as unsupported (extended attributes).
fuse_lowlevel_ops disk_requests() {
  fuse_lowlevel_ops out{};
  out.lookup = lookup;
  out.forget = forget;
  out.forget_multi = forget_many;
  out.getattr = get_attributes;
  out.setattr = set_attributes;
  out.readlink = read_symbolic_link;
  out.mknod = make_node;
  out.mkdir = make_folder;
  out.unlink = remove_file;
  out.rmdir = remove_folder;
  out.symlink = make_symbolic_link;
  out.rename = rename;
  out.link = link;
  out.open = open;
  out.read = read;
  out.write = write;
  out.release = close;
  out.fsync = sync;
  out.opendir = open_folder;
  out.readdir = read_folder;
  out.releasedir = close;
  out.fsyncdir = sync;
  out.statfs = tell_space;
  out.create = create;
  out.fallocate = allocate;
  return out;
}

}  // namespace holdfast
