package dev.millrace.api.memory;

import dev.millrace.api.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The limit in bytes for all state of an instance together. State is charged through {@link MemoryAccount accounts}.
 *
 * <p>Thread-safe. Bytes are those of the arrays and objects that state refers to, as far as it knows them; the heap
 * needs additional room for young objects, for classes and for the platform itself.
 */
public final class MemoryBudget
{
    private static final long UNLIMITED_BYTES = Long.MAX_VALUE / 2;
    private static final long MIN_STEP_BYTES = 1L << 10;
    private static final long MAX_STEP_BYTES = 1L << 17;
    /** Number of steps in a budget: an account holds at most about two steps that it does not use. */
    private static final long STEPS = 1L << 12;
    private static final int NAMED_HOLDERS = 3;
    private static final long SHORTAGE_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIB = 1L << 20;
    /**
     * Memory of the platform itself and of the young objects of a running instance, independent of its state: measured.
     */
    private static final long PLATFORM_BYTES = 16 * MIB;
    private static final int LEAST_SHARE = 4;

    private final long limitBytes;
    private final long stepBytes;
    private final Clock clock;
    private final AtomicLong taken = new AtomicLong();
    private final Set<MemoryAccount> accounts = ConcurrentHashMap.newKeySet();
    private volatile Shortage shortage = new Shortage("", Long.MIN_VALUE);

    /** A cached description and the time until which it is valid. */
    private record Shortage(String text, long untilNs)
    {
    }

    /**
     * The memory of one holder.
     *
     * @param holder the holder
     * @param bytes  its memory
     */
    public record Usage(MemoryHolder holder, long bytes)
    {
    }

    /**
     * Creates an empty budget.
     *
     * @param limitBytes limit of all accounts together, at least 1
     * @param clock      limits how often the description of a shortage is computed
     */
    public MemoryBudget(final long limitBytes, final Clock clock)
    {
        if (limitBytes < 1)
        {
            throw new IllegalArgumentException("a budget has at least one byte, limitBytes=" + limitBytes);
        }
        this.limitBytes = limitBytes;
        this.clock = clock;
        stepBytes = Math.min(MAX_STEP_BYTES, Math.max(MIN_STEP_BYTES, limitBytes / STEPS));
    }

    /**
     * Creates a budget that refuses nothing, for tests and for tools that run outside an instance.
     *
     * @return a new one
     */
    public static MemoryBudget unlimited()
    {
        return new MemoryBudget(UNLIMITED_BYTES, Clock.SYSTEM);
    }

    /**
     * Returns the default limit for a heap: half of the heap minus the memory of the platform itself,
     * because the collectors keep a third for young objects.
     *
     * @param heapBytes the maximum heap of the process
     * @return bytes; at least a quarter of a small heap
     */
    public static long defaultBytes(final long heapBytes)
    {
        return Math.max(heapBytes / LEAST_SHARE, heapBytes / 2 - PLATFORM_BYTES);
    }

    /**
     * Opens an account.
     *
     * @param holder owner of the state; several accounts may have the same holder and are shown as one
     * @return empty, to be closed with the state
     */
    public MemoryAccount open(final MemoryHolder holder)
    {
        return open(null, holder);
    }

    MemoryAccount open(final MemoryScope scope, final MemoryHolder holder)
    {
        final MemoryAccount account = new MemoryAccount(this, scope, holder);
        accounts.add(account);
        return account;
    }

    void close(final MemoryScope scope)
    {
        accounts.stream().filter(account -> account.scope() == scope).forEach(MemoryAccount::close);
    }

    /**
     * Returns the limit.
     *
     * @return bytes
     */
    public long limitBytes()
    {
        return limitBytes;
    }

    /**
     * Returns the bytes granted to accounts, including what they have not used of their last step.
     *
     * @return bytes, above the limit while the budget is exceeded
     */
    public long takenBytes()
    {
        return taken.get();
    }

    /**
     * Returns the size of the steps in which accounts are granted memory.
     *
     * @return bytes
     */
    public long stepBytes()
    {
        return stepBytes;
    }

    /**
     * Whether more than the limit was granted.
     *
     * @return true until enough was released
     */
    public boolean isOverdrawn()
    {
        return taken.get() > limitBytes;
    }

    boolean isShort()
    {
        return limitBytes - taken.get() < stepBytes;
    }

    /**
     * Returns the memory of each holder.
     *
     * @return largest first; holders without memory are omitted
     */
    public List<Usage> usages()
    {
        return usages(accounts.stream());
    }

    List<Usage> usages(final MemoryScope scope)
    {
        return usages(accounts.stream().filter(account -> account.scope() == scope));
    }

    private static List<Usage> usages(final Stream<MemoryAccount> accounts)
    {
        final Map<MemoryHolder, Long> byHolder = new HashMap<>();
        accounts.forEach(account -> byHolder.merge(account.holder(), account.bytes(), Long::sum));
        final List<Usage> usages = new ArrayList<>();
        byHolder.forEach((holder, bytes) ->
        {
            if (bytes > 0)
            {
                usages.add(new Usage(holder, bytes));
            }
        });
        usages.sort(Comparator.comparingLong(Usage::bytes).reversed().thenComparing(each -> each.holder().toString()));
        return usages;
    }

    /** Grants a step or, if more is missing, the missing bytes; 0 when there is no room for them. */
    long take(final long missing)
    {
        long now = taken.get();
        while (true)
        {
            final long room = limitBytes - now;
            if (missing > room)
            {
                return 0;
            }
            final long more = Math.min(room, Math.max(missing, stepBytes));
            if (taken.compareAndSet(now, now + more))
            {
                return more;
            }
            now = taken.get();
        }
    }

    /** Grants the same without a limit; above the limit, only the missing bytes. */
    long takeAnyway(final long missing)
    {
        final long more = take(missing);
        if (more > 0)
        {
            return more;
        }
        taken.addAndGet(missing);
        return missing;
    }

    void giveBack(final long bytes)
    {
        taken.addAndGet(-bytes);
    }

    boolean remove(final MemoryAccount account)
    {
        return accounts.remove(account);
    }

    String shortage()
    {
        final Shortage known = shortage;
        final long nowNs = clock.epochNs();
        if (nowNs < known.untilNs)
        {
            return known.text;
        }
        final String greatest = usages().stream().limit(NAMED_HOLDERS)
            .map(usage -> usage.holder() + "=" + mebibytes(usage.bytes())).collect(Collectors.joining(", "));
        final String text = "no memory for more state, limit=" + mebibytes(limitBytes) + " used=" +
            mebibytes(taken.get()) + " greatest: " + greatest;
        shortage = new Shortage(text, nowNs + SHORTAGE_PERIOD_NS);
        return text;
    }

    private static String mebibytes(final long bytes)
    {
        return bytes < MIB ? bytes + " bytes" : bytes / MIB + " MiB";
    }
}
