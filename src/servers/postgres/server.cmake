# The locks' statements are part of each build; the client library is not.
embed(postgres FOLDER postgres PATTERN *.postgres TARGET holdfast_servers)
optional_server(postgres PACKAGE libpq LATE libpq5)
