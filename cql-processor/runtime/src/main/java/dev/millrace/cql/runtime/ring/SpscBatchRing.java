package dev.millrace.cql.runtime.ring;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumnRing;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A bounded single-producer, single-consumer ring of rows: columns of primitives, and strings by value. Rows of many
 * small batches arrive as few full batches, and nothing is allocated.
 *
 * <p>The ring also carries heartbeats (time has passed) between the rows. Their order relative to the rows is
 * preserved. Heartbeats that a later row has already made obsolete are skipped by {@link #poll}.
 *
 * <p>Threads: a single producer calls the {@code offer} methods, a single consumer calls {@code poll}; both may read
 * sizes. Nothing blocks: {@code offer} accepts as many rows as fit and returns their number. The caller provides
 * {@link Parker}s for both sides.
 */
public final class SpscBatchRing
{
    /** {@link #poll} found nothing. */
    public static final int EMPTY = 0;
    /** {@link #poll} found a heartbeat: the batch has no rows; its base timestamp is the time. */
    public static final int HEARTBEAT = -1;

    /** Bits of a row's tag: the parts it has in addition to values and a time. Other parts are not copied. */
    private static final byte ORIGIN = 1;
    private static final byte KIND = 2;
    private static final byte NULLS = 4;
    private static final byte HEARTBEAT_TAG = 8;
    private static final byte SEQUENCE = 16;

    private final BatchSchema schema;
    private final ColumnStorage[] storages;
    private final int capacity;
    private final int mask;
    /** Arrays of values; {@code null} for strings and for columns that are not transferred. */
    private final Object[] columns;
    /** Strings by column; {@code null} for other types and for columns that are not transferred. */
    private final CharColumnRing[] texts;
    private final byte[][] nulls;
    private final long[] timestampsNs;
    private final long[] originsNs;
    private final byte[] kinds;
    /** Created by the producer with the first row that has a sequence. */
    private long[] sequences;
    private final byte[] tags;
    private final RingIndex head = new RingIndex();
    private final RingIndex tail = new RingIndex();
    /** The last head position that the producer has read. */
    private long headSeen;
    /** The last tail position that the consumer has read. */
    private long tailSeen;
    private int polledRecords;

    /**
     * A ring that transfers all columns.
     *
     * @param capacityRows bound, rounded up to a power of two, at least {@link EventBatch#CAPACITY}
     */
    public SpscBatchRing(final BatchSchema schema, final int capacityRows)
    {
        this(schema, column -> true, capacityRows);
    }

    /**
     * @param isHanded     columns to transfer; the content of other columns is undefined for the consumer
     * @param capacityRows bound, rounded up to a power of two, at least {@link EventBatch#CAPACITY}
     */
    public SpscBatchRing(final BatchSchema schema, final IntPredicate isHanded, final int capacityRows)
    {
        this.schema = schema;
        final int wanted = Math.max(EventBatch.CAPACITY, capacityRows);
        if (wanted > 1 << 30)
        {
            throw new IllegalArgumentException("ring is too big, capacityRows=" + capacityRows);
        }
        capacity = Integer.highestOneBit(wanted - 1) << 1;
        mask = capacity - 1;
        final int count = schema.columnCount();
        columns = new Object[count];
        texts = new CharColumnRing[count];
        nulls = new byte[count][];
        storages = new ColumnStorage[count];
        for (int i = 0; i < count; i++)
        {
            storages[i] = schema.storage(i);
            if (!isHanded.test(i))
            {
                continue;
            }
            final boolean isText = storages[i] == ColumnStorage.TEXT;
            columns[i] = isText ? null : storages[i].newArray(capacity);
            texts[i] = isText ? new CharColumnRing(capacity) : null;
            nulls[i] = storages[i].usesNullBitmap() ? new byte[capacity] : null;
        }
        timestampsNs = new long[capacity];
        originsNs = new long[capacity];
        kinds = new byte[capacity];
        tags = new byte[capacity];
    }

    public BatchSchema schema()
    {
        return schema;
    }

    /** Maximum number of rows and heartbeats. */
    public int capacityRows()
    {
        return capacity;
    }

    /** Bytes of its arrays, without long strings and objects. */
    public long sizeBytes()
    {
        long rowBytes = 2L * Long.BYTES + 2L * Byte.BYTES;
        for (int column = 0; column < columns.length; column++)
        {
            rowBytes += texts[column] != null ? CharColumnRing.placeBytes() : columns[column] == null ? 0 :
                switch (storages[column])
                {
                    case INT64, FLOAT64 -> Long.BYTES;
                    case BIT -> Byte.BYTES;
                    default -> Integer.BYTES;
                };
            rowBytes += nulls[column] == null ? 0 : Byte.BYTES;
        }
        return capacity * rowBytes;
    }

    /** Bytes of the long strings it currently contains; for the producer. */
    public long textBytes()
    {
        long bytes = 0;
        for (final CharColumnRing each : texts)
        {
            bytes += each == null ? 0 : each.textBytes();
        }
        return bytes;
    }

    /** Current number of rows and heartbeats; for the consumer, exact only while the producer is idle. */
    public int sizeRows()
    {
        final long first = head.acquire();
        return (int)Math.max(0, Math.min(capacity, tail.acquire() - first));
    }

    /** Whether the consumer would find nothing. */
    public boolean isEmpty()
    {
        return head.acquire() == tail.acquire();
    }

    private int room(final int wanted)
    {
        final long position = tail.own();
        if (capacity - (position - headSeen) < wanted)
        {
            headSeen = head.acquire();
        }
        return (int)Math.min(wanted, capacity - (position - headSeen));
    }

    /**
     * Producer: adds as many rows of a batch as fit.
     *
     * @param rows batch of {@link #schema()}
     * @param from first row to add
     * @return number of rows added, 0 when full
     */
    public int offer(final EventBatch rows, final int from)
    {
        final int count = room(rows.size() - from);
        if (count > 0)
        {
            final int start = (int)tail.own() & mask;
            final int first = Math.min(count, capacity - start);
            putTexts(rows, null, from, count, start);
            copyIn(rows, from, start, first);
            copyIn(rows, from + first, 0, count - first);
            tail.release(tail.own() + count);
        }
        return count;
    }

    private void putTexts(
        final EventBatch rows, final int[] selection, final int from, final int count, final int start)
    {
        for (int column = 0; column < texts.length; column++)
        {
            if (texts[column] != null)
            {
                texts[column].put(rows.texts(column), selection, from, count, start);
            }
        }
    }

    private void copyIn(final EventBatch rows, final int from, final int at, final int count)
    {
        if (count == 0)
        {
            return;
        }
        final byte tag = tag(rows);
        for (int column = 0; column < columns.length; column++)
        {
            if (columns[column] == null)
            {
                continue;
            }
            System.arraycopy(rows.array(column), from, columns[column], at, count);
            if ((tag & NULLS) != 0 && nulls[column] != null)
            {
                final boolean any = rows.hasNulls(column);
                for (int i = 0; i < count; i++)
                {
                    nulls[column][at + i] = (byte)(any && rows.isNull(column, from + i) ? 1 : 0);
                }
            }
        }
        if (rows.timestampPerRow())
        {
            System.arraycopy(rows.timestampsNs(), from, timestampsNs, at, count);
        }
        else
        {
            final long baseNs = rows.baseTimestampNs() + from;
            for (int i = 0; i < count; i++)
            {
                timestampsNs[at + i] = baseNs + i;
            }
        }
        Arrays.fill(tags, at, at + count, tag);
        if ((tag & KIND) != 0)
        {
            System.arraycopy(rows.kinds(), from, kinds, at, count);
        }
        if ((tag & ORIGIN) != 0)
        {
            System.arraycopy(rows.originsNs(), from, originsNs, at, count);
        }
        if ((tag & SEQUENCE) != 0)
        {
            System.arraycopy(rows.sequences(), from, sequences(), at, count);
        }
    }

    private long[] sequences()
    {
        sequences = sequences == null ? new long[capacity] : sequences;
        return sequences;
    }

    private byte tag(final EventBatch rows)
    {
        int tag = (rows.hasOrigins() ? ORIGIN : 0) | (rows.hasKinds() ? KIND : 0) |
            (rows.hasSequences() ? SEQUENCE : 0);
        for (int column = 0; column < nulls.length; column++)
        {
            tag |= nulls[column] != null && rows.hasNulls(column) ? NULLS : 0;
        }
        return (byte)tag;
    }

    /**
     * Producer: adds as many selected rows of a batch as fit: the rows that one worker owns.
     *
     * @param rows      batch of {@link #schema()}
     * @param selection row numbers
     * @param from      first index of the selection to add
     * @param to        end index, exclusive
     * @return number of rows added, 0 when full
     */
    public int offer(final EventBatch rows, final int[] selection, final int from, final int to)
    {
        final int count = room(to - from);
        if (count <= 0)
        {
            return 0;
        }
        final int start = (int)tail.own() & mask;
        putTexts(rows, selection, from, count, start);
        final int first = Math.min(count, capacity - start);
        gather(rows, selection, from, first, start);
        gather(rows, selection, from + first, count - first, 0);
        tail.release(tail.own() + count);
        return count;
    }

    /** Copies selected rows to consecutive positions. */
    private void gather(
        final EventBatch rows, final int[] selection, final int from, final int count, final int start)
    {
        if (count == 0)
        {
            return;
        }
        final byte tag = tag(rows);
        for (int column = 0; column < columns.length; column++)
        {
            if (columns[column] == null)
            {
                continue;
            }
            gather(storages[column], rows.array(column), selection, from, count, columns[column], start);
            if ((tag & NULLS) != 0 && nulls[column] != null)
            {
                gatherNulls(rows, column, selection, from, count, start);
            }
        }
        gatherTimes(rows, selection, from, count, start);
        Arrays.fill(tags, start, start + count, tag);
        if ((tag & ORIGIN) != 0)
        {
            gatherLongs(rows.originsNs(), selection, from, count, originsNs, start);
        }
        if ((tag & SEQUENCE) != 0)
        {
            gatherLongs(rows.sequences(), selection, from, count, sequences(), start);
        }
        for (int i = 0; (tag & KIND) != 0 && i < count; i++)
        {
            kinds[start + i] = rows.kind(selection[from + i]);
        }
    }

    private void gatherTimes(
        final EventBatch rows, final int[] selection, final int from, final int count, final int start)
    {
        if (rows.timestampPerRow())
        {
            gatherLongs(rows.timestampsNs(), selection, from, count, timestampsNs, start);
            return;
        }
        final long baseNs = rows.baseTimestampNs();
        for (int i = 0; i < count; i++)
        {
            timestampsNs[start + i] = baseNs + selection[from + i];
        }
    }

    private void gatherNulls(final EventBatch rows, final int column, final int[] selection, final int from,
        final int count, final int start)
    {
        final byte[] target = nulls[column];
        final boolean any = rows.hasNulls(column);
        for (int i = 0; i < count; i++)
        {
            target[start + i] = (byte)(any && rows.isNull(column, selection[from + i]) ? 1 : 0);
        }
    }

    private void gather(final ColumnStorage storage, final Object source, final int[] selection, final int from,
        final int count, final Object target, final int start)
    {
        switch (storage)
        {
            case INT32 -> gatherInts((int[])source, selection, from, count, (int[])target, start);
            case FLOAT64 -> gatherDoubles((double[])source, selection, from, count, (double[])target, start);
            case INT64 -> gatherLongs((long[])source, selection, from, count, (long[])target, start);
            default ->
            {
                for (int i = 0; i < count; i++)
                {
                    System.arraycopy(source, selection[from + i], target, start + i, 1);
                }
            }
        }
    }

    private void gatherInts(final int[] source, final int[] selection, final int from, final int count,
        final int[] target, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            target[start + i] = source[selection[from + i]];
        }
    }

    private void gatherDoubles(final double[] source, final int[] selection, final int from, final int count,
        final double[] target, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            target[start + i] = source[selection[from + i]];
        }
    }

    private void gatherLongs(final long[] source, final int[] selection, final int from, final int count,
        final long[] target, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            target[start + i] = source[selection[from + i]];
        }
    }

    /**
     * Producer: adds a heartbeat.
     *
     * @param timeNs no later row is older
     * @return false when full
     */
    public boolean offerHeartbeat(final long timeNs)
    {
        if (room(1) < 1)
        {
            return false;
        }
        final int at = (int)tail.own() & mask;
        tags[at] = HEARTBEAT_TAG;
        timestampsNs[at] = timeNs;
        tail.release(tail.own() + 1);
        return true;
    }

    /**
     * Consumer: reads the next rows or heartbeat without waiting. A batch ends at the next heartbeat that is relevant,
     * and where rows with and without origins, sequences, kinds or nulls adjoin. A heartbeat is not relevant when a
     * later row or heartbeat is already in the ring.
     *
     * @param into batch of {@link #schema()}; cleared and filled
     * @return number of rows, {@link #EMPTY} or {@link #HEARTBEAT}
     */
    public int poll(final EventBatch into)
    {
        final long position = head.own();
        polledRecords = 0;
        // Read once, so that the call sees the records present at its start and none that arrive later.
        if (tailSeen - position < EventBatch.CAPACITY)
        {
            tailSeen = tail.acquire();
        }
        if (tailSeen == position)
        {
            return EMPTY;
        }
        into.clear();
        final long first = skipped(position);
        final byte tag = tags[(int)first & mask];
        final boolean isHeartbeat = tag == HEARTBEAT_TAG;
        if (isHeartbeat)
        {
            into.baseTimestampNs(timestampsNs[(int)first & mask]);
        }
        final long next = isHeartbeat ? first + 1 : rows(into, tag, first);
        polledRecords = (int)(next - position);
        head.release(next);
        return isHeartbeat ? HEARTBEAT : into.size();
    }

    /** Number of rows and heartbeats that the last {@link #poll} consumed. */
    public int polledRecords()
    {
        return polledRecords;
    }

    /** The first record from a position on that is not a heartbeat followed by a row or heartbeat of a later time. */
    private long skipped(final long from)
    {
        long position = from;
        while (tags[(int)position & mask] == HEARTBEAT_TAG && position + 1 < tailSeen &&
            timestampsNs[(int)(position + 1) & mask] > timestampsNs[(int)position & mask])
        {
            position++;
        }
        return position;
    }

    /** Fills a batch with rows of one tag; returns the position after them. */
    private long rows(final EventBatch into, final byte tag, final long from)
    {
        long position = from;
        int size = 0;
        while (size < EventBatch.CAPACITY && position < tailSeen)
        {
            final long row = skipped(position);
            final int start = (int)row & mask;
            final int most = (int)Math.min(Math.min(EventBatch.CAPACITY - size, tailSeen - row), capacity - start);
            int count = 0;
            while (count < most && tags[start + count] == tag)
            {
                count++;
            }
            if (count == 0)
            {
                break;
            }
            copyOut(into, size, start, count, tag);
            size += count;
            position = row + count;
        }
        into.size(size);
        return position;
    }

    private void copyOut(final EventBatch into, final int row, final int at, final int count, final byte tag)
    {
        for (int column = 0; column < columns.length; column++)
        {
            if (texts[column] != null)
            {
                texts[column].take(at, count, into.texts(column), row);
            }
            if (columns[column] == null)
            {
                continue;
            }
            System.arraycopy(columns[column], at, into.array(column), row, count);
            if (storages[column] == ColumnStorage.REFERENCE)
            {
                Arrays.fill((Object[])columns[column], at, at + count, null);
            }
            else if ((tag & NULLS) != 0 && nulls[column] != null)
            {
                nullsOut(into, column, row, at, count);
            }
        }
        System.arraycopy(timestampsNs, at, into.useTimestampPerRow(), row, count);
        if ((tag & ORIGIN) != 0)
        {
            System.arraycopy(originsNs, at, into.useOrigins(), row, count);
        }
        if ((tag & SEQUENCE) != 0)
        {
            System.arraycopy(sequences, at, into.useSequences(), row, count);
        }
        if ((tag & KIND) != 0)
        {
            System.arraycopy(kinds, at, into.useKinds(), row, count);
        }
    }

    private void nullsOut(final EventBatch into, final int column, final int row, final int at, final int count)
    {
        final byte[] source = nulls[column];
        int any = 0;
        for (int i = 0; i < count; i++)
        {
            any |= source[at + i];
        }
        for (int i = 0; any != 0 && i < count; i++)
        {
            if (source[at + i] != 0)
            {
                into.setNull(column, row + i);
            }
        }
    }
}
