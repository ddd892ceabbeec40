package dev.millrace.command.cli;

/**
 * Checks numbers that users pass as options.
 */
public final class OptionRange
{
    private OptionRange()
    {
    }

    /**
     * Checks that an option is within its range.
     *
     * @param name the option as the user writes it
     * @throws CommandException with exit code {@link ExitCode#USAGE} if it is not
     */
    public static void check(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0190", "option is out of range, " + name + "=" + value,
                "specify a number from " + min + " to " + max);
        }
    }
}
