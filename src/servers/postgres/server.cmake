# The locks' statements are part of each build; the client library is not.
embed(postgres FOLDER postgres PATTERN *.postgres TARGET holdfast_servers)
optional_server(postgres PACKAGE libpq LATE libpq5)
embed(postgres_schedule FOLDER src/servers/postgres PATTERN schedule.bash TARGET holdfast_servers)
