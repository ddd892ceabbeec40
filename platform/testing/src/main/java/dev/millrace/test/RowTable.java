package dev.millrace.test;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.test.RowAlignment.Pair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Expected and received rows as a table, the message of a failure. Stateless. */
final class RowTable
{
    private static final String GAP = "  ";
    private static final String ANY = "";

    private RowTable()
    {
    }

    static String format(final EventType type, final List<Pair> pairs)
    {
        final boolean hasKinds = pairs.stream().anyMatch(pair -> kind(pair) != EventBatch.INSERT);
        final List<List<String>> lines = new ArrayList<>();
        final List<String> head = new ArrayList<>(List.of("", "time"));
        if (hasKinds)
        {
            head.add("change");
        }
        type.properties().stream().map(EventProperty::name).forEach(head::add);
        lines.add(head);
        for (final Pair pair : pairs)
        {
            final List<String> cells = new ArrayList<>(List.of(mark(pair), time(pair)));
            if (hasKinds)
            {
                cells.add(switch (kind(pair))
                {
                    case EventBatch.DELETE -> "delete";
                    case EventBatch.UPDATE -> "update";
                    default -> "insert";
                });
            }
            for (int column = 0; column < type.properties().size(); column++)
            {
                cells.add(value(pair, column));
            }
            lines.add(cells);
        }
        return aligned(lines);
    }

    private static String mark(final Pair pair)
    {
        return pair.isMatch() ? "=" : pair.received() == null ? "missing" : "not expected";
    }

    private static byte kind(final Pair pair)
    {
        return pair.received() == null ? pair.expected().kind() : pair.received().kind();
    }

    private static String time(final Pair pair)
    {
        if (pair.received() != null)
        {
            return Times.format(pair.received().timeNs());
        }
        return pair.expected().timeNs() == null ? ANY : Times.format(pair.expected().timeNs());
    }

    private static String value(final Pair pair, final int column)
    {
        if (pair.received() != null)
        {
            return text(pair.received().value(column));
        }
        return pair.expected().values().containsKey(column) ? text(pair.expected().values().get(column)) : ANY;
    }

    private static String text(final Object value)
    {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    }

    private static String aligned(final List<List<String>> lines)
    {
        final int[] widths = new int[lines.get(0).size()];
        lines.forEach(cells ->
        {
            for (int i = 0; i < widths.length; i++)
            {
                widths[i] = Math.max(widths[i], cells.get(i).length());
            }
        });
        final StringBuilder out = new StringBuilder();
        for (final List<String> cells : lines)
        {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++)
            {
                line.append(GAP).append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length()));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
