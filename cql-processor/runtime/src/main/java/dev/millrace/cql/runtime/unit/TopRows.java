package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * The first rows of each partition of an ordered relation. Rows that are equal in all terms are in order of arrival.
 *
 * <p>The best rows of each partition are kept sorted, more of them than are shown. All other rows are outside,
 * unsorted, and not better than the sorted ones. When so many rows have left that too few are sorted, the best outside
 * rows are selected: a row therefore costs a few comparisons, whichever rows leave. A relation that only grows stores
 * only the rows that are shown.
 *
 * <p>A row consists of the longs of its columns, those of its terms, and its number. Codes among the terms are also
 * among the columns, which retain them. Changes to the rows that are shown are collected until the end of the instant:
 * {@link #settle}, then {@link #next}, then {@link #clear}.
 *
 * <p>Confined to the engine thread.
 */
public final class TopRows implements StateHolder
{
    private static final int FEWEST = 16;
    /** Additional sorted rows for each row that is shown. */
    private static final int SPARE = 7;
    /** Minimum share of additional sorted rows: one in 2 to the power of this number. */
    private static final int SHARE_BITS = 6;
    /** Up to this many shown rows, {@link #SPARE} others for each of them are kept sorted. */
    private static final int FEW = 1024;

    private static final byte IS_TOP = 1;
    private static final byte WAS_TOP = 2;
    private static final byte TOUCHED = 4;
    private static final byte IN_ORDER = 8;
    private static final byte GONE = 16;

    /** Longs of the terms of the arriving row; the caller fills them before {@link #accepts}. */
    public final long[] key;
    public final RowSlab rows;
    private final TermOrder order;
    private final int terms;
    private final int columns;
    private final int limit;
    private final boolean isGrowing;
    private final MemoryAccount memory;
    private byte[] states = new byte[FEWEST];
    /** The partition of each row. */
    private int[] partOf = new int[FEWEST];
    private long arrivals;
    /**
     * Of each partition: the sorted rows and their number, the total number of rows, and the list of all rows. A row
     * takes two longs; the first one distinguishes it from most others, so that their words need not be read.
     */
    private long[][] best = new long[FEWEST][];
    private int[] bestCount = new int[FEWEST];
    private int[] total = new int[FEWEST];
    private int[] first = new int[FEWEST];
    private int[] last = new int[FEWEST];
    /** Of each partition: the terms of the best outside row, or of a former one. */
    private long[] edges;
    private boolean[] hasEdge = new boolean[FEWEST];
    /**
     * Of each partition of a relation that only grows: the first long of the last row that is shown, the greatest one
     * while fewer rows exist than are shown. Most rows that are not accepted read nothing else of their partition.
     */
    private long[] worst = new long[FEWEST];
    /** Partitions with too few sorted rows. */
    private int[] lacking = new int[FEWEST];
    private int lackingCount;
    private boolean[] lacks = new boolean[FEWEST];
    private int[] touched = new int[FEWEST];
    private int touchedCount;

    /**
     * @param order     of the rows
     * @param columns   longs of the columns of a row
     * @param codes     those longs that are codes
     * @param limit     number of rows shown per partition, at least 1
     * @param isGrowing whether rows never leave
     * @param maxRows   maximum number of rows
     * @param memory    checked before it grows
     */
    public TopRows(final TermOrder order, final int columns, final CodeColumns codes, final long limit,
        final boolean isGrowing, final int maxRows, final MemoryAccount memory)
    {
        this.order = order;
        terms = order.terms;
        this.limit = (int)Math.min(limit, Integer.MAX_VALUE / 2);
        this.isGrowing = isGrowing;
        this.memory = memory;
        key = new long[terms];
        edges = new long[FEWEST * terms];
        this.columns = columns;
        Arrays.fill(worst, Long.MAX_VALUE);
        rows = new RowSlab(columns + terms + 1, order.borrowedBy(codes, columns), maxRows, memory);
    }


    /** Index of a row's terms. */
    private int terms(final int row)
    {
        return row * rows.width + columns;
    }

    /** Negative when the first row precedes the second. */
    private int compareRows(final int a, final int b)
    {
        final int at = terms(a);
        final int bt = terms(b);
        final int byTerms = order.compare(rows.words, at, rows.words, bt);
        return byTerms != 0 ? byTerms : Long.compare(rows.words[at + terms], rows.words[bt + terms]);
    }

    /**
     * Whether a row with the terms {@link #key} must be stored.
     *
     * @return false when it is never shown
     */
    public boolean accepts(final int part)
    {
        if (!isGrowing || part >= total.length)
        {
            return true;
        }
        final long own = order.first(key, 0);
        return own < worst[part] || own == worst[part] && (bestCount[part] < limit ||
            order.compare(key, 0, rows.words, terms((int)best[part][2 * limit - 1])) < 0);
    }

    /**
     * Adds a row with the terms {@link #key}, whose columns the caller has written.
     *
     * @param row from {@link RowSlab#take}
     */
    public void enter(final int part, final int row)
    {
        reach(part, row);
        final int at = terms(row);
        System.arraycopy(key, 0, rows.words, at, terms);
        rows.words[at + terms] = arrivals++;
        rows.hold(row, true);
        states[row] = 0;
        partOf[row] = part;
        if (!isGrowing)
        {
            rows.append(row, total[part] == 0 ? RowSlab.NONE : last[part]);
            if (total[part]++ == 0)
            {
                first[part] = row;
            }
            last[part] = row;
        }
        if (!hasEdge[part] || order.compare(key, 0, edges, part * terms) < 0)
        {
            putInOrder(part, row);
        }
    }

    private void reach(final int part, final int row)
    {
        if (row >= states.length)
        {
            memory.charge((long)(rows.capacity() - states.length) * (1 + Integer.BYTES));
            states = Arrays.copyOf(states, rows.capacity());
            partOf = Arrays.copyOf(partOf, rows.capacity());
        }
        if (part >= total.length)
        {
            final int length = Math.max(part + 1, total.length * 2);
            memory.charge((length - total.length) * (Long.BYTES * (4L + terms) + 2));
            best = Arrays.copyOf(best, length);
            bestCount = Arrays.copyOf(bestCount, length);
            first = Arrays.copyOf(first, length);
            last = Arrays.copyOf(last, length);
            edges = Arrays.copyOf(edges, length * terms);
            hasEdge = Arrays.copyOf(hasEdge, length);
            lacks = Arrays.copyOf(lacks, length);
            worst = Arrays.copyOf(worst, length);
            Arrays.fill(worst, total.length, length, Long.MAX_VALUE);
            total = Arrays.copyOf(total, length);
        }
    }

    /** Number of rows of a partition that are kept sorted. */
    private int most(final int part)
    {
        if (isGrowing)
        {
            return limit;
        }
        final long spare = limit <= FEW ? (long)limit * SPARE : limit / SPARE;
        return (int)Math.min(limit + Math.max(spare, total[part] >> SHARE_BITS), Integer.MAX_VALUE / 2);
    }

    /** Inserts a row into the sorted rows. */
    private void putInOrder(final int part, final int row)
    {
        final int count = bestCount[part];
        long[] ordered = best[part];
        if (ordered == null || 2 * count == ordered.length)
        {
            final int length = ordered == null ? Math.min(limit, 2) + 2 : count * 2;
            memory.charge((length - count) * 2L * Long.BYTES);
            ordered = ordered == null ? new long[2 * length] : Arrays.copyOf(ordered, 2 * length);
            best[part] = ordered;
        }
        final int at = position(ordered, count, row);
        System.arraycopy(ordered, 2 * at, ordered, 2 * at + 2, 2 * (count - at));
        ordered[2 * at] = order.first(rows.words, terms(row));
        ordered[2 * at + 1] = row;
        states[row] |= IN_ORDER;
        bestCount[part] = count + 1;
        if (at < limit)
        {
            show(row, true);
            if (count >= limit)
            {
                show(row(ordered, limit), false);
            }
        }
        if (count + 1 > most(part))
        {
            push(part, row(ordered, count));
        }
        learnWorst(part);
    }

    private void learnWorst(final int part)
    {
        if (isGrowing && bestCount[part] == limit)
        {
            worst[part] = best[part][2 * limit - 2];
        }
    }

    /** The index of a row that is sorted or is to be inserted. Rows mostly arrive last or first. */
    private int position(final long[] ordered, final int count, final int row)
    {
        final long own = order.first(rows.words, terms(row));
        int low = 0;
        int high = count;
        while (low < high)
        {
            final int middle = low + high >>> 1;
            final long other = ordered[2 * middle];
            if (other < own || other == own && compareRows(row(ordered, middle), row) < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    private static int row(final long[] ordered, final int index)
    {
        return (int)ordered[2 * index + 1];
    }

    /** Moves the last sorted row outside. */
    private void push(final int part, final int row)
    {
        bestCount[part]--;
        states[row] &= ~IN_ORDER;
        if (isGrowing)
        {
            leaves(row);
            return;
        }
        dropEdge(part);
        hasEdge[part] = true;
        System.arraycopy(rows.words, terms(row), edges, part * terms, terms);
        order.hold(edges, part * terms, true);
    }

    private void dropEdge(final int part)
    {
        if (hasEdge[part])
        {
            order.hold(edges, part * terms, false);
            hasEdge[part] = false;
        }
    }

    private void show(final int row, final boolean isTop)
    {
        states[row] = (byte)(isTop ? states[row] | IS_TOP : states[row] & ~IS_TOP);
        if ((states[row] & TOUCHED) == 0)
        {
            states[row] |= TOUCHED;
            if (touchedCount == touched.length)
            {
                touched = Arrays.copyOf(touched, touchedCount * 2);
            }
            touched[touchedCount++] = row;
        }
    }

    /** Marks a row as removed; its index is freed when there are no references to it. */
    private void leaves(final int row)
    {
        states[row] |= GONE;
        if ((states[row] & TOUCHED) == 0)
        {
            free(row);
        }
    }

    private void free(final int row)
    {
        rows.hold(row, false);
        rows.free(row);
    }

    /**
     * Removes a row.
     *
     * @return its partition
     */
    public int leave(final int row)
    {
        final int part = partOf[row];
        if ((states[row] & IN_ORDER) != 0)
        {
            final long[] ordered = best[part];
            final int at = position(ordered, bestCount[part], row);
            final int count = --bestCount[part];
            System.arraycopy(ordered, 2 * at + 2, ordered, 2 * at, 2 * (count - at));
            if (at < limit)
            {
                show(row, false);
                if (count >= limit)
                {
                    show(row(ordered, limit - 1), true);
                }
            }
        }
        if (first[part] == row)
        {
            first[part] = rows.next(row);
        }
        if (last[part] == row)
        {
            last[part] = rows.previous(row);
        }
        rows.unlink(row);
        total[part]--;
        lack(part);
        leaves(row);
        return part;
    }

    private void lack(final int part)
    {
        if (total[part] == bestCount[part])
        {
            dropEdge(part);
        }
        else if (bestCount[part] < limit && !lacks[part])
        {
            lacks[part] = true;
            if (lackingCount == lacking.length)
            {
                lacking = Arrays.copyOf(lacking, lackingCount * 2);
            }
            lacking[lackingCount++] = part;
        }
    }

    /** Selects the best outside rows. */
    private void refill(final int part)
    {
        dropEdge(part);
        for (int row = first[part], n = total[part]; n > 0; n--, row = rows.next(row))
        {
            if ((states[row] & IN_ORDER) == 0 &&
                (!hasEdge[part] || order.compare(rows.words, terms(row), edges, part * terms) < 0))
            {
                putInOrder(part, row);
            }
        }
    }

    /** Whether the rows that are shown may have changed in the instant, so that {@link #settle} must be called. */
    public boolean isTouched()
    {
        return touchedCount > 0;
    }

    /** Determines which rows are shown now. */
    public void settle()
    {
        for (int i = 0; i < lackingCount; i++)
        {
            final int part = lacking[i];
            lacks[part] = false;
            if (bestCount[part] < limit && bestCount[part] < total[part])
            {
                refill(part);
            }
        }
        lackingCount = 0;
    }

    /**
     * The next row that has appeared or disappeared in the instant.
     *
     * @param after  previous index, -1 for the first
     * @param enters whether to return rows that have appeared
     * @return index for {@link #row}, -1 if none exists
     */
    public int next(final int after, final boolean enters)
    {
        final int wanted = enters ? IS_TOP : WAS_TOP;
        for (int i = after + 1; i < touchedCount; i++)
        {
            if ((states[touched[i]] & (IS_TOP | WAS_TOP)) == wanted)
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * A row that has changed.
     *
     * @param index from {@link #next}
     */
    public int row(final int index)
    {
        return touched[index];
    }

    /** Starts the next instant. */
    public void clear()
    {
        for (int i = 0; i < touchedCount; i++)
        {
            final int row = touched[i];
            if ((states[row] & GONE) != 0)
            {
                free(row);
            }
            final boolean isTop = (states[row] & IS_TOP) != 0;
            states[row] = (byte)(states[row] & IN_ORDER | (isTop ? IS_TOP | WAS_TOP : 0));
        }
        touchedCount = 0;
    }

    @Override
    public void write(final StateOutput to)
    {
        rows.write(to);
        to.writeLong(arrivals);
        final int count = Math.min(states.length, rows.capacity());
        to.writeCount(count);
        to.writeBytes(states, 0, count);
        to.writeInts(partOf, 0, count);
        to.writeCount(total.length);
        for (int part = 0; part < total.length; part++)
        {
            writePart(to, part);
        }
        to.writeCount(lackingCount);
        to.writeInts(lacking, 0, lackingCount);
        to.writeCount(touchedCount);
        to.writeInts(touched, 0, touchedCount);
    }

    private void writePart(final StateOutput to, final int part)
    {
        to.writeCount(bestCount[part]);
        for (int i = 0; i < bestCount[part]; i++)
        {
            to.writeInt(row(best[part], i));
        }
        to.writeInt(total[part]);
        to.writeInt(first[part]);
        to.writeInt(last[part]);
        to.writeBoolean(lacks[part]);
        to.writeBoolean(hasEdge[part]);
        if (hasEdge[part])
        {
            order.codes().write(to, edges, part * terms, terms);
        }
    }

    @Override
    public void read(final StateInput from)
    {
        rows.read(from);
        arrivals = from.readLong();
        final int count = from.readSize(1 + Integer.BYTES);
        reach(0, count - 1);
        states = Arrays.copyOf(states, Math.max(states.length, count));
        partOf = Arrays.copyOf(partOf, states.length);
        from.readBytes(states, 0, count);
        from.readInts(partOf, 0, count);
        final int parts = from.readSize(3 * Integer.BYTES);
        reach(parts - 1, 0);
        for (int part = 0; part < parts; part++)
        {
            readPart(from, part);
        }
        lackingCount = from.readSize(Integer.BYTES);
        lacking = new int[Math.max(FEWEST, lackingCount)];
        from.readInts(lacking, 0, lackingCount);
        touchedCount = from.readSize(Integer.BYTES);
        touched = new int[Math.max(FEWEST, touchedCount)];
        from.readInts(touched, 0, touchedCount);
    }

    private void readPart(final StateInput from, final int part)
    {
        bestCount[part] = from.readSize(Integer.BYTES);
        if (bestCount[part] > 0)
        {
            best[part] = new long[2 * Math.max(bestCount[part], Math.min(limit, 2) + 2)];
            memory.charge((long)best[part].length * Long.BYTES);
            for (int i = 0; i < bestCount[part]; i++)
            {
                final int row = StateInput.checked(from.readInt(), rows.capacity(), "row");
                best[part][2 * i] = order.first(rows.words, terms(row));
                best[part][2 * i + 1] = row;
            }
            learnWorst(part);
        }
        total[part] = from.readInt();
        first[part] = from.readInt();
        last[part] = from.readInt();
        lacks[part] = from.readBoolean();
        hasEdge[part] = from.readBoolean();
        if (hasEdge[part])
        {
            order.codes().read(from, edges, part * terms, terms);
        }
    }
}
