# The client library: libcurl, loaded when it is needed. The files of requests are read without it.
optional_server(s3 PACKAGE libcurl LATE libcurl4 SHARED http_connection.cpp WITHOUT s3_file.cpp s3_request.cpp)
embed(s3 FOLDER s3 PATTERN *.s3 TARGET holdfast_servers)
