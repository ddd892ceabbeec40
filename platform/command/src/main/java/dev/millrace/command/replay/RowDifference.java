package dev.millrace.command.replay;

import com.google.gson.JsonElement;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.durable.ReplayEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the output of two sets of rules. The rows of a query that have the same time and kind are two multisets:
 * rows of both are the same, whatever their order. The rest is paired: a row before and a row after with the same
 * first value, in the order in which they were emitted, then the others in that order. A pair is a changed row; rows
 * that remain exist only before or only after.
 *
 * <p>Only rows that differ so far are kept. Confined to one thread.
 */
final class RowDifference
{
    /** Rows that are kept at most. */
    static final int MAX_ROWS = 500_000;

    private final TimeRange range;
    private final Map<String, OfQuery> queries = new TreeMap<>();
    private int open;

    /** The difference of a query. */
    private static final class OfQuery
    {
        private final long[] emitted = new long[2];
        /** By time, then by kind and values. */
        private final TreeMap<Long, Map<String, Surplus>> instants = new TreeMap<>();
    }

    /** Equal rows of which one side has more. */
    private static final class Surplus
    {
        private final OutputRow row;
        /** Positive for rows before, negative for rows after. */
        private int count;

        Surplus(final OutputRow row)
        {
            this.row = row;
        }
    }

    /** A row before and a row after. */
    record Change(OutputRow before, OutputRow after)
    {
    }

    /**
     * The difference of a query.
     *
     * @param before     number of rows before
     * @param after      number of rows after
     * @param changed    rows with other values
     * @param onlyBefore rows that are missing after
     * @param onlyAfter  rows that are missing before
     */
    record Result(long before, long after, List<Change> changed, List<OutputRow> onlyBefore,
        List<OutputRow> onlyAfter)
    {
        /** Number of rows that are the same. */
        long same()
        {
            return before - changed.size() - onlyBefore.size();
        }

        boolean isEmpty()
        {
            return changed.isEmpty() && onlyBefore.isEmpty() && onlyAfter.isEmpty();
        }
    }

    /** One of the two sets of rules. */
    enum Side
    {
        BEFORE(1), AFTER(-1);

        private final int sign;

        Side(final int sign)
        {
            this.sign = sign;
        }
    }

    RowDifference(final TimeRange range)
    {
        this.range = range;
    }

    /**
     * Receives the output of a side.
     *
     * @param rejected number of rejected rows by reason
     */
    ReplayEngine.Output output(final Side side, final Map<String, Long> rejected)
    {
        return new ReplayEngine.Output()
        {
            @Override
            public void rows(final String query, final EventBatch rows)
            {
                for (int row = 0; row < rows.size(); row++)
                {
                    if (range.contains(rows.timestampNs(row)))
                    {
                        add(side, query, OutputRow.of(rows, row));
                    }
                }
            }

            @Override
            public void rejected(final int rows, final String reason, final String detail)
            {
                rejected.merge(reason, (long)rows, Long::sum);
            }
        };
    }

    /** Adds a row. */
    void add(final Side side, final String query, final OutputRow row)
    {
        final OfQuery of = queries.computeIfAbsent(query, id -> new OfQuery());
        of.emitted[side.ordinal()]++;
        final Map<String, Surplus> instant = of.instants.computeIfAbsent(row.timeNs(), time -> new LinkedHashMap<>());
        final String key = row.kind() + row.values();
        final Surplus surplus = instant.computeIfAbsent(key, text -> new Surplus(row));
        final int before = Math.abs(surplus.count);
        surplus.count += side.sign;
        open += Math.abs(surplus.count) - before;
        if (surplus.count == 0)
        {
            instant.remove(key);
            if (instant.isEmpty())
            {
                of.instants.remove(row.timeNs());
            }
        }
    }

    /** Whether more rows differ than can be kept. */
    boolean isFull()
    {
        return open > MAX_ROWS;
    }

    /** The difference by query, without rows that were taken. */
    Map<String, Result> results()
    {
        final Map<String, Result> results = new TreeMap<>();
        queries.forEach((query, of) -> results.put(query, result(of, of.instants)));
        return results;
    }

    /**
     * The difference of the instants before a time by query, which is complete and not kept any longer.
     *
     * @return numbers of all rows, and the rows of these instants that differ
     */
    Map<String, Result> take(final long beforeNs)
    {
        final Map<String, Result> results = new TreeMap<>();
        queries.forEach((query, of) ->
        {
            final Map<Long, Map<String, Surplus>> complete = of.instants.headMap(beforeNs);
            results.put(query, result(of, complete));
            complete.values().forEach(instant ->
                instant.values().forEach(surplus -> open -= Math.abs(surplus.count)));
            complete.clear();
        });
        return results;
    }

    private static Result result(final OfQuery of, final Map<Long, Map<String, Surplus>> instants)
    {
        final Result result = new Result(of.emitted[0], of.emitted[1], new ArrayList<>(), new ArrayList<>(),
            new ArrayList<>());
        instants.values().forEach(instant -> pair(instant.values(), result));
        return result;
    }

    private static void pair(final Collection<Surplus> instant, final Result to)
    {
        final Map<String, List<Surplus>> kinds = new LinkedHashMap<>();
        instant.forEach(each -> kinds.computeIfAbsent(each.row.kind(), kind -> new ArrayList<>()).add(each));
        for (final List<Surplus> kind : kinds.values())
        {
            final Map<JsonElement, Deque<OutputRow>> after = new LinkedHashMap<>();
            rows(kind, -1).forEach(row ->
                after.computeIfAbsent(row.firstValue(), value -> new ArrayDeque<>()).add(row));
            final Deque<OutputRow> unpaired = new ArrayDeque<>();
            for (final OutputRow row : rows(kind, 1))
            {
                final Deque<OutputRow> alike = after.getOrDefault(row.firstValue(), new ArrayDeque<>());
                if (alike.isEmpty())
                {
                    unpaired.add(row);
                }
                else
                {
                    to.changed().add(new Change(row, alike.poll()));
                }
            }
            for (final Deque<OutputRow> alike : after.values())
            {
                while (!unpaired.isEmpty() && !alike.isEmpty())
                {
                    to.changed().add(new Change(unpaired.poll(), alike.poll()));
                }
                to.onlyAfter().addAll(alike);
            }
            to.onlyBefore().addAll(unpaired);
        }
    }

    private static List<OutputRow> rows(final List<Surplus> of, final int sign)
    {
        final List<OutputRow> rows = new ArrayList<>();
        for (final Surplus each : of)
        {
            for (int i = 0; i < each.count * sign; i++)
            {
                rows.add(each.row);
            }
        }
        return rows;
    }
}
