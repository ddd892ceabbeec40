package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows of a window, to find those that are new in it: a row is, unless an equal one leaves at the time that it enters.
 * Each row has a later time than the one before.
 *
 * <pre>
 *   add(t), words written ──► enters()? ──► those that leave before t go; one that leaves at t is compared
 * </pre>
 *
 * <p>Threads: confined to one thread.
 */
public final class EnteringRows
{
    private final RowRing ring;
    private final int rowWords;
    private final long rangeNs;
    private final long rows;
    private final Codes strings;
    private final int[] held;

    /**
     * Makes an empty window.
     *
     * @param words   words of a row, without its time
     * @param rangeNs how long a row stays, 0 when rows are counted
     * @param rows    how many there are, 0 when they stay for a time
     * @param maxRows bound of those that stay for a time
     * @param memory  of the pipeline
     * @param strings of the pipeline
     * @param held    words that are codes of strings, which the window holds as long as it has the row
     */
    public EnteringRows(final int words, final long rangeNs, final long rows, final int maxRows,
        final MemoryAccount memory, final Codes strings, final int... held)
    {
        this.strings = strings;
        this.held = held.clone();
        rowWords = words + 1;
        this.rangeNs = rangeNs;
        this.rows = rows;
        ring = new RowRing(rowWords, rangeNs > 0 ? maxRows : (int)rows + 1, memory);
    }

    /**
     * Number of rows.
     *
     * @return 0 to the bound
     */
    public int size()
    {
        return ring.size();
    }

    /**
     * Adds a row; the caller writes its words, then asks whether it {@link #enters()}.
     *
     * @param timeNs its time
     * @return false when there are as many rows as may be, or memory is short
     */
    public boolean add(final long timeNs)
    {
        leaveBefore(timeNs);
        if (ring.isFull() || !ring.add())
        {
            return false;
        }
        ring.tail()[ring.tailAt()] = timeNs;
        return true;
    }

    /**
     * The array of the added row.
     *
     * @return words, from {@link #wordsAt()} on
     */
    public long[] words()
    {
        return ring.tail();
    }

    /**
     * Where the words of the added row begin.
     *
     * @return place of the first
     */
    public int wordsAt()
    {
        return ring.tailAt() + 1;
    }

    /**
     * Whether the added row is new; what leaves at its time is taken away.
     *
     * @return false when an equal row leaves
     */
    public boolean enters()
    {
        final long[] young = ring.tail();
        final int youngAt = ring.tailAt();
        for (final int word : held)
        {
            strings.hold((int)young[youngAt + 1 + word]);
        }
        final long[] old = ring.head();
        final int oldAt = ring.headAt();
        if (rangeNs > 0 ? !isOver(old[oldAt], young[youngAt]) : ring.size() <= rows)
        {
            return true;
        }
        final boolean isNew =
            !Arrays.equals(old, oldAt + 1, oldAt + rowWords, young, youngAt + 1, youngAt + rowWords);
        remove();
        return isNew;
    }

    private void remove()
    {
        for (final int word : held)
        {
            strings.release((int)ring.head()[ring.headAt() + 1 + word]);
        }
        ring.remove();
    }

    /** Whether the time of a row is over at another; false where times have no room for its end. */
    private boolean isOver(final long fromNs, final long timeNs)
    {
        return timeNs >= Long.MIN_VALUE + rangeNs && fromNs <= timeNs - rangeNs;
    }

    /** Rows leave whose time is over before another. */
    private void leaveBefore(final long timeNs)
    {
        if (timeNs > Long.MIN_VALUE)
        {
            passTo(timeNs - 1);
        }
    }

    /**
     * Writes all rows.
     *
     * @param to takes them
     */
    public void write(final StateOutput to)
    {
        final long[] all = ring.rows();
        to.writeCount(ring.size());
        for (int at = 0; at < all.length; at += rowWords)
        {
            for (int word = 0; word < rowWords; word++)
            {
                if (isHeld(word))
                {
                    to.writeString(strings.string((int)all[at + word]));
                }
                else
                {
                    to.writeLong(all[at + word]);
                }
            }
        }
    }

    /**
     * Takes over the rows of another window.
     *
     * @param from gives what {@link #write} has given
     * @throws StateException when this one has rows, or has no room for them
     */
    public void read(final StateInput from)
    {
        final int count = from.readSize(Long.BYTES);
        if (count > 0 && ring.size() > 0)
        {
            throw new StateException("rows cannot be put into a window that has some already, rows=" + ring.size());
        }
        final long[] row = new long[rowWords];
        for (int i = 0; i < count; i++)
        {
            for (int word = 0; word < rowWords; word++)
            {
                row[word] = isHeld(word) ? Pipeline.readHeld(strings, from) : from.readLong();
            }
            ring.add(row, 0);
        }
    }

    /** Whether a word of a row with its time is a code. */
    private boolean isHeld(final int word)
    {
        boolean isHeld = false;
        for (final int each : held)
        {
            isHeld |= each + 1 == word;
        }
        return isHeld;
    }

    /**
     * Rows leave whose time is over.
     *
     * @param timeNs time up to which all is known
     */
    public void passTo(final long timeNs)
    {
        while (rangeNs > 0 && ring.size() > 0 && isOver(ring.head()[ring.headAt()], timeNs))
        {
            remove();
        }
    }
}
