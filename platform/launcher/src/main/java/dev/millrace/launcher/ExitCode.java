package dev.millrace.launcher;

/** What the process of an instance returns. A signal that ends it gives 128 + signal as for any other process. */
public final class ExitCode
{
    /** The instance was asked to stop and has stopped. Nothing to do. */
    public static final int STOPPED = 0;

    /** The instance could not start. Read the last message: it names the file or port to change. */
    public static final int START_FAILED = 1;

    /** Home or domain directory are missing or wrong. Correct the start script or the properties. */
    public static final int USAGE = 2;

    /** Another process runs this domain. Stop it, or copy the domain directory for a second instance. */
    public static final int ALREADY_RUNNING = 3;

    /** The instance did not stop in time and was cut off. Nothing committed is lost; look for a stage that hangs. */
    public static final int STOP_TIMED_OUT = 4;

    private ExitCode()
    {
    }
}
