package dev.millrace.launcher;

/**
 * Exit codes of the process of an instance. If a signal ends it, the exit code is 128 + signal, as for any other
 * process.
 */
public final class ExitCode
{
    /** The instance stopped on request. Nothing to do. */
    public static final int STOPPED = 0;

    /** The instance could not start. Read the last message: it names the file or port to change. */
    public static final int START_FAILED = 1;

    /** Home or domain directory is missing or wrong. Correct the start script or the properties. */
    public static final int USAGE = 2;

    /** Another process runs this domain. Stop it, or copy the domain directory for a second instance. */
    public static final int ALREADY_RUNNING = 3;

    /** The instance did not stop in time and was terminated. No committed data is lost; look for a stage that hangs. */
    public static final int STOP_TIMED_OUT = 4;

    private ExitCode()
    {
    }
}
