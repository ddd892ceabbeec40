package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Statements over one channel, each of which gets the rows that its filter lets through, in order; one after the other
 * in their order. A row costs what the statements cost that want it, however many there are.
 *
 * <p>Threads: one at a time.
 */
public final class StatementIndex
{
    /** A few statements look at every row themselves at less cost than that of an index. */
    private static final int LEAST_STATEMENTS = 4;

    private final Statement[] statements;
    private final boolean[] isIndexed;
    /** Numbers of the statements that see every batch. */
    private final int[] others;
    private final ColumnIndex[] columns;
    private final RowSets sets;
    private final int[] rows = new int[EventBatch.CAPACITY];

    /** What an index is made for. */
    private record Key(int column, boolean text, boolean equality)
    {
    }

    /**
     * Makes an index.
     *
     * @param schema     of the batches
     * @param statements in the order in which they take a batch
     */
    public StatementIndex(final BatchSchema schema, final List<? extends Statement> statements)
    {
        this.statements = statements.toArray(new Statement[0]);
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
            if (members.size() >= LEAST_STATEMENTS)
            {
                members.forEach(member -> isIndexed[member] = true);
                made.add(index(schema, key, members));
            }
        });
        columns = made.toArray(new ColumnIndex[0]);
        others = IntStream.range(0, this.statements.length).filter(i -> !isIndexed[i]).toArray();
    }

    private ColumnIndex index(final BatchSchema schema, final Key key, final List<Integer> members)
    {
        final List<RowFilter> filters = members.stream().map(member -> statements[member].filter()).toList();
        return key.text() ? EqualityIndex.ofTexts(filters, members) :
            key.equality() ? EqualityIndex.ofNumbers(filters, members) : new RangeIndex(filters, members);
    }

    /**
     * Whether some statements do not see all rows.
     *
     * @return false when every batch goes to all
     */
    public boolean hasColumns()
    {
        return columns.length > 0;
    }

    /**
     * Takes a batch; a batch without rows goes to all statements, so that they hear of its time.
     *
     * @param batch lent
     */
    public void onBatch(final EventBatch batch)
    {
        if (columns.length == 0 || batch.size() == 0)
        {
            for (final Statement statement : statements)
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
