package dev.millrace.command.domain;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.command.instance.InstanceState;
import dev.millrace.command.instance.NamedPort;
import dev.millrace.command.view.OutputFormat;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Prints domains as a table or as JSON. */
final class DomainTable
{
    private static final int LEAST_WIDTH = 4;

    private DomainTable()
    {
    }

    static void print(
        final List<InstanceState> states, final boolean isJson, final boolean isOneLine, final PrintWriter out)
    {
        if (isJson)
        {
            final JsonArray all = new JsonArray();
            states.forEach(state -> all.add(json(state)));
            OutputFormat.print(all, isOneLine, out);
        }
        else
        {
            print(states, out);
        }
    }

    private static JsonObject json(final InstanceState state)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("name", state.domain().name());
        json.addProperty("directory", state.domain().directory().toString());
        json.addProperty("state", state.state());
        json.addProperty("pid", state.process().map(ProcessHandle::pid).orElse(null));
        json.addProperty("uptimeSeconds", state.uptime().map(Duration::toSeconds).orElse(null));
        final JsonObject ports = new JsonObject();
        state.ports().forEach(port -> ports.addProperty(port.name(), port.number()));
        json.add("ports", ports);
        return json;
    }

    private static void print(final List<InstanceState> states, final PrintWriter out)
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

    /** Formats a duration with its two largest units. */
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
