package dev.millrace.api.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one piece of state takes of the instance's {@link MemoryBudget}. The package says how state uses it.
 *
 * <p>Threads: {@link #reserve}, {@link #charge} and {@link #release} by the one thread at a time that changes the state
 * (its owner, or whoever holds its lock); all else by any thread. A call adds two longs; the budget, which all threads
 * share, is asked once in {@link MemoryBudget#stepBytes} bytes. Failure: none; a refusal is a result.
 */
public final class MemoryAccount implements AutoCloseable
{
    /** Reason with which a row is rejected that needs memory when the budget has none. */
    public static final String MEMORY_FULL = "memory-full";

    /** Counts and refuses nothing: for state that something else bounds. Safe for all threads. */
    public static final MemoryAccount NONE = new MemoryAccount(null, null, new MemoryHolder("", "", "", "none"));

    private static final VarHandle USED = used();

    private final MemoryBudget budget;
    private final MemoryScope scope;
    private final MemoryHolder holder;
    /** Written by the owner only. */
    private long used;
    /** What the budget has given, at least what is used. The owner's. */
    private long granted;
    /** Whether the last request was refused. The owner's. */
    private boolean isRefused;

    MemoryAccount(final MemoryBudget budget, final MemoryScope scope, final MemoryHolder holder)
    {
        this.budget = budget;
        this.scope = scope;
        this.holder = holder;
    }

    private static VarHandle used()
    {
        try
        {
            return MethodHandles.lookup().findVarHandle(MemoryAccount.class, "used", long.class);
        }
        catch (final ReflectiveOperationException impossible)
        {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * An account of a budget of its own without a limit, for tests that look at what is taken.
     *
     * @return a new one
     */
    public static MemoryAccount unlimited()
    {
        return MemoryBudget.unlimited().open(new MemoryHolder("", "", "", "unlimited"));
    }

    /**
     * Asks for memory before it is taken, and before the row or batch that needs it has touched any state.
     *
     * @param bytes that the state is about to grow by, at least 0
     * @return false when the budget has no room: nothing was taken, and what needs it is rejected with
     *     {@link #MEMORY_FULL}
     */
    public boolean reserve(final long bytes)
    {
        if (budget == null)
        {
            return true;
        }
        isRefused = bytes > granted - used && !refill(bytes);
        if (isRefused)
        {
            return false;
        }
        USED.setOpaque(this, used + bytes);
        return true;
    }

    private boolean refill(final long bytes)
    {
        final long more = budget.take(bytes - granted + used);
        granted += more;
        return more > 0;
    }

    /**
     * Takes memory that must be had, since the row that needs it is half done; the budget may be overdrawn.
     *
     * @param bytes that the state grows by, at least 0
     */
    public void charge(final long bytes)
    {
        if (budget == null)
        {
            return;
        }
        if (bytes > granted - used)
        {
            granted += budget.takeAnyway(bytes - granted + used);
        }
        USED.setOpaque(this, used + bytes);
    }

    /**
     * Gives memory back.
     *
     * @param bytes that the state no longer refers to, at most those that were taken
     */
    public void release(final long bytes)
    {
        if (budget == null)
        {
            return;
        }
        if (bytes > used)
        {
            throw new IllegalArgumentException("our bug, please report it: more memory is given back than was taken," +
                " holder=" + holder + " bytes=" + bytes + " used=" + used);
        }
        USED.setOpaque(this, used - bytes);
        final long surplus = granted - used - budget.stepBytes();
        if (surplus > 0)
        {
            granted -= surplus;
            budget.giveBack(surplus);
        }
    }

    /**
     * Whether the whole instance has taken more than its budget: no new row may be let in to state that
     * {@link #charge charges}.
     *
     * @return true until enough has been given back
     */
    public boolean isOverdrawn()
    {
        return budget != null && budget.isOverdrawn();
    }

    /**
     * Whether the instance has less than a step left: no new key may be let in to state that {@link #charge charges}
     * for it. Cheap enough to be asked once a new key.
     *
     * @return true also while it is overdrawn
     */
    public boolean isShort()
    {
        return budget != null && budget.isShort();
    }

    /**
     * Whether a row that finds no room lacks memory rather than reaching a bound of its own: the instance is short, or
     * it has more than a step left but less than the last {@link #reserve} asked for, as a large table does that
     * doubles. For the owner.
     *
     * @return true while it is short, and until a request is granted
     */
    public boolean lacksMemory()
    {
        return isRefused || isShort();
    }

    /**
     * What a user needs to know about a refusal: the limit and the three greatest holders. Made at most once a second,
     * so that it may be asked for each row.
     *
     * @return detail for a rejection
     */
    public String shortage()
    {
        return budget == null ? "" : budget.shortage();
    }

    /**
     * Bytes that the state has now.
     *
     * @return at least 0
     */
    public long bytes()
    {
        return (long)USED.getOpaque(this);
    }

    /**
     * Whose state it is.
     *
     * @return as given
     */
    public MemoryHolder holder()
    {
        return holder;
    }

    /** With what it is closed at the latest; {@code null} when it stands alone. */
    MemoryScope scope()
    {
        return scope;
    }

    /** Gives everything back, when the state is gone and its owner no longer runs; once is enough. */
    @Override
    public void close()
    {
        if (budget != null && budget.remove(this))
        {
            budget.giveBack(granted);
            granted = 0;
            USED.setOpaque(this, 0L);
        }
    }

    @Override
    public String toString()
    {
        return "MemoryAccount[" + holder + " bytes=" + bytes() + "]";
    }
}
