package dev.millrace.command.scaling.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Idle time of all processors together. Linux only.
 *
 * <p>The kernel counts running time in ticks of some milliseconds by sampling, and misses much of the time of threads
 * that run for microseconds between two samples. It measures idle time exactly. Therefore the busy time is the time
 * that was not idle; it includes interrupt work, which is not charged to any process.
 *
 * @param atNs       time of the clock of this process
 * @param processors number of processors; 0 when the system does not provide it
 * @param idleSec    idle time of all, including waits for disks
 */
record SystemCpuTime(long atNs, int processors, double idleSec)
{
    private static final Path FILE = Path.of("/proc/stat");
    private static final int IDLE = 4;
    private static final int WAITING = 5;
    /** Units of times in Linux files, regardless of the kernel's ticks. */
    private static final double UNITS_PER_SECOND = 100;
    private static final double NS_PER_SECOND = 1e9;
    private static final double ALL = 100;

    static SystemCpuTime now()
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

    private static SystemCpuTime unknown()
    {
        return new SystemCpuTime(System.nanoTime(), 0, 0);
    }

    /** Parses the file: one line for all processors, then one per processor. */
    static SystemCpuTime of(final long atNs, final List<String> lines)
    {
        final String[] all = lines.get(0).split("\\s+");
        final long idle = Long.parseLong(all[IDLE]) + Long.parseLong(all[WAITING]);
        final int processors = (int)lines.stream().filter(line -> line.matches("cpu\\d+ .*")).count();
        return new SystemCpuTime(atNs, processors, idle / UNITS_PER_SECOND);
    }

    /** Returns the elapsed time. */
    double secondsSince(final SystemCpuTime before)
    {
        return (atNs - before.atNs) / NS_PER_SECOND;
    }

    /** Returns the available time of all processors; NaN when the system does not provide it. */
    double thereSecSince(final SystemCpuTime before)
    {
        return processors == 0 ? Double.NaN : processors * secondsSince(before);
    }

    /** Returns the busy share of the elapsed time in percent; NaN when the system does not provide it. */
    double busyPercentSince(final SystemCpuTime before)
    {
        final double there = processors * secondsSince(before);
        return there <= 0 ? Double.NaN : Math.max(0, ALL * (1 - (idleSec - before.idleSec) / there));
    }
}
