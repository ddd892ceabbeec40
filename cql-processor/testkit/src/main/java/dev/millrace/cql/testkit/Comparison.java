package dev.millrace.cql.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Compares actual rows with expected rows, by the rules of the case files. */
public final class Comparison
{
    private static final double TOLERANCE = 1e-6;

    private Comparison()
    {
    }

    /**
     * Compares the output of a query.
     *
     * @param got     actual rows
     * @param want    expected rows
     * @param stream  whether the query is a stream; rows of relations are netted within an instant first
     * @param ordered whether rows of one instant have an order
     * @return null when they are equal, otherwise a description of the difference
     */
    public static String difference(
        final List<CaseRow> got, final List<CaseRow> want, final boolean stream, final boolean ordered)
    {
        final List<CaseRow> actual = sorted(stream ? got : net(got));
        final List<CaseRow> expected = sorted(stream ? want : net(want));
        final List<CaseRow> missing = new ArrayList<>();
        final List<CaseRow> tooMany = new ArrayList<>(actual);
        boolean inOrder = actual.size() == expected.size();
        for (int i = 0; i < expected.size(); i++)
        {
            final CaseRow row = expected.get(i);
            inOrder &= i < actual.size() && same(actual.get(i), row);
            if (!remove(tooMany, row))
            {
                missing.add(row);
            }
        }
        if (missing.isEmpty() && tooMany.isEmpty() && (inOrder || !ordered))
        {
            return null;
        }
        final StringBuilder out = new StringBuilder();
        missing.forEach(row -> out.append("  missing  ").append(row).append('\n'));
        tooMany.forEach(row -> out.append("  too much ").append(row).append('\n'));
        if (missing.isEmpty() && tooMany.isEmpty())
        {
            out.append("  the same rows in another order:\n");
            actual.forEach(row -> out.append("    ").append(row).append('\n'));
        }
        return out.toString();
    }

    /** Whether rows are a subsequence of others. */
    static boolean isSubsequence(final List<CaseRow> rows, final List<CaseRow> others)
    {
        final List<CaseRow> all = sorted(others);
        int at = 0;
        for (final CaseRow row : sorted(rows))
        {
            while (at < all.size() && !same(all.get(at), row))
            {
                at++;
            }
            if (at++ >= all.size())
            {
                return false;
            }
        }
        return true;
    }

    private static boolean remove(final List<CaseRow> rows, final CaseRow row)
    {
        for (int i = 0; i < rows.size() && rows.get(i).timeNs() <= row.timeNs(); i++)
        {
            if (same(rows.get(i), row))
            {
                rows.remove(i);
                return true;
            }
        }
        return false;
    }

    private static List<CaseRow> sorted(final List<CaseRow> rows)
    {
        final List<CaseRow> sorted = new ArrayList<>(rows.stream().map(CaseRow::plain).toList());
        sorted.sort(Comparator.comparingLong(CaseRow::timeNs));
        return sorted;
    }

    /**
     * Cancels deletes against inserts of equal rows within one instant.
     *
     * @param rows of a relation in order of time
     * @return remaining rows
     */
    public static List<CaseRow> net(final List<CaseRow> rows)
    {
        final List<CaseRow> kept = new ArrayList<>();
        for (final CaseRow row : sorted(rows))
        {
            int hit = -1;
            for (int i = kept.size() - 1; i >= 0 && kept.get(i).timeNs() == row.timeNs() && hit < 0; i--)
            {
                hit = kept.get(i).kind() != row.kind() && sameValues(kept.get(i), row) ? i : -1;
            }
            if (hit < 0)
            {
                kept.add(row);
            }
            else
            {
                kept.remove(hit);
            }
        }
        return kept;
    }

    private static boolean same(final CaseRow a, final CaseRow b)
    {
        return a.timeNs() == b.timeNs() && a.kind() == b.kind() && sameValues(a, b);
    }

    private static boolean sameValues(final CaseRow a, final CaseRow b)
    {
        if (a.values().length != b.values().length)
        {
            return false;
        }
        for (int i = 0; i < a.values().length; i++)
        {
            if (!close(a.values()[i], b.values()[i]))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean close(final Object a, final Object b)
    {
        if (a instanceof Number x && b instanceof Number y)
        {
            if (a instanceof Long && b instanceof Long)
            {
                return x.longValue() == y.longValue();
            }
            final double left = x.doubleValue();
            final double right = y.doubleValue();
            final double scale = Math.max(1.0, Math.max(Math.abs(left), Math.abs(right)));
            return Double.compare(left, right) == 0
                || Double.isFinite(scale) && Math.abs(left - right) <= TOLERANCE * scale;
        }
        return a == null ? b == null : a.equals(b);
    }
}
