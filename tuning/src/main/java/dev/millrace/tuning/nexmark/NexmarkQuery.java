package dev.millrace.tuning.nexmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query of the workload, from the file {@code queries.cql} of this package, which explains its parts.
 *
 * @param name        name
 * @param feed        events that it reads
 * @param fillSeconds seconds of event time that fill its windows
 * @param cycleSeconds seconds after which its work repeats; 0: at every event
 * @param mostEvents  maximum number of events, because its state grows with them; {@link Long#MAX_VALUE} if it does
 *                    not grow
 * @param relation    whether rows also leave
 * @param openOrder   whether equal times leave the order of rows open, so that values cannot be compared then
 * @param partition   column of PARTITION_ORDERED; empty for ORDERED
 * @param statements  views and the query {@code out}
 * @param columns     of the result, with a mark of their type
 * @param what        short description
 * @param note        difference from the published form; empty without a difference
 */
public record NexmarkQuery(String name, Feed feed, int fillSeconds, int cycleSeconds, long mostEvents,
    boolean relation, boolean openOrder, String partition, List<Statement> statements,
    List<String> columns, String what, String note)
{
    private static final Pattern STATEMENT =
        Pattern.compile("(?s)\\s*(view|query)\\s+(\\w+)\\s*(?:\\(([^)]*)\\))?\\s+as\\b(.*)");

    /**
     * A view or query.
     *
     * @param id      of it
     * @param view    whether it is a view
     * @param text    CQL
     * @param columns of a view; empty when not given
     */
    public record Statement(String id, boolean view, String text, List<String> columns)
    {
    }

    /** Whether its state grows with the events. */
    public boolean growing()
    {
        return mostEvents < Long.MAX_VALUE;
    }

    /** All queries in the order of the file. */
    public static Map<String, NexmarkQuery> all()
    {
        final Map<String, NexmarkQuery> all = new LinkedHashMap<>();
        final String[] blocks = text().split("(?m)^== ");
        for (int i = 1; i < blocks.length; i++)
        {
            final NexmarkQuery query = read(blocks[i]);
            all.put(query.name(), query);
        }
        return all;
    }

    private static String text()
    {
        try (InputStream file = NexmarkQuery.class.getResourceAsStream("queries.cql"))
        {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("the queries of the workload cannot be read", e);
        }
    }

    private static NexmarkQuery read(final String block)
    {
        final String[] lines = block.split("\n");
        final List<String> head = List.of(lines[0].strip().split(" "));
        final StringBuilder cql = new StringBuilder();
        String columns = "";
        String what = "";
        String note = "";
        for (int i = 1; i < lines.length; i++)
        {
            if (lines[i].startsWith("-- out "))
            {
                columns = lines[i].substring("-- out ".length());
            }
            else if (lines[i].startsWith("-- what "))
            {
                what = lines[i].substring("-- what ".length());
            }
            else if (lines[i].startsWith("-- note "))
            {
                note = lines[i].substring("-- note ".length());
            }
            else
            {
                cql.append(lines[i]).append('\n');
            }
        }
        return new NexmarkQuery(head.get(0), Feed.valueOf(head.get(1).toUpperCase(Locale.ROOT)),
            Integer.parseInt(value(head, "fill", "0")), Integer.parseInt(value(head, "cycle", "0")),
            mostEvents(head), head.contains("relation"), head.contains("open-order"),
            value(head, "partition", ""), statements(cql.toString()), List.of(columns.strip().split(" ")), what, note);
    }

    private static long mostEvents(final List<String> head)
    {
        final long millions = Long.parseLong(value(head, "growing", head.contains("growing") ? "4" : "0"));
        return millions == 0 ? Long.MAX_VALUE : millions * 1_000_000L;
    }

    private static String value(final List<String> head, final String name, final String otherwise)
    {
        return head.stream().filter(each -> each.startsWith(name + '=')).findFirst()
            .map(each -> each.substring(name.length() + 1)).orElse(otherwise);
    }

    private static List<Statement> statements(final String cql)
    {
        final List<Statement> statements = new ArrayList<>();
        for (final String each : cql.split(";"))
        {
            final Matcher matcher = STATEMENT.matcher(each);
            if (matcher.matches())
            {
                statements.add(new Statement(matcher.group(2), matcher.group(1).equals("view"),
                    matcher.group(4).strip(), matcher.group(3) == null ? List.of() :
                    Pattern.compile(",").splitAsStream(matcher.group(3)).map(String::strip).toList()));
            }
        }
        return statements;
    }
}
