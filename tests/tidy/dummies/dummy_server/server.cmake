embed(dummy_server FOLDER src/servers/dummy_server PATTERN *.dummy_server TARGET holdfast_servers)
