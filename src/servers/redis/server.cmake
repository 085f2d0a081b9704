embed(redis FOLDER redis PATTERN *.redis TARGET holdfast_servers)
embed(redis_schedule FOLDER src/servers/redis PATTERN schedule.sh TARGET holdfast_servers)
