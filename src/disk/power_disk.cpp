#include "disk/power_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kLongestName = 255;

bool is_folder(const FileAttributes& attributes) {
  return S_ISDIR(attributes.mode);
}

}  // namespace

PowerDisk::PowerDisk() : root_(new_inode()) {
  root_->attributes.mode = S_IFDIR | 0755;
  root_->links = 1;
}

// Moved folders may contain each other across the two states.
PowerDisk::~PowerDisk() {
  for (const auto& inode : all()) {
    inode->names.clear();
    inode->kept_names.clear();
  }
}

// The root is the first: kRoot.
std::shared_ptr<PowerDisk::Inode> PowerDisk::new_inode() {
  auto made = std::make_shared<Inode>(nodes_, ++last_);
  nodes_[made->number] = made;
  return made;
}

PowerDisk::Inode& PowerDisk::at(Node node) {
  return *nodes_.at(node).lock();
}

const PowerDisk::Inode& PowerDisk::at(Node node) const {
  return *nodes_.at(node).lock();
}

PowerDisk::Found PowerDisk::find(Node folder, const std::string& name) const {
  const Names& names = at(folder).names;
  const auto found = names.find(name);
  if (found == names.end()) return {ENOENT};
  return {0, found->second->number};
}

// A removed folder accepts no more names.
int PowerDisk::may_name(Node folder, const std::string& name) const {
  const Inode& inode = at(folder);
  if (!is_folder(inode.attributes)) return ENOTDIR;
  if (inode.links == 0) return ENOENT;
  if (name.size() > kLongestName) return ENAMETOOLONG;
  return inode.names.count(name) > 0 ? EEXIST : 0;
}

void PowerDisk::set_name(Inode& folder, const std::string& name, std::shared_ptr<Inode> inode) {
  ++inode->links;
  folder.names[name] = std::move(inode);
  folder.changed_names.insert(name);
}

void PowerDisk::take_name(Inode& folder, const std::string& name) {
  const auto found = folder.names.find(name);
  --found->second->links;
  folder.names.erase(found);
  folder.changed_names.insert(name);
}

PowerDisk::Found PowerDisk::make(Node folder, const std::string& name, const FileAttributes& attributes,
                                 const std::string& points_to) {
  if (const int error = may_name(folder, name)) return {error};
  const auto made = new_inode();
  made->attributes = attributes;
  made->points_to = points_to;
  set_name(at(folder), name, made);
  return {0, made->number};
}

int PowerDisk::link(Node file, Node folder, const std::string& name) {
  if (is_folder(at(file).attributes)) return EPERM;
  if (const int error = may_name(folder, name)) return error;
  set_name(at(folder), name, shared(file));
  return 0;
}

int PowerDisk::remove(Node folder, const std::string& name, bool a_folder) {
  const Found found = find(folder, name);
  if (found.error != 0) return found.error;
  const Inode& there = at(found.node);
  if (a_folder != is_folder(there.attributes)) return a_folder ? ENOTDIR : EISDIR;
  if (!there.names.empty()) return ENOTEMPTY;
  take_name(at(folder), name);
  return 0;
}

bool PowerDisk::is_below(const Inode& folder, Node node) const {
  if (folder.number == node) return true;
  return std::any_of(folder.names.begin(), folder.names.end(),
                     [&](const auto& entry) { return is_below(*entry.second, node); });
}

int PowerDisk::may_replace(const Inode& moved, const Inode& there) const {
  if (is_folder(moved.attributes) && !is_folder(there.attributes)) return ENOTDIR;
  if (!is_folder(moved.attributes) && is_folder(there.attributes)) return EISDIR;
  return there.names.empty() ? 0 : ENOTEMPTY;
}

int PowerDisk::rename(Node from, const std::string& name, Node to, const std::string& new_name, bool may_replace_it) {
  const Found moved = find(from, name);
  if (moved.error != 0) return moved.error;
  if (is_folder(at(moved.node).attributes) && is_below(at(moved.node), to)) return EINVAL;
  const int taken = may_name(to, new_name);
  if (taken != 0 && (taken != EEXIST || !may_replace_it)) return taken;
  const auto inode = shared(moved.node);
  if (taken == EEXIST) {
    const Found there = find(to, new_name);
    if (there.node == moved.node) return 0;  // two names of one file: no change
    if (const int error = may_replace(*inode, at(there.node))) return error;
    take_name(at(to), new_name);
  }
  set_name(at(to), new_name, inode);
  take_name(at(from), name);
  if (from != to) {
    tied_[from].insert(to);
    tied_[to].insert(from);
  }
  return 0;
}

std::vector<std::pair<std::string, PowerDisk::Node>> PowerDisk::list(Node folder) const {
  std::vector<std::pair<std::string, Node>> out;
  for (const auto& [name, inode] : at(folder).names) out.emplace_back(name, inode->number);
  return out;
}

