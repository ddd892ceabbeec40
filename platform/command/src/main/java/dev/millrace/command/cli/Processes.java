package dev.millrace.command.cli;

import java.util.concurrent.TimeUnit;

/** Ends processes that the command has started. */
public final class Processes
{
    private Processes()
    {
    }

    /**
     * Asks a process to end, and kills it if it does not in time, or when the caller is interrupted.
     *
     * @param patienceSeconds time that the process has
     */
    public static void end(final Process process, final long patienceSeconds)
    {
        process.destroy();
        try
        {
            if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS))
            {
                process.destroyForcibly().waitFor();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
