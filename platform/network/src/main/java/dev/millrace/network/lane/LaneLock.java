package dev.millrace.network.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Padding that keeps the claim below on a separate cache line: lanes of several threads must not slow each other down.
 */
class LaneClaimLeftPad
{
    long left1;
    long left2;
    long left3;
    long left4;
    long left5;
    long left6;
    long left7;
}

/** The claim itself, between two pads. */
class LaneClaimValues extends LaneClaimLeftPad
{
    // Read and written through LaneLock.STATE.
    int state;
    volatile boolean closed = true;
}

/**
 * Exclusive access to a lane. The source acquires it for each batch with one uncontended compare-and-set; the heartbeat
 * thread acquires it only when the lane is idle. Suspend and stop close it and wait for the holder to release it.
 *
 * <p>Closing and entering are ordered like Dekker's algorithm: the source acquires the claim and then reads whether it
 * is closed; the closer closes it and then reads whether it is taken. At least one of them sees the other.
 */
public final class LaneLock extends LaneClaimValues
{
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int SPINS = 200;
    private static final long PARK_NS = 20_000;
    private static final VarHandle STATE;

    static
    {
        try
        {
            STATE = MethodHandles.lookup().findVarHandle(LaneClaimValues.class, "state", int.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    long right1;
    long right2;
    long right3;
    long right4;
    long right5;
    long right6;
    long right7;

    /**
     * Acquires the claim; waits while the heartbeat thread holds it.
     *
     * @return false when the lane is closed; the claim is then not acquired
     */
    public boolean enter()
    {
        if (!STATE.compareAndSet(this, FREE, TAKEN))
        {
            awaitAndTake();
        }
        if (closed)
        {
            leave();
            return false;
        }
        return true;
    }

    /**
     * Acquires the claim if it is free.
     *
     * @return false when it is taken or closed
     */
    public boolean tryEnter()
    {
        if (closed || !STATE.compareAndSet(this, FREE, TAKEN))
        {
            return false;
        }
        if (closed)
        {
            leave();
            return false;
        }
        return true;
    }

    /** Releases the claim. */
    public void leave()
    {
        STATE.setRelease(this, FREE);
    }

    /** Allows the source to enter. */
    public void open()
    {
        closed = false;
    }

    /** Keeps the source out from now on; does not wait for a batch in progress. */
    public void close()
    {
        closed = true;
    }

    /**
     * Waits until a batch that was in progress when the claim was closed is done; false when the deadline passed first.
     */
    public boolean awaitFree(final Deadline deadline)
    {
        boolean interrupted = false;
        while ((int)STATE.getVolatile(this) != FREE && !deadline.hasPassed())
        {
            interrupted |= park();
        }
        restore(interrupted);
        return (int)STATE.getVolatile(this) == FREE;
    }

    /**
     * Acquires the claim, open or closed, and makes the source wait until {@link #leave()}.
     *
     * @return false when the deadline passed first; the claim is then not acquired
     */
    public boolean hold(final Deadline deadline)
    {
        boolean interrupted = false;
        boolean taken = STATE.compareAndSet(this, FREE, TAKEN);
        while (!taken && !deadline.hasPassed())
        {
            interrupted |= park();
            taken = STATE.compareAndSet(this, FREE, TAKEN);
        }
        restore(interrupted);
        return taken;
    }

    private void awaitAndTake()
    {
        boolean interrupted = false;
        int tries = 0;
        while (!STATE.compareAndSet(this, FREE, TAKEN))
        {
            if (++tries < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                interrupted |= park();
            }
        }
        restore(interrupted);
    }

    /** Parks briefly. Clears the interrupt, because an interrupted thread cannot park; returns whether it was set. */
    private static boolean park()
    {
        final boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(PARK_NS);
        return interrupted;
    }

    private static void restore(final boolean interrupted)
    {
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
