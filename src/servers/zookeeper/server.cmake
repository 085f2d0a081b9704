# The client library: the C client's interface for one thread. The files of commands are read without it.
optional_server(zookeeper LIBRARY zookeeper_st HEADER zookeeper/zookeeper.h WITHOUT zookeeper_file.cpp)
embed(zookeeper FOLDER zookeeper PATTERN *.zookeeper TARGET holdfast_servers)
