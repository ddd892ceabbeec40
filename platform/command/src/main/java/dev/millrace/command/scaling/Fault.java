package dev.millrace.command.scaling;

import java.util.Locale;

/** What can be done to instances that run. */
public enum Fault
{
    /** kill -9 of one under load; it is started again. */
    KILL,
    /** SIGSTOP of one under load for longer than the others wait for it, then SIGCONT. */
    PAUSE,
    /** kill -9 of the coordinator while the application is being deployed to all; it is started again. */
    COORDINATOR,
    /** A load generator for a port that nobody serves. */
    PORT;

    /**
     * As users write it.
     *
     * @return name in lower case
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
