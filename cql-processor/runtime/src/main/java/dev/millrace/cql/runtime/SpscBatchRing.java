package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.TextRing;
import java.util.function.IntPredicate;

/**
 * A bounded ring of rows from one thread to one other: columns of primitives and texts by value, so that rows of many
 * small batches arrive as few full ones and nothing is allocated.
 *
 * <p>It also carries <em>control records</em> between the rows: heartbeats (time has passed) and messages (an object,
 * for example a change of a relation). Their order against the rows is kept.
 *
 * <p>Threads: one producer calls the {@code offer} methods, one consumer calls {@code poll}; sizes may be read by
 * both. Nothing blocks: {@code offer} takes what there is room for and says how much. The two sides' {@link
 * Parker}s, made by the caller, put them to sleep.
 */
public final class SpscBatchRing
{
    /** {@link #poll} found nothing. */
    public static final int EMPTY = 0;
    /** {@link #poll} found a heartbeat: the batch has no rows, its base timestamp is the time. */
    public static final int HEARTBEAT = -1;
    /** {@link #poll} found a message: take it with {@link #message()}. The batch's base timestamp is its time. */
    public static final int MESSAGE = -2;

    private static final byte ROW_TAG = 0;
    private static final byte ROW_WITH_ORIGIN_TAG = 1;
    private static final byte HEARTBEAT_TAG = 2;
    private static final byte MESSAGE_TAG = 3;

    private final BatchSchema schema;
    private final ColumnStorage[] storages;
    private final int capacity;
    private final int mask;
    /** Arrays of values; {@code null} for texts, and for columns that stay behind. */
    private final Object[] columns;
    /** Texts by column; {@code null} for others, and for columns that stay behind. */
    private final TextRing[] texts;
    private final byte[][] nulls;
    private final long[] timestampsNs;
    private final long[] originsNs;
    private final byte[] kinds;
    private final byte[] tags;
    private final Object[] messages;
    private final RingIndex head = new RingIndex();
    private final RingIndex tail = new RingIndex();
    /** The producer's last reading of head. */
    private long headSeen;
    /** The consumer's last reading of tail. */
    private long tailSeen;
    private Object message;

    /**
     * Makes an empty ring that hands whole rows over.
     *
     * @param schema       shape of the rows
     * @param capacityRows bound, rounded up to a power of two, at least {@link EventBatch#CAPACITY}
     */
    public SpscBatchRing(final BatchSchema schema, final int capacityRows)
    {
        this(schema, column -> true, capacityRows);
    }

    /**
     * Makes an empty ring.
     *
     * @param schema       shape of the rows
     * @param isHanded     which columns are handed over; in others the consumer finds anything
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
        texts = new TextRing[count];
        nulls = new byte[count][];
        storages = new ColumnStorage[count];
        for (int i = 0; i < count; i++)
        {
            storages[i] = schema.storage(i);
            if (!isHanded.test(i))
            {
                continue;
            }
            final boolean isText = storages[i] == ColumnStorage.DICTIONARY;
            columns[i] = isText ? null : storages[i].newArray(capacity);
            texts[i] = isText ? new TextRing(capacity) : null;
            nulls[i] = storages[i].usesNullBitmap() ? new byte[capacity] : null;
        }
        timestampsNs = new long[capacity];
        originsNs = new long[capacity];
        kinds = new byte[capacity];
        tags = new byte[capacity];
        messages = new Object[capacity];
    }

    /**
     * The shape of its rows.
     *
     * @return schema
     */
    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * The bound.
     *
     * @return greatest number of rows and control records in it
     */
    public int capacityRows()
    {
        return capacity;
    }

    /**
     * Rows and control records in it now.
     *
     * @return 0 to {@link #capacityRows()}, exact for the consumer only when the producer rests
     */
    public int sizeRows()
    {
        final long first = head.acquire();
        return (int)Math.max(0, Math.min(capacity, tail.acquire() - first));
    }

    /**
     * Whether the consumer would find nothing.
     *
     * @return true when empty
     */
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
     * Producer: adds rows of a batch from some row on, as many as there is room for.
     *
     * @param rows batch of {@link #schema()}
     * @param from first row to add
     * @return how many were added, 0 when full
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
        for (int column = 0; column < columns.length; column++)
        {
            if (columns[column] == null)
            {
                continue;
            }
            System.arraycopy(rows.array(column), from, columns[column], at, count);
            if (nulls[column] != null)
            {
                final boolean any = rows.hasNulls(column);
                for (int i = 0; i < count; i++)
                {
                    nulls[column][at + i] = (byte)(any && rows.isNull(column, from + i) ? 1 : 0);
                }
            }
        }
        for (int i = 0; i < count; i++)
        {
            timestampsNs[at + i] = rows.timestampNs(from + i);
            kinds[at + i] = rows.kind(from + i);
        }
        java.util.Arrays.fill(tags, at, at + count, rows.hasOrigins() ? ROW_WITH_ORIGIN_TAG : ROW_TAG);
        if (rows.hasOrigins())
        {
            System.arraycopy(rows.originsNs(), from, originsNs, at, count);
        }
    }

