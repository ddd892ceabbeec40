# Sourced by scripts whose Java process must wake up on time. Linux may wake a thread later than requested, by up to the
# timer slack of its process: 50 us by default. Programs that the script executes or starts inherit the value written
# here. On other systems the file does not exist, and this script has no effect.
timer_slack="/proc/$$/timerslack_ns"
if [ -w "$timer_slack" ]; then
    { echo 1000 >"$timer_slack"; } 2>/dev/null || true
fi
