package dev.millrace.command.scaling.fault;

import java.util.Locale;

/** Faults of running instances. */
public enum Fault
{
    /** kill -9 of one instance under load; it is started again. */
    KILL,
    /** SIGSTOP of one instance under load for longer than the failure detection time, then SIGCONT. */
    PAUSE,
    /** kill -9 of the coordinator while the application is being deployed to all members; it is started again. */
    COORDINATOR,
    /** A load generator for a port on which no process listens. */
    PORT;

    /** Returns the lower-case name used on the command line. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
