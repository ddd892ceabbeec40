package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StatePart;
import java.util.function.IntConsumer;

/**
 * Finds the slots of a table that no row has touched for an idle state time, a few at each call, so that no row waits
 * for a walk through the whole table: a hand goes round the slots and looks at {@value #SLOTS_A_ROW} for each row.
 *
 * <p>Time is that of the rows. A slot is found at the earliest when it has been idle for the whole time, and at the
 * latest when the hand has gone round once more.
 *
 * <p>Threads: confined to one thread.
 */
public final class IdleSweep implements StatePart
{
    /** Slots that are looked at for a row, which brings at most one new key: so the hand gains on them. */
    public static final int SLOTS_A_ROW = 4;
    /** Slots that each call looks at, so that few rows with long pauses forget as well. */
    public static final int LEAST_SLOTS = 16;

    private final long idleNs;
    /** When each slot was touched, with the sign turned, so that 0 says that it has no key. */
    private final SlotLongs touchedNs;
    private int limit;
    private int hand;
    private long left;
    private long forgotten;

    /**
     * Makes a sweep over an empty table.
     *
     * @param idleNs how long a slot may be idle, more than 0
     * @param memory is charged eight bytes a slot
     */
    public IdleSweep(final long idleNs, final MemoryAccount memory)
    {
        if (idleNs <= 0)
        {
            throw new IllegalArgumentException("an idle state time is positive, idleNs=" + idleNs);
        }
        this.idleNs = idleNs;
        touchedNs = new SlotLongs(1, memory);
    }

    /**
     * A row has touched a slot, or has just got it.
     *
     * @param slot  from 0
     * @param nowNs time of the row
     */
    public void touched(final int slot, final long nowNs)
    {
        touchedNs.reach(slot);
        touchedNs.set(slot, 0, nowNs ^ Long.MIN_VALUE);
        limit = Math.max(limit, slot + 1);
    }

    /**
     * The key of a slot is gone for another reason.
     *
     * @param slot that was touched once
     */
    public void gone(final int slot)
    {
        touchedNs.set(slot, 0, 0);
    }

    /**
     * Looks at the next slots.
     *
     * @param nowNs  time of the rows
     * @param rows   that have come since the last call
     * @param forget forgets the key of a slot that has been idle for too long; the sweep knows that it is gone
     */
    public void sweep(final long nowNs, final int rows, final IntConsumer forget)
    {
        begin(rows);
        for (int slot = next(nowNs); slot >= 0; slot = next(nowNs))
        {
            forget.accept(slot);
        }
    }

    /**
     * Begins to look at the next slots, for those who go through them with {@link #next}.
     *
     * @param rows that have come since the last call
     */
    public void begin(final int rows)
    {
        left = Math.min(Math.max(LEAST_SLOTS, (long)rows * SLOTS_A_ROW), limit);
    }

    /**
     * The next slot whose key has been idle for too long and is to be forgotten; the sweep knows that it is gone.
     *
     * @param nowNs time of the rows
     * @return slot; -1 when it has looked at enough of them
     */
    public int next(final long nowNs)
    {
        for (; left > 0; left--)
        {
            hand = hand >= limit - 1 ? 0 : hand + 1;
            final long stamp = touchedNs.get(hand, 0);
            if (stamp != 0 && isIdle(stamp ^ Long.MIN_VALUE, nowNs))
            {
                left--;
                gone(hand);
                forgotten++;
                return hand;
            }
        }
        return -1;
    }

    private boolean isIdle(final long lastNs, final long nowNs)
    {
        final long idleForNs = nowNs - lastNs;
        return idleForNs >= idleNs || nowNs > lastNs && idleForNs < 0;
    }

    /**
     * Keys that were forgotten so far.
     *
     * @return at least 0
     */
    public long forgotten()
    {
        return forgotten;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeInt(hand);
        to.writeLong(left);
        to.writeLong(forgotten);
        to.writeCount(limit);
        for (int slot = 0; slot < limit; slot++)
        {
            to.writeLong(touchedNs.get(slot, 0));
        }
    }

    @Override
    public void read(final StateInput from)
    {
        hand = from.readInt();
        left = from.readLong();
        forgotten = from.readLong();
        limit = from.readSize(Long.BYTES);
        touchedNs.reach(Math.max(0, limit - 1));
        for (int slot = 0; slot < limit; slot++)
        {
            touchedNs.set(slot, 0, from.readLong());
        }
    }
}
