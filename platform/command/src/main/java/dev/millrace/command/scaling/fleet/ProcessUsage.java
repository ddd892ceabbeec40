package dev.millrace.command.scaling.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Resources of a process: processor time in seconds, and current resident memory. The memory is known only on Linux.
 *
 * @param cpuSec      user and system time since its start; 0 when it has ended or is unknown
 * @param residentMiB NaN when unknown
 */
public record ProcessUsage(double cpuSec, double residentMiB)
{
    private static final double NS_PER_SECOND = 1e9;
    private static final double KIB_PER_MIB = 1024;
    private static final String RESIDENT = "VmRSS:";

    static ProcessUsage of(final long pid)
    {
        final double cpuSec = ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration())
            .map(Duration::toNanos).orElse(0L) / NS_PER_SECOND;
        return new ProcessUsage(cpuSec, residentMiB(pid));
    }

    private static double residentMiB(final long pid)
    {
        try
        {
            for (final String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")))
            {
                if (line.startsWith(RESIDENT))
                {
                    return Double.parseDouble(line.replaceAll("\\D", "")) / KIB_PER_MIB;
                }
            }
        }
        catch (final IOException e)
        {
            // The process has ended, or the system does not provide the file.
            return Double.NaN;
        }
        return Double.NaN;
    }
}
