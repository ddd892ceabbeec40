package dev.millrace.command;

import dev.millrace.command.instance.InstanceState;
import dev.millrace.command.instance.NamedPort;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Domains as lines of a table. */
final class DomainTable
{
    private static final int LEAST_WIDTH = 4;

    private DomainTable()
    {
    }

    static void print(final List<InstanceState> states, final PrintWriter out)
    {
        final int width = states.stream().mapToInt(state -> state.domain().name().length()).max().orElse(LEAST_WIDTH);
        final String format = "%-" + Math.max(LEAST_WIDTH, width) + "s  %-13s  %7s  %8s  %s%n";
        out.printf(format, "NAME", "STATE", "PID", "UPTIME", "PORTS");
        for (final InstanceState state : states)
        {
            out.printf(format, state.domain().name(), state.state(),
                state.process().map(process -> String.valueOf(process.pid())).orElse("-"),
                state.uptime().map(DomainTable::shown).orElse("-"),
                state.ports().stream().map(NamedPort::toString).collect(Collectors.joining(" ")));
        }
        out.flush();
    }

    /** Two units are enough for a person. */
    private static String shown(final Duration time)
    {
        if (time.toDays() > 0)
        {
            return time.toDays() + "d " + time.toHoursPart() + "h";
        }
        if (time.toHours() > 0)
        {
            return time.toHours() + "h " + time.toMinutesPart() + "m";
        }
        return time.toMinutes() > 0 ? time.toMinutes() + "m " + time.toSecondsPart() + "s" : time.toSeconds() + "s";
    }
}
