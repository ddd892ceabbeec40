package dev.millrace.command.scaling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How long all processors together have been idle so far. Linux only.
 *
 * <p>The kernel counts what runs in ticks of some milliseconds, by looking now and then, and misses much of threads
 * that run for microseconds between two looks; how long a processor had nothing to do it measures. So what was not idle
 * was busy, also with work for interrupts, which no process is charged with.
 *
 * @param atNs       of the clock of this process
 * @param processors that there are; 0 when the system does not tell
 * @param idleSec    of all, with waiting for disks
 */
record MachineUse(long atNs, int processors, double idleSec)
{
    private static final Path FILE = Path.of("/proc/stat");
    private static final int IDLE = 4;
    private static final int WAITING = 5;
    /** Units in which Linux shows times to programs, whatever its own ticks are. */
    private static final double UNITS_PER_SECOND = 100;
    private static final double NS_PER_SECOND = 1e9;
    private static final double ALL = 100;

    static MachineUse now()
    {
        try
        {
            return Files.isReadable(FILE) ? of(System.nanoTime(), Files.readAllLines(FILE)) : unknown();
        }
        catch (final IOException e)
        {
            return unknown();
        }
    }

    private static MachineUse unknown()
    {
        return new MachineUse(System.nanoTime(), 0, 0);
    }

    /** What the file says: a line for all processors, then one for each. */
    static MachineUse of(final long atNs, final List<String> lines)
    {
        final String[] all = lines.get(0).split("\\s+");
        final long idle = Long.parseLong(all[IDLE]) + Long.parseLong(all[WAITING]);
        final int processors = (int)lines.stream().filter(line -> line.matches("cpu\\d+ .*")).count();
        return new MachineUse(atNs, processors, idle / UNITS_PER_SECOND);
    }

    /** Time since then. */
    double secondsSince(final MachineUse before)
    {
        return (atNs - before.atNs) / NS_PER_SECOND;
    }

    /** Processor time that there was since then, of all processors; NaN when the system does not tell. */
    double thereSecSince(final MachineUse before)
    {
        return processors == 0 ? Double.NaN : processors * secondsSince(before);
    }

    /** Share of the time since then that processors were busy, in percent; NaN when the system does not tell. */
    double busyPercentSince(final MachineUse before)
    {
        final double there = processors * secondsSince(before);
        return there <= 0 ? Double.NaN : Math.max(0, ALL * (1 - (idleSec - before.idleSec) / there));
    }
}
