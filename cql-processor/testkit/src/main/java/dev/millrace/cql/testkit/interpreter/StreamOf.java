package dev.millrace.cql.testkit.interpreter;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** IStream, DStream and RStream of a relation. */
final class StreamOf extends Source.Flow
{
    private final Table table;
    private final String kind;
    private final int[] difference;

    StreamOf(final Table table, final String kind, final int[] difference)
    {
        super(table.names, table.types, table.bases);
        this.table = table;
        this.kind = kind;
        this.difference = difference;
    }

    @Override
    List<Item> compute(final Run run)
    {
        final long progress = run.progress(this);
        final List<Item> items = new ArrayList<>();
        List<Row> before = List.of();
        for (final long time : table.changes(run))
        {
            if (time > progress)
            {
                break;
            }
            final List<Row> now = table.at(run, time);
            for (final Row row : rows(before, now))
            {
                items.add(new Item(time, row));
            }
            before = now;
        }
        return items;
    }

    private List<Row> rows(final List<Row> before, final List<Row> now)
    {
        final List<Row> entered = Bags.minus(now, before);
        final List<Row> left = Bags.minus(before, now);
        if (kind.equals("rstream"))
        {
            return entered.isEmpty() && left.isEmpty() ? List.of() : now;
        }
        final List<Row> rows = kind.equals("istream") ? entered : left;
        if (difference == null)
        {
            return rows;
        }
        final Set<Row> known = new HashSet<>();
        (kind.equals("istream") ? before : now).forEach(row -> known.add(row.columns(difference)));
        return rows.stream().filter(row -> !known.contains(row.columns(difference))).toList();
    }
}
