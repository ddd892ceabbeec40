package dev.millrace.api.event;

import java.util.Arrays;

/** Copies rows between batches of equal schemas; see {@link EventBatch#copyRows} for the contract. */
final class RowCopy
{
    /** Minimum length of a run of consecutive rows for which copying a block is faster than copying rows. */
    private static final int SHORT_RUN = 16;

    private RowCopy()
    {
    }

    /** Copies consecutive rows. */
    static void rows(
        final EventBatch source, final int sourceRow, final EventBatch target, final int row, final int count)
    {
        for (int column = 0; column < target.schema().columnCount(); column++)
        {
            if (target.texts(column) != null)
            {
                target.texts(column).copyRows(source.texts(column), sourceRow, row, count);
                continue;
            }
            System.arraycopy(source.array(column), sourceRow, target.array(column), row, count);
            if (target.hasNulls(column) || source.hasNulls(column))
            {
                nulls(source, column, sourceRow, target, row, count);
            }
        }
        head(source, sourceRow, target, row, count);
    }

    /** Copies selected rows: in blocks while runs are long, then row by row. */
    static void selected(final EventBatch source, final int[] selection, final int from, final EventBatch target,
        final int row, final int count)
    {
        int done = 0;
        while (done < count)
        {
            final int first = selection[from + done];
            int run = 1;
            while (done + run < count && selection[from + done + run] == first + run)
            {
                run++;
            }
            if (done + run < count && run < SHORT_RUN)
            {
                gather(source, selection, from + done, target, row + done, count - done);
                return;
            }
            rows(source, first, target, row + done, run);
            done += run;
        }
    }

    private static void gather(final EventBatch source, final int[] selection, final int from, final EventBatch target,
        final int row, final int count)
    {
        for (int column = 0; column < target.schema().columnCount(); column++)
        {
            if (target.texts(column) != null)
            {
                target.texts(column).copySelected(source.texts(column), selection, from, row, count);
                continue;
            }
            gather(source.array(column), target.array(column), selection, from, row, count);
            if (target.hasNulls(column) || source.hasNulls(column))
            {
                for (int i = 0; i < count; i++)
                {
                    nulls(source, column, selection[from + i], target, row + i, 1);
                }
            }
        }
        for (int i = 0; i < count; i++)
        {
            head(source, selection[from + i], target, row + i, 1);
        }
    }

    private static void gather(
        final Object source, final Object target, final int[] selection, final int from, final int row, final int count)
    {
        if (source instanceof int[] ints)
        {
            for (int i = 0; i < count; i++)
            {
                ((int[])target)[row + i] = ints[selection[from + i]];
            }
        }
        else if (source instanceof long[] longs)
        {
            for (int i = 0; i < count; i++)
            {
                ((long[])target)[row + i] = longs[selection[from + i]];
            }
        }
        else if (source instanceof double[] doubles)
        {
            for (int i = 0; i < count; i++)
            {
                ((double[])target)[row + i] = doubles[selection[from + i]];
            }
        }
        else
        {
            for (int i = 0; i < count; i++)
            {
                System.arraycopy(source, selection[from + i], target, row + i, 1);
            }
        }
    }

    private static void nulls(final EventBatch source, final int column, final int sourceRow, final EventBatch target,
        final int row, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            target.clearNull(column, row + i);
            if (source.hasNulls(column) && (source.nullBits(column)[sourceRow + i >> 6] & 1L << sourceRow + i) != 0)
            {
                target.setNull(column, row + i);
            }
        }
    }

    /** Copies times, origins, sequences and kinds; when the target had none so far, sets them for its earlier rows. */
    private static void head(
        final EventBatch source, final int sourceRow, final EventBatch target, final int row, final int count)
    {
        times(source, sourceRow, target, row, count);
        if (source.hasOrigins())
        {
            if (!target.hasOrigins())
            {
                Arrays.fill(target.useOrigins(), 0, row, 0L);
            }
            System.arraycopy(source.originsNs(), sourceRow, target.originsNs(), row, count);
        }
        else if (target.hasOrigins())
        {
            Arrays.fill(target.originsNs(), row, row + count, 0L);
        }
        if (source.hasSequences())
        {
            if (!target.hasSequences())
            {
                Arrays.fill(target.useSequences(), 0, row, RowSequence.NONE);
            }
            System.arraycopy(source.sequences(), sourceRow, target.sequences(), row, count);
        }
        else if (target.hasSequences())
        {
            Arrays.fill(target.sequences(), row, row + count, RowSequence.NONE);
        }
        if (source.hasKinds())
        {
            if (!target.hasKinds())
            {
                Arrays.fill(target.useKinds(), 0, row, EventBatch.INSERT);
            }
            System.arraycopy(source.kinds(), sourceRow, target.kinds(), row, count);
        }
        else if (target.hasKinds())
        {
            Arrays.fill(target.kinds(), row, row + count, EventBatch.INSERT);
        }
    }

    private static void times(
        final EventBatch source, final int sourceRow, final EventBatch target, final int row, final int count)
    {
        if (!target.timestampPerRow())
        {
            final long baseNs = target.baseTimestampNs();
            final long[] timesNs = target.useTimestampPerRow();
            for (int i = 0; i < row; i++)
            {
                timesNs[i] = baseNs + i;
            }
        }
        if (source.timestampPerRow())
        {
            System.arraycopy(source.timestampsNs(), sourceRow, target.timestampsNs(), row, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            target.timestampsNs()[row + i] = source.baseTimestampNs() + sourceRow + i;
        }
    }
}
