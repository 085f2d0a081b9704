// Sockets of the calling process on a node of the lab. Closed at exec. All functions throw HarnessError.
#pragma once

#include <sys/socket.h>

#include <string>

#include "lab/network.hpp"

namespace holdfast {

int socket_on(const Node& node, int kind = SOCK_STREAM | SOCK_NONBLOCK);
int listening_socket(const Node& node, const std::string& address, int port);
int connected_socket(const Node& node, const std::string& address, int port);  // within the kernel's time-out

}  // namespace holdfast
