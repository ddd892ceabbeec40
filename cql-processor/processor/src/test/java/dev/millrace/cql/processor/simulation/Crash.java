package dev.millrace.cql.processor.simulation;

/** The simulated process ends at this moment. An error, so that no code under test handles it as a failed call. */
final class Crash extends Error
{
    private static final long serialVersionUID = 1L;

    Crash()
    {
        super("the simulated process has ended", null, false, false);
    }
}
