package dev.millrace.network.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** Keeps the claim below on a cache line of its own: lanes of several threads must not slow each other down. */
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
    // Read and written through LaneClaim.STATE.
    int state;
    volatile boolean closed = true;
}

/**
 * The right to walk a lane. Its source takes it for each batch with one compare-and-set that nobody contends while
 * events flow; the heartbeat thread takes it only when the lane is silent; suspend and stop close it and wait until
 * nobody is inside.
 *
 * <p>Closing and entering are ordered like Dekker's algorithm: the source takes the claim and then looks whether it is
 * closed, the closer closes it and then looks whether it is taken, so that one of the two sees the other.
 */
public final class LaneClaim extends LaneClaimValues
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
     * Takes the claim, waiting while the heartbeat thread has it.
     *
     * @return false when the lane is closed; the claim is then not taken
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
     * Takes the claim if nobody has it.
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

    /** Gives the claim back. */
    public void leave()
    {
        STATE.setRelease(this, FREE);
    }

    /** Lets the source enter. */
    public void open()
    {
        closed = false;
    }

    /** Keeps the source out from now on; does not wait for a batch that is on its way. */
    public void close()
    {
        closed = true;
    }

    /**
     * Waits until a batch that was on its way when the claim was closed is through.
     *
     * @param deadline until when
     * @return false when the deadline passed first
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
     * Takes the claim, open or closed, and keeps the source waiting until {@link #leave()}.
     *
     * @param deadline until when
     * @return false when the deadline passed first; the claim is then not taken
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

    /** Waits a little; an interrupt is taken away, or no thread that has one could wait, and told. */
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
