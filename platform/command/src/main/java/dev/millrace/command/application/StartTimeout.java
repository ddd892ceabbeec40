package dev.millrace.command.application;

import dev.millrace.command.cli.OptionRange;

import picocli.CommandLine.Option;

/** Option with the limit for the start of an application. */
public final class StartTimeout
{
    private static final int MAX_SECONDS = 3_600;

    @Option(names = "--timeout", paramLabel = "SECONDS",
        description = "Rejects an application that has not started after this time, now and when the instance starts." +
            " Default: 30, or the limit of the replaced version.")
    private Integer seconds;

    /** Returns seconds, or null for the instance's default. */
    public Integer seconds()
    {
        if (seconds != null)
        {
            OptionRange.check("--timeout", seconds, 1, MAX_SECONDS);
        }
        return seconds;
    }
}
