package dev.millrace.command.project;

import dev.millrace.network.difference.ApplicationDifference;
import dev.millrace.network.difference.ApplicationDifference.Effect;
import dev.millrace.network.difference.ApplicationDifference.Part;
import dev.millrace.network.spi.RuleChange.QueryChange;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/**
 * The difference of two versions of an application as a table.
 *
 * @param difference of the versions
 */
record DifferenceTable(ApplicationDifference difference)
{
    private static final Map<Effect, String> EFFECTS = Map.of(
        Effect.RULES, "only rules change: adapters, beans, caches and connections are kept",
        Effect.NETWORK_KEPT, "channels and processors are kept; adapters and beans that differ, or whose class is in" +
            " the bundle, are created again",
        Effect.NETWORK_CREATED, "a new network is created: connections are closed, and only durable processors keep" +
            " state");

    /** Prints a line per part, what differs, and the effect of an update. */
    void print(final PrintWriter out)
    {
        if (!difference.isDifferent())
        {
            out.println("no difference");
            return;
        }
        final String format = "%-" + width("KIND", true) + "s  %-" + width("NAME", false) + "s  %-8s %s";
        out.println(String.format(format, "KIND", "NAME", "CHANGE", "UPDATE").stripTrailing());
        for (final Part part : difference.parts())
        {
            out.println(String.format(format, part.kind(), part.id(), part.change().name().toLowerCase(Locale.ROOT),
                part.outcome() == null ? "" : outcome(part.outcome())).stripTrailing());
            part.details().forEach(detail -> out.println("    " + detail));
        }
        out.println("update: " + EFFECTS.get(difference.effect()));
        difference.reasons().forEach(reason -> out.println("    " + reason));
    }

    private int width(final String title, final boolean isKind)
    {
        return Math.max(title.length(),
            difference.parts().stream().mapToInt(part -> (isKind ? part.kind() : part.id()).length()).max().orElse(0));
    }

    private static String outcome(final QueryChange query)
    {
        final String lost = query.lostState().isEmpty() ? ", has no state" : ", loses: " + query.lostState();
        return switch (query.action())
        {
            case KEPT -> "keeps its state";
            case STARTED -> "starts";
            case RESTARTED -> "restarts" + lost;
            case STOPPED -> "stops" + lost;
        };
    }
}
