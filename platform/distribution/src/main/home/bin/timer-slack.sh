# Sourced by scripts whose Java has to wake up at a moment. Linux may wake a sleeper later than it asked for, by as much
# as the timer slack of its process: 50 us unless told otherwise. Programs that the script becomes or starts keep what
# is written here. Other systems have no such file, and there is nothing to do.
timer_slack="/proc/$$/timerslack_ns"
if [ -w "$timer_slack" ]; then
    { echo 1000 >"$timer_slack"; } 2>/dev/null || true
fi
