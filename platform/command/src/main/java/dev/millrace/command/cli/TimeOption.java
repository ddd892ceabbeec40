package dev.millrace.command.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Parses times that users pass as options. */
public final class TimeOption
{
    private TimeOption()
    {
    }

    /**
     * Parses a time.
     *
     * @param name the option as the user writes it
     * @throws CommandException with exit code {@link ExitCode#USAGE} if it is none
     */
    public static Instant parse(final String name, final String text)
    {
        try
        {
            return OffsetDateTime.parse(text).toInstant();
        }
        catch (final DateTimeException e)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0245", "not a time, " + name + "=" + text,
                "write it as 2026-11-29T10:15:00Z or 2026-11-29T11:15:00.250+01:00");
        }
    }
}
