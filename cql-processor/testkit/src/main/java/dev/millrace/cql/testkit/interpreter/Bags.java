package dev.millrace.cql.testkit.interpreter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Arithmetic of bags of rows, stored as lists so that output has an order. */
final class Bags
{
    private Bags()
    {
    }

    static List<Row> minus(final List<Row> from, final List<Row> what)
    {
        final Map<Row, Integer> counts = new HashMap<>();
        what.forEach(row -> counts.merge(row, 1, Integer::sum));
        final List<Row> rest = new ArrayList<>();
        for (final Row row : from)
        {
            final int count = counts.getOrDefault(row, 0);
            if (count > 0)
            {
                counts.put(row, count - 1);
            }
            else
            {
                rest.add(row);
            }
        }
        return rest;
    }

    /** Rows that have left: among equal rows, those that arrived first. */
    static List<Row> leaving(final List<Row> before, final List<Row> now)
    {
        final List<Row> backwards = new ArrayList<>(before);
        Collections.reverse(backwards);
        final List<Row> left = minus(backwards, now);
        Collections.reverse(left);
        return left;
    }

    static List<Row> once(final List<Row> rows)
    {
        return new ArrayList<>(new LinkedHashSet<>(rows));
    }

    static List<Row> both(final List<Row> a, final List<Row> b)
    {
        final List<Row> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    static List<Row> filter(final List<Row> rows, final List<Row> others, final boolean present)
    {
        final Set<Row> set = new HashSet<>(others);
        final List<Row> kept = new ArrayList<>();
        for (final Row row : rows)
        {
            if (set.contains(row) == present)
            {
                kept.add(row);
            }
        }
        return kept;
    }

    static List<Row> combine(final String word, final List<Row> a, final List<Row> b)
    {
        switch (word)
        {
            case "union all":
                return both(a, b);
            case "union":
                return once(both(a, b));
            case "except":
                return minus(a, b);
            case "minus":
                return filter(once(a), b, false);
            case "intersect":
                return filter(once(a), b, true);
            case "in":
                return filter(a, b, true);
            default:
                return filter(a, b, false);
        }
    }
}
