package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Statements over one channel. Each receives, in order, the rows that its filter accepts; the statements run one after
 * another, in their order. The cost of a row depends on the statements that accept it, not on the number of statements.
 *
 * <p>Not thread-safe.
 */
public final class StatementIndex
{
    /** Minimum number of statements for an index: a few statements test every row at less cost. */
    private static final int LEAST_STATEMENTS = 4;

    private final IndexedQuery[] statements;
    private final boolean[] isIndexed;
    /** Statements that receive every batch. */
    private final int[] others;
    private final ColumnIndex[] columns;
    private final RowSets sets;
    private final int[] rows = new int[EventBatch.CAPACITY];

    /** Identifies an index. */
    private record Key(int column, boolean text, boolean equality)
    {
    }

    /**
     * @param statements in the order in which they process a batch
     */
    public StatementIndex(final List<? extends IndexedQuery> statements)
    {
        this.statements = statements.toArray(new IndexedQuery[0]);
        isIndexed = new boolean[this.statements.length];
        sets = new RowSets(this.statements.length);
        final Map<Key, List<Integer>> byKey = new LinkedHashMap<>();
        for (int i = 0; i < this.statements.length; i++)
        {
            final RowFilter filter = this.statements[i].filter();
            if (filter != null)
            {
                byKey.computeIfAbsent(new Key(filter.column(), filter.isText(), filter.isEquality()),
                    key -> new ArrayList<>()).add(i);
            }
        }
        final List<ColumnIndex> made = new ArrayList<>();
        byKey.forEach((key, members) ->
        {
            if (members.size() >= LEAST_STATEMENTS ||
                members.stream().anyMatch(member -> this.statements[member].filter().exact()))
            {
                members.forEach(member -> isIndexed[member] = true);
                made.add(index(key, members));
            }
        });
        columns = made.toArray(new ColumnIndex[0]);
        others = IntStream.range(0, this.statements.length).filter(i -> !isIndexed[i]).toArray();
    }

    private ColumnIndex index(final Key key, final List<Integer> members)
    {
        final List<RowFilter> filters = members.stream().map(member -> statements[member].filter()).toList();
        return key.text() ? EqualityIndex.ofTexts(filters, members) :
            key.equality() ? EqualityIndex.ofNumbers(filters, members) : new RangeIndex(filters, members);
    }

    /** Whether some statements do not receive all rows. */
    public boolean hasColumns()
    {
        return columns.length > 0;
    }

    /**
     * Processes a batch; a batch without rows goes to all statements as a heartbeat.
     *
     * @param batch lent
     */
    public void onBatch(final EventBatch batch)
    {
        if (columns.length == 0 || batch.size() == 0)
        {
            for (final IndexedQuery statement : statements)
            {
                statement.onBatch(batch);
            }
            return;
        }
        for (final int statement : others)
        {
            sets.touch(statement);
        }
        for (final ColumnIndex column : columns)
        {
            column.find(batch, sets);
        }
        try
        {
            for (int i = sets.next(0); i >= 0; i = sets.next(i + 1))
            {
                give(batch, i);
            }
        }
        catch (final RuntimeException | Error unexpected)
        {
            sets.reset();
            throw unexpected;
        }
        sets.clear();
    }

    private void give(final EventBatch batch, final int statement)
    {
        final int count = isIndexed[statement] ? sets.take(statement, rows) : batch.size();
        if (count == batch.size())
        {
            statements[statement].onBatch(batch);
        }
        else
        {
            statements[statement].onRows(batch, rows, count);
        }
    }
}
