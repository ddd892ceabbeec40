package dev.millrace.api.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The memory of one piece of state, charged to the instance's {@link MemoryBudget}. The package documentation describes
 * the protocol.
 *
 * <p>Threads: {@link #reserve}, {@link #charge} and {@link #release} are called by one thread at a time, the one that
 * changes the state (its owner, or the holder of its lock); all other methods by any thread. A call adds two longs; the
 * budget, which all threads share, is accessed once per {@link MemoryBudget#stepBytes} bytes. Failure: none; a refusal
 * is a result.
 */
public final class MemoryAccount implements AutoCloseable
{
    /** Reason for rejecting a row that needs memory when the budget has none. */
    public static final String MEMORY_FULL = "memory-full";

    /** Counts and refuses nothing: for state that has another bound. Thread-safe. */
    public static final MemoryAccount NONE = new MemoryAccount(null, null, new MemoryHolder("", "", "", "none"));

    private static final VarHandle USED = used();

    private final MemoryBudget budget;
    private final MemoryScope scope;
    private final MemoryHolder holder;
    /** Written by the owner only. */
    private long used;
    /** Bytes that the budget has granted, at least the bytes used. Owner only. */
    private long granted;
    /** Whether the last request was refused. Owner only. */
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
     * Creates an account of a separate budget without a limit, for tests that read what is charged.
     *
     * @return a new one
     */
    public static MemoryAccount unlimited()
    {
        return MemoryBudget.unlimited().open(new MemoryHolder("", "", "", "unlimited"));
    }

    /**
     * Requests memory before it is allocated, and before the row or batch that needs it has changed any state.
     *
     * @param bytes by which the state will grow, at least 0
     * @return false when the budget has no room: nothing was charged, and the row is rejected with {@link #MEMORY_FULL}
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
     * Charges memory that cannot be refused because the row that needs it is already being processed; the budget may be
     * exceeded.
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
     * Releases memory.
     *
     * @param bytes that the state no longer refers to, at most the charged bytes
     */
    public void release(final long bytes)
    {
        if (budget == null)
        {
            return;
        }
        if (bytes > used)
        {
            throw new IllegalArgumentException("internal error, please report it: more memory is released than was "
                + "charged," +
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
     * Whether the whole instance has exceeded its budget: no new row may be admitted to state that
     * {@link #charge charges}.
     *
     * @return true until enough was released
     */
    public boolean isOverdrawn()
    {
        return budget != null && budget.isOverdrawn();
    }

    /**
     * Whether the instance has less than a step left: no new key may be admitted to state that {@link #charge charges}
     * for it. Cheap enough to be called once per new key.
     *
     * @return true also while the budget is exceeded
     */
    public boolean isShort()
    {
        return budget != null && budget.isShort();
    }

    /**
     * Whether a row that finds no room lacks memory rather than reaching another bound: the instance is short, or it
     * has more than a step left but less than the last {@link #reserve} requested, as when a large table doubles. Owner
     * only.
     *
     * @return true while it is short, and until a request is granted
     */
    public boolean lacksMemory()
    {
        return isRefused || isShort();
    }

    /**
     * Describes a refusal for the user: the limit and the three largest holders. Computed at most once per second, so
     * it may be called for each row.
     *
     * @return detail for a rejection
     */
    public String shortage()
    {
        return budget == null ? "" : budget.shortage();
    }

    /**
     * Returns the current bytes of the state.
     *
     * @return at least 0
     */
    public long bytes()
    {
        return (long)USED.getOpaque(this);
    }

    /**
     * Returns the holder of the state.
     *
     * @return as given
     */
    public MemoryHolder holder()
    {
        return holder;
    }

    /** The scope that closes the account at the latest; {@code null} when it belongs to none. */
    MemoryScope scope()
    {
        return scope;
    }

    /** Releases everything, when the state is discarded and its owner no longer runs. May be called more than once. */
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
