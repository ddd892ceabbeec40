package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.SlotLongs;
import java.util.function.IntConsumer;

/**
 * Finds the slots of a table that no row has touched for the idle state time. Each call checks a few slots, so that no
 * row waits for a scan of the whole table: like the hand of a clock, the sweep moves around the slots,
 * {@value #SLOTS_A_ROW} for each row.
 *
 * <p>Time is that of the rows. A slot is found at the earliest when it has been idle for the whole time, and at the
 * latest one revolution later.
 *
 * <p>Confined to one thread.
 */
public final class IdleStateSweeper implements StateHolder
{
    /** Slots checked per row. A row adds at most one key, so the sweep outpaces new keys. */
    public static final int SLOTS_A_ROW = 4;
    /** Minimum number of slots checked per call, so that keys also expire when rows are few and far between. */
    public static final int LEAST_SLOTS = 16;

    private final long idleNs;
    /** Negated time at which each slot was touched, so that 0 means that the slot has no key. */
    private final SlotLongs touchedNs;
    private int limit;
    private int hand;
    private long left;
    private long forgotten;

    /**
     * @param idleNs maximum idle time of a slot, more than 0
     * @param memory charged eight bytes per slot
     */
    public IdleStateSweeper(final long idleNs, final MemoryAccount memory)
    {
        if (idleNs <= 0)
        {
            throw new IllegalArgumentException("an idle state time is positive, idleNs=" + idleNs);
        }
        this.idleNs = idleNs;
        touchedNs = new SlotLongs(1, memory);
    }

    /** Records that a row has touched or created a slot. */
    public void touched(final int slot, final long nowNs)
    {
        touchedNs.reach(slot);
        touchedNs.set(slot, 0, nowNs ^ Long.MIN_VALUE);
        limit = Math.max(limit, slot + 1);
    }

    /**
     * Records that the key of a slot was removed for another reason.
     *
     * @param slot that was touched before
     */
    public void gone(final int slot)
    {
        touchedNs.set(slot, 0, 0);
    }

    /**
     * Checks the next slots.
     *
     * @param rows   received since the last call
     * @param forget discards the key of a slot that was idle for too long; the sweep has already recorded its removal
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
     * Starts checking the next slots; the caller then iterates with {@link #next}.
     *
     * @param rows received since the last call
     */
    public void begin(final int rows)
    {
        left = Math.min(Math.max(LEAST_SLOTS, (long)rows * SLOTS_A_ROW), limit);
    }

    /**
     * The next slot whose key has been idle for too long and must be discarded by the caller; the sweep has already
     * recorded its removal.
     *
     * @return slot; -1 when enough slots have been checked
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

    /** Keys discarded so far. */
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
