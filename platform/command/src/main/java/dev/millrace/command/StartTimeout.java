package dev.millrace.command;

import picocli.CommandLine.Option;

/** How long an application may take to start. */
final class StartTimeout
{
    private static final int MAX_SECONDS = 3_600;

    @Option(names = "--timeout", paramLabel = "SECONDS",
        description = "Refuses an application that has not started after this time. Default: 30.")
    private Integer seconds;

    /** Members of a group have a limit of their own. */
    void check(final GroupOption group)
    {
        if (seconds != null)
        {
            DemoCommand.check("--timeout", seconds, 1, MAX_SECONDS);
            if (!group.isNone())
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0125", "a group has a limit of its own, timeout="
                    + seconds, "leave out --timeout, or install on one instance without --group");
            }
        }
    }

    /** Seconds; null for what the instance takes. */
    Integer seconds()
    {
        return seconds;
    }
}
