package dev.millrace.command.recovery;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.util.Arrays;
import java.util.Locale;

/** The application that is killed. */
public enum RecoveryVariant
{
    /** The sample: a join with a cache and patterns, partitioned by symbol over two threads; four connections. */
    SIGNAL(4, 4_000),
    /** Two processors in sequence, with windows, groups, a join and a pattern in application time; one connection. */
    WINDOWS(1, 1_000);

    private final int connections;
    private final int rate;

    RecoveryVariant(final int connections, final int rate)
    {
        this.connections = connections;
        this.rate = rate;
    }

    /**
     * Returns the variant with a name.
     *
     * @throws CommandException for an unknown name
     */
    public static RecoveryVariant of(final String label)
    {
        return Arrays.stream(values()).filter(variant -> variant.label().equals(label)).findFirst()
            .orElseThrow(() -> new CommandException(ExitCode.USAGE, "CMD-0212", "no such variant, --variant=" + label,
            "use one of " + Arrays.stream(values()).map(RecoveryVariant::label).toList()));
    }

    /** Returns the name in options and figures. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    int connections()
    {
        return connections;
    }

    /** Returns the default rate, events per second of all connections. */
    int rate()
    {
        return rate;
    }
}
