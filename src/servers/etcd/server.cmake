# The client library: libcurl, for etcd's JSON gateway, loaded when it is needed. The files of requests are read without
# it.
optional_server(etcd PACKAGE libcurl LATE libcurl4 SHARED http_connection.cpp
                WITHOUT etcd_file.cpp etcd_request.cpp)
embed(etcd FOLDER etcd PATTERN *.etcd TARGET holdfast_servers)
