# Waits for five seconds in several ways, and prints how many milliseconds each took by the wall clock.
begin() { from=$(date +%s%N); }
end() { echo $((($(date +%s%N) - from) / 1000000)); }

begin
sleep 5
end

begin
for each in 1 2 3 4 5; do sleep 1; done
end

begin
sleep 5 &
sleep 2 &
wait
end
