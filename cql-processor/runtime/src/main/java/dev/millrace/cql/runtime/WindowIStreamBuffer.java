package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.RowRing;
import java.util.Arrays;

/**
 * Rows of a window that detects which rows are new in it. A row is new unless an equal row leaves the window at the
 * time of its arrival. Each row has a later time than its predecessor.
 *
 * <pre>
 *   add(t), words written ──► enters()? ──► rows that expire before t leave; one that expires at t is compared
 * </pre>
 *
 * <p>Confined to one thread.
 */
public final class WindowIStreamBuffer
{
    private final RowRing ring;
    private final int rowWords;
    private final long rangeNs;
    private final long rows;
    private final StringTable strings;
    private final int[] held;

    /**
     * @param words   words per row, without its time
     * @param rangeNs how long a row stays; 0 for a window that counts rows
     * @param rows    size of a window that counts rows; 0 for a window over time
     * @param maxRows maximum number of rows of a window over time
     * @param held    words that are string codes, which the window retains as long as it has the row
     */
    public WindowIStreamBuffer(final int words, final long rangeNs, final long rows, final int maxRows,
        final MemoryAccount memory, final StringTable strings, final int... held)
    {
        this.strings = strings;
        this.held = held.clone();
        rowWords = words + 1;
        this.rangeNs = rangeNs;
        this.rows = rows;
        ring = new RowRing(rowWords, rangeNs > 0 ? maxRows : (int)rows + 1, memory);
    }

    public int size()
    {
        return ring.size();
    }

    /**
     * Adds a row. The caller writes its words, then calls {@link #enters()}.
     *
     * @return false when the window has its maximum number of rows, or memory is short
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

    /** The array of the added row; its words begin at {@link #wordsAt()}. */
    public long[] words()
    {
        return ring.tail();
    }

    /** Index of the first word of the added row in {@link #words()}. */
    public int wordsAt()
    {
        return ring.tailAt() + 1;
    }

    /**
     * Whether the added row is new; removes the rows that expire at its time.
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

    /** Whether a row has expired at a time; false when the end of the row exceeds the range of times. */
    private boolean isOver(final long fromNs, final long timeNs)
    {
        return timeNs >= Long.MIN_VALUE + rangeNs && fromNs <= timeNs - rangeNs;
    }

    /** Removes the rows that expire before a time. */
    private void leaveBefore(final long timeNs)
    {
        if (timeNs > Long.MIN_VALUE)
        {
            passTo(timeNs - 1);
        }
    }

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
     * Restores the rows that {@link #write} has written.
     *
     * @throws StateException when this window has rows, or has no capacity for them
     */
    public void read(final StateInput from)
    {
        final int count = from.readSize(Long.BYTES);
        if (count > 0 && ring.size() > 0)
        {
            throw new StateException("cannot add rows to a window that already has rows, rows=" + ring.size());
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

    /** Whether a word of a row, counted with its time, is a string code. */
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
     * Removes the rows that have expired.
     *
     * @param timeNs time up to which all rows are known
     */
    public void passTo(final long timeNs)
    {
        while (rangeNs > 0 && ring.size() > 0 && isOver(ring.head()[ring.headAt()], timeNs))
        {
            remove();
        }
    }
}