void PowerDisk::hold(Node node) {
  auto& [inode, times] = held_[node];
  if (!inode) inode = shared(node);
  ++times;
}

void PowerDisk::let_go(Node node, std::uint64_t times) {
  const auto found = held_.find(node);
  if (found == held_.end()) return;
  auto& count = found->second.second;
  count -= std::min(count, times);
  if (count == 0) held_.erase(found);
}

std::vector<PowerDisk::Node> PowerDisk::held() const {
  std::vector<Node> out;
  for (const auto& [node, how] : held_) out.push_back(node);
  return out;
}

std::uint64_t PowerDisk::links(Node node) const {
  return at(node).links;
}

std::uint64_t PowerDisk::size(Node node) const {
  const Inode& inode = at(node);
  return inode.points_to.empty() ? inode.content.size() : inode.points_to.size();
}

std::string PowerDisk::read(Node node, std::uint64_t offset, std::uint64_t length) const {
  return at(node).content.read(offset, length);
}

void PowerDisk::write(Node node, std::uint64_t offset, std::string_view bytes) {
  at(node).content.write(offset, bytes);
}

void PowerDisk::resize(Node node, std::uint64_t size) {
  at(node).content.resize(size);
}

void PowerDisk::zero(Node node, std::uint64_t offset, std::uint64_t length) {
  at(node).content.zero(offset, length);
}

void PowerDisk::sync_names(Inode& folder) {
  for (const auto& name : std::exchange(folder.changed_names, {})) {
    const auto found = folder.names.find(name);
    if (found == folder.names.end()) {
      folder.kept_names.erase(name);
    } else {
      folder.kept_names[name] = found->second;
    }
  }
}

// Syncs the node and all folders tied to it by renames.
void PowerDisk::sync(Node node) {
  at(node).content.sync();
  std::vector<Node> next{node};
  while (!next.empty()) {
    const Node one = next.back();
    next.pop_back();
    if (there(one)) sync_names(*shared(one));  // held during the loop: a dropped name may have been the last reference
    const auto tied = tied_.extract(one);
    if (!tied.empty()) next.insert(next.end(), tied.mapped().begin(), tied.mapped().end());
  }
}

std::vector<std::shared_ptr<PowerDisk::Inode>> PowerDisk::all() const {
  std::vector<std::shared_ptr<Inode>> out;
  for (const auto& [node, weak] : nodes_) {
    if (auto inode = weak.lock()) out.push_back(std::move(inode));
  }
  return out;
}

void PowerDisk::sync_all() {
  for (const auto& inode : all()) sync(inode->number);
}

// Reached by names in either state.
std::set<const PowerDisk::Inode*> PowerDisk::named() const {
  std::set<const Inode*> seen{root_.get()};
  std::vector<const Inode*> next{root_.get()};
  while (!next.empty()) {
    const Inode* folder = next.back();
    next.pop_back();
    for (const Names* names : {&folder->names, &folder->kept_names}) {
      for (const auto& [name, inode] : *names) {
        if (seen.insert(inode.get()).second) next.push_back(inode.get());
      }
    }
  }
  return seen;
}

Unsynced PowerDisk::unsynced() const {
  Unsynced out;
  for (const Inode* inode : named()) {
    out.bytes += inode->content.unsynced_bytes();
    for (const auto& name : inode->changed_names) {
      const auto now = inode->names.find(name);
      const auto kept = inode->kept_names.find(name);
      const Inode* seen = now == inode->names.end() ? nullptr : now->second.get();
      const Inode* on_disk = kept == inode->kept_names.end() ? nullptr : kept->second.get();
      if (seen != on_disk) ++out.names;
    }
  }
  return out;
}

// All inodes reachable from the root by names on the disk.
std::set<const PowerDisk::Inode*> PowerDisk::count_links_on_disk() {
  for (const auto& inode : all()) inode->links = 0;
  root_->links = 1;
  std::set<const Inode*> on_disk{root_.get()};
  std::vector<Inode*> next{root_.get()};
  while (!next.empty()) {
    const Inode& folder = *next.back();
    next.pop_back();
    for (const auto& [name, inode] : folder.kept_names) {
      ++inode->links;
      if (on_disk.insert(inode.get()).second) next.push_back(inode.get());
    }
  }
  return on_disk;
}

Unsynced PowerDisk::lose() {
  const Unsynced out = unsynced();
  const auto on_disk = count_links_on_disk();
  tied_.clear();
  for (const auto& inode : all()) {
    if (on_disk.count(inode.get()) == 0) inode->kept_names.clear();
    inode->names = inode->kept_names;
    inode->changed_names.clear();
    inode->content.lose();
  }
  return out;
}

std::uint64_t PowerDisk::names() const {
  std::uint64_t out = 0;
  for (const Inode* inode : named()) out += inode->links > 0 ? inode->names.size() : 0;
  return out;
}

}  // namespace holdfast
