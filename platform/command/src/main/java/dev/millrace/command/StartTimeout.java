package dev.millrace.command;

import picocli.CommandLine.Option;

/** How long an application may take to start. */
final class StartTimeout
{
    private static final int MAX_SECONDS = 3_600;

    @Option(names = "--timeout", paramLabel = "SECONDS",
        description = "Refuses an application that has not started after this time, now and when the instance starts." +
            " Default: 30, or what was given for the version that is replaced.")
    private Integer seconds;

    /** Seconds; null for what the instance takes. */
    Integer seconds()
    {
        if (seconds != null)
        {
            DemoCommand.check("--timeout", seconds, 1, MAX_SECONDS);
        }
        return seconds;
    }
}
