embed(redis FOLDER redis PATTERN *.redis TARGET holdfast_servers)
