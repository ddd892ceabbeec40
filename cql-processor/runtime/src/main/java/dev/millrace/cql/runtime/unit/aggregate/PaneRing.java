package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.RingArrays;
import dev.millrace.cql.runtime.unit.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * State of a sliding window when only sums, counts and extremes of groups are read: a record for each group that has
 * rows in a pane; a pane consists of rows that enter and leave together. Records enter and leave in the order in which
 * they were added. Positions wrap around; the position of a record does not change.
 *
 * <p>A record begins with its enter time, its leave time and its group; words of the owner follow.
 *
 * <p>Confined to the engine thread.
 */
public final class PaneRing implements StateHolder
{
    /** Words of a record before those of the owner. */
    public static final int WORDS = 3;

    private static final int LEAVES = 1;
    private static final int GROUP = 2;

    /** All records. Replaced when the ring grows: read it again after each new record. */
    public long[] records;
    private final int width;
    private final int maxRecords;
    private final MemoryAccount memory;
    private final List<ExtremeQueue> queues = new ArrayList<>();
    private int capacity = RingArrays.FEWEST;
    private int head;
    private int mid;
    private int tail;

    /**
     * @param ownWords   words of the owner per record
     * @param maxRecords maximum number of records
     * @param memory     checked before it grows
     */
    public PaneRing(final int ownWords, final int maxRecords, final MemoryAccount memory)
    {
        width = WORDS + ownWords;
        this.maxRecords = maxRecords;
        this.memory = memory;
        records = new long[capacity * width];
    }

    /** Creates a queue that grows with the ring. */
    public ExtremeQueue queue()
    {
        final ExtremeQueue queue = new ExtremeQueue();
        queues.add(queue);
        return queue;
    }

    /**
     * Adds a record, whose other words are zero.
     *
     * @param entersNs when it enters
     * @param leavesNs when it leaves
     * @return false when the maximum is reached
     */
    public boolean add(final long entersNs, final long leavesNs, final int group)
    {
        if (tail - head >= maxRecords || tail - head == capacity && !grow())
        {
            return false;
        }
        final int at = (tail++ & capacity - 1) * width;
        records[at] = entersNs;
        records[at + LEAVES] = leavesNs;
        records[at + GROUP] = group;
        for (int i = at + WORDS; i < at + width; i++)
        {
            records[i] = 0L;
        }
        return true;
    }

    private boolean grow()
    {
        final long bytes = recordBytes() * capacity;
        if (!memory.reserve(2 * bytes))
        {
            return false;
        }
        memory.release(capacity > RingArrays.FEWEST ? bytes : 0);
        final long[] larger = new long[capacity * 2 * width];
        for (int id = head; id != tail; id++)
        {
            System.arraycopy(records, (id & capacity - 1) * width, larger, (id & capacity * 2 - 1) * width, width);
        }
        records = larger;
        capacity *= 2;
        queues.forEach(queue -> queue.grow(head, tail));
        return true;
    }

    private long recordBytes()
    {
        return (long)width * Long.BYTES + queues.size() * ExtremeQueue.ROW_BYTES;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeInt(head);
        to.writeInt(mid);
        to.writeInt(tail);
        for (int id = head; id != tail; id++)
        {
            to.writeLongs(records, (id & capacity - 1) * width, width);
        }
        queues.forEach(queue -> queue.write(to, head, tail));
    }

    @Override
    public void read(final StateInput from)
    {
        head = from.readInt();
        mid = from.readInt();
        tail = from.readInt();
        if (tail - head < 0 || mid - head < 0 || tail - mid < 0 ||
            !from.has((long)(tail - head) * width * Long.BYTES))
        {
            throw StateInput.senseless("panes=" + (tail - head));
        }
        while (capacity < tail - head)
        {
            capacity *= 2;
        }
        memory.charge(capacity > RingArrays.FEWEST ? recordBytes() * capacity : 0);
        records = new long[capacity * width];
        for (int id = head; id != tail; id++)
        {
            from.readLongs(records, (id & capacity - 1) * width, width);
        }
        queues.forEach(queue -> queue.read(from, head, tail, capacity));
    }

    /** The position of the record that was added last; any int. */
    public int last()
    {
        return tail - 1;
    }

    /** Index of the owner's words of a record in {@link #records}. */
    public int at(final int position)
    {
        return (position & capacity - 1) * width + WORDS;
    }

    public int group(final int position)
    {
        return (int)records[(position & capacity - 1) * width + GROUP];
    }

    /** When the next record leaves; {@link Unit#NEVER} if none exists. */
    public long leavesNs()
    {
        return head == mid ? Unit.NEVER : records[(head & capacity - 1) * width + LEAVES];
    }

    /** When the next record enters; {@link Unit#NEVER} if none exists. */
    public long entersNs()
    {
        return mid == tail ? Unit.NEVER : records[(mid & capacity - 1) * width];
    }

    /** When the next record enters or leaves; {@link Unit#NEVER} if none exists. */
    public long dueNs()
    {
        return Math.min(leavesNs(), entersNs());
    }

    /**
     * Removes the next record that leaves.
     *
     * @return its position; its words are valid until another record is added
     */
    public int leave()
    {
        return head++;
    }

    /**
     * Records that the next record enters.
     *
     * @return its position
     */
    public int enter()
    {
        return mid++;
    }

    public int size()
    {
        return tail - head;
    }
}
