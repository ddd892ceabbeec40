package dev.millrace.cql.testkit.interpreter;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * IStream, DStream and RStream of a relation. When a row differs from its predecessor only by the rounding of a sum or
 * a root, whether it has changed depends on the order of the additions: the result of such an input is undefined.
 */
final class RelationToStream extends Source.Flow
{
    private static final double ROUNDING = 1e-12;

    private final Table table;
    private final String kind;
    private final int[] difference;

    RelationToStream(final Table table, final String kind, final int[] difference)
    {
        super(table.names, table.types, table.bases);
        this.table = table;
        this.kind = kind;
        this.difference = difference;
    }

    @Override
    List<Item> compute(final Evaluation run)
    {
        final long progress = run.progress(bases);
        final List<Item> items = new ArrayList<>();
        List<Row> before = List.of();
        for (final long time : table.changes(run))
        {
            if (time > progress && !run.isLoose)
            {
                break;
            }
            final List<Row> now = table.at(run, time);
            for (final Row row : run.isLoose ? Bags.minus(now, before) : rows(before, now))
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
        final List<Row> left = Bags.leaving(before, now);
        if (entered.stream().anyMatch(row -> left.stream().anyMatch(other -> isSameButForRounding(row, other))))
        {
            throw new UndefinedResultException("rounding decides whether a row has changed");
        }
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

    private static boolean isSameButForRounding(final Row a, final Row b)
    {
        for (int i = 0; i < a.values().length; i++)
        {
            if (!isNear(a.values()[i], b.values()[i]))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean isNear(final Object a, final Object b)
    {
        return a instanceof Double x && b instanceof Double y && Double.isFinite(x) && Double.isFinite(y) ?
            Math.abs(x - y) <= ROUNDING * Math.max(1, Math.abs(x)) :
            new Row(new Object[] {a}).equals(new Row(new Object[] {b}));
    }
}