    /**
     * Producer: adds selected rows of a batch, as many as there is room for: the rows that one worker owns.
     *
     * @param rows      batch of {@link #schema()}
     * @param selection row numbers
     * @param from      first place of the selection to add
     * @param to        one past the last
     * @return how many were added, 0 when full
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
        for (int column = 0; column < columns.length; column++)
        {
            if (columns[column] == null)
            {
                continue;
            }
            gather(storages[column], rows.array(column), selection, from, count, columns[column], start);
            if (nulls[column] != null)
            {
                gatherNulls(rows, column, selection, from, count, start);
            }
        }
        final boolean origins = rows.hasOrigins();
        final long[] fromOrigins = rows.originsNs();
        for (int i = 0; i < count; i++)
        {
            final int row = selection[from + i];
            final int at = (start + i) & mask;
            timestampsNs[at] = rows.timestampNs(row);
            kinds[at] = rows.kind(row);
            originsNs[at] = origins ? fromOrigins[row] : 0;
            tags[at] = origins ? ROW_WITH_ORIGIN_TAG : ROW_TAG;
        }
        tail.release(tail.own() + count);
        return count;
    }

    private void gatherNulls(final EventBatch rows, final int column, final int[] selection, final int from,
        final int count, final int start)
    {
        final byte[] target = nulls[column];
        final boolean any = rows.hasNulls(column);
        for (int i = 0; i < count; i++)
        {
            target[(start + i) & mask] = (byte)(any && rows.isNull(column, selection[from + i]) ? 1 : 0);
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
                    System.arraycopy(source, selection[from + i], target, (start + i) & mask, 1);
                }
            }
        }
    }

    private void gatherInts(final int[] source, final int[] selection, final int from, final int count,
        final int[] target, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            target[(start + i) & mask] = source[selection[from + i]];
        }
    }

    private void gatherDoubles(final double[] source, final int[] selection, final int from, final int count,
        final double[] target, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            target[(start + i) & mask] = source[selection[from + i]];
        }
    }

    private void gatherLongs(final long[] source, final int[] selection, final int from, final int count,
        final long[] target, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            target[(start + i) & mask] = source[selection[from + i]];
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
        return offerControl(HEARTBEAT_TAG, timeNs, null);
    }

    /**
     * Producer: adds a message.
     *
     * @param content not {@code null}
     * @param timeNs  its time
     * @return false when full
     */
    public boolean offerMessage(final Object content, final long timeNs)
    {
        return offerControl(MESSAGE_TAG, timeNs, java.util.Objects.requireNonNull(content, "content"));
    }

    private boolean offerControl(final byte tag, final long timeNs, final Object content)
    {
        if (room(1) < 1)
        {
            return false;
        }
        final int at = (int)tail.own() & mask;
        tags[at] = tag;
        timestampsNs[at] = timeNs;
        messages[at] = content;
        tail.release(tail.own() + 1);
        return true;
    }

    /**
     * Consumer: takes what is next. Rows up to the next control record, or up to where rows with and without origins
     * meet, come in one batch; nothing is waited for.
     *
     * @param into batch of {@link #schema()}; cleared and filled
     * @return number of rows, {@link #EMPTY}, {@link #HEARTBEAT} or {@link #MESSAGE}
     */
    public int poll(final EventBatch into)
    {
        final long position = head.own();
        if (tailSeen == position)
        {
            tailSeen = tail.acquire();
            if (tailSeen == position)
            {
                return EMPTY;
            }
        }
        into.clear();
        final int start = (int)position & mask;
        final byte tag = tags[start];
        if (tag >= HEARTBEAT_TAG)
        {
            into.baseTimestampNs(timestampsNs[start]);
            message = messages[start];
            messages[start] = null;
            head.release(position + 1);
            return tag == HEARTBEAT_TAG ? HEARTBEAT : MESSAGE;
        }
        final int available = (int)Math.min(EventBatch.CAPACITY, tailSeen - position);
        int count = 1;
        while (count < available && tags[(start + count) & mask] == tag)
        {
            count++;
        }
        final int first = Math.min(count, capacity - start);
        copyOut(into, 0, start, first, tag);
        copyOut(into, first, 0, count - first, tag);
        into.size(count);
        head.release(position + count);
        return count;
    }

    private void copyOut(final EventBatch into, final int row, final int at, final int count, final byte tag)
    {
        if (count == 0)
        {
            return;
        }
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
                java.util.Arrays.fill((Object[])columns[column], at, at + count, null);
            }
            else if (nulls[column] != null)
            {
                nullsOut(into, column, row, at, count);
            }
        }
        System.arraycopy(timestampsNs, at, into.useTimestampPerRow(), row, count);
        if (tag == ROW_WITH_ORIGIN_TAG)
        {
            System.arraycopy(originsNs, at, into.useOrigins(), row, count);
        }
        int anyKind = 0;
        for (int i = 0; i < count; i++)
        {
            anyKind |= kinds[at + i];
        }
        if (anyKind != 0 || into.hasKinds())
        {
            final boolean before = into.hasKinds();
            final byte[] target = into.useKinds();
            if (!before)
            {
                java.util.Arrays.fill(target, 0, row, EventBatch.INSERT);
            }
            System.arraycopy(kinds, at, target, row, count);
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

    /**
     * Consumer: the message that {@link #poll} announced last.
     *
     * @return the object; kept until the next control record
     */
    public Object message()
    {
        return message;
    }
}
