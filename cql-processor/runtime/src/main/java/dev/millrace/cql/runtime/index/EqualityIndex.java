package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.CharColumnEncoder;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.TemplateKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Statements that accept one value of a column: one look-up of the value finds the statements of a row. */
final class EqualityIndex implements ColumnIndex
{
    private final int column;
    /** For a char column; its table contains only the strings of the filters. */
    private final CharColumnEncoder texts;
    private final TemplateKeys keys;
    private final Lists statements;
    private final ColumnKeys numbers;

    private EqualityIndex(
        final int column, final CharColumnEncoder texts, final TemplateKeys keys, final Lists statements)
    {
        this.column = column;
        this.texts = texts;
        this.keys = keys;
        this.statements = statements;
        numbers = new ColumnKeys(column);
    }

    /**
     * An index on a char column.
     *
     * @param filters    by string
     * @param statements their statements
     */
    static EqualityIndex ofTexts(final List<RowFilter> filters, final List<Integer> statements)
    {
        final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        final TemplateKeys keys = TemplateKeys.ofTexts(strings,
            filters.stream().map(RowFilter::text).toArray(String[]::new));
        final int column = filters.get(0).column();
        return new EqualityIndex(column, new CharColumnEncoder(column, strings), keys, bySlot(keys.size(), statements,
            filters.stream().map(filter -> keys.slotOfId(find(strings, filter.text()))).toList()));
    }

    /** Looked up by bytes, so that the table caches the objects of the stream and not those of the filters. */
    private static int find(final StringTable strings, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return strings.find(bytes, 0, bytes.length);
    }

    /**
     * An index on a column of numbers.
     *
     * @param filters    by one number
     * @param statements their statements
     */
    static EqualityIndex ofNumbers(final List<RowFilter> filters, final List<Integer> statements)
    {
        final TemplateKeys keys = TemplateKeys.ofNumbers(filters.stream().mapToLong(RowFilter::low).toArray());
        return new EqualityIndex(filters.get(0).column(), null, keys, bySlot(keys.size(), statements,
            filters.stream().map(filter -> keys.slotOfNumber(filter.low())).toList()));
    }

    private static Lists bySlot(final int size, final List<Integer> statements, final List<Integer> slots)
    {
        final List<List<Integer>> lists = new ArrayList<>();
        for (int slot = 0; slot < size; slot++)
        {
            lists.add(new ArrayList<>());
        }
        for (int i = 0; i < slots.size(); i++)
        {
            lists.get(slots.get(i)).add(statements.get(i));
        }
        return new Lists(lists);
    }

    @Override
    public void find(final EventBatch batch, final RowSets sets)
    {
        final int n = batch.size();
        if (texts != null)
        {
            texts.bind(batch);
            final int[] ids = texts.known();
            for (int row = 0; row < n; row++)
            {
                add(keys.slotOfId(ids[row]), sets, row);
            }
            return;
        }
        final long[] values = numbers.read(batch);
        final boolean hasNulls = batch.hasNulls(column);
        for (int row = 0; row < n; row++)
        {
            if (!hasNulls || !batch.isNull(column, row))
            {
                add(keys.slotOfNumber(values[row]), sets, row);
            }
        }
    }

    private void add(final int slot, final RowSets sets, final int row)
    {
        if (slot != TemplateKeys.NONE)
        {
            statements.add(slot, sets, row);
        }
    }
}
