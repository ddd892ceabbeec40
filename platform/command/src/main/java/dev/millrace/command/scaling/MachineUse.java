package dev.millrace.command.scaling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What all processors together have done so far, in ticks of the kernel. Linux only.
 *
 * @param busy  of any process
 * @param total with idling
 */
record MachineUse(long busy, long total)
{
    private static final int IDLE = 4;
    private static final int WAITING = 5;
    private static final int LAST = 8;

    static MachineUse now()
    {
        final Path file = Path.of("/proc/stat");
        if (!Files.isReadable(file))
        {
            return new MachineUse(0, 0);
        }
        try
        {
            final String[] fields = Files.readAllLines(file).get(0).split("\\s+");
            long total = 0;
            for (int i = 1; i <= Math.min(LAST, fields.length - 1); i++)
            {
                total += Long.parseLong(fields[i]);
            }
            return new MachineUse(total - Long.parseLong(fields[IDLE]) - Long.parseLong(fields[WAITING]), total);
        }
        catch (final IOException e)
        {
            return new MachineUse(0, 0);
        }
    }

    /** Share of the time since then that processors were busy, in percent; NaN when the system does not tell. */
    double busyPercentSince(final MachineUse before)
    {
        return total == before.total ? Double.NaN : 100.0 * (busy - before.busy) / (total - before.total);
    }
}
