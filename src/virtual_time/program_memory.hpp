// Values in the memory of another process. If it has ended, the result is empty or false.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>
#include <optional>

namespace holdfast {

template <typename Value>
std::optional<Value> value_in(pid_t process, std::uint64_t address) {
  Value value{};
  const iovec here{&value, sizeof value};
  const iovec there{reinterpret_cast<void*>(address), sizeof value};
  if (::process_vm_readv(process, &here, 1, &there, 1, 0) != static_cast<ssize_t>(sizeof value)) return std::nullopt;
  return value;
}

// Returns true without writing for a null address: the caller does not want the value.
template <typename Value>
bool put_value(pid_t process, std::uint64_t address, Value value) {
  if (address == 0) return true;
  const iovec here{&value, sizeof value};
  const iovec there{reinterpret_cast<void*>(address), sizeof value};
  return ::process_vm_writev(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(sizeof value);
}

}  // namespace holdfast
