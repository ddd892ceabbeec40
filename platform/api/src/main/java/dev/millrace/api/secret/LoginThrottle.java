package dev.millrace.api.secret;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits failed logins: five failures of a user within a minute lock that user for the rest of the minute. Thread-safe.
 */
public final class LoginThrottle
{
    /** Number of failures after which a user has to wait. */
    public static final int MAX_FAILURES = 5;

    /** Time from the first failure until a user may try again. */
    public static final int PERIOD_SECONDS = 60;

    private static final int MAX_USERS = 10_000;
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(PERIOD_SECONDS);

    private final LongSupplier nanoTime;
    private final Map<String, Failures> failures = new HashMap<>();

    /**
     * Creates a limit without failures.
     *
     * @param nanoTime clock, in nanoseconds from any time
     */
    public LoginThrottle(final LongSupplier nanoTime)
    {
        this.nanoTime = nanoTime;
    }

    private static final class Failures
    {
        private int count;
        private long firstNs;
    }

    /**
     * Whether a login may be checked.
     *
     * @param user name, the same for all unknown users
     * @return false if the user has to wait
     */
    public synchronized boolean mayTry(final String user)
    {
        final Failures entry = failures.get(user);
        if (entry != null && isOver(entry))
        {
            failures.remove(user);
            return true;
        }
        return entry == null || entry.count < MAX_FAILURES;
    }

    private boolean isOver(final Failures entry)
    {
        return nanoTime.getAsLong() - entry.firstNs >= PERIOD_NS;
    }

    /**
     * Counts a failure. While 10000 users have failures within their minutes, those of others are not counted.
     *
     * @param user name, the same for all unknown users
     * @return true when the user has to wait from now on
     */
    public synchronized boolean failed(final String user)
    {
        if (failures.size() >= MAX_USERS && !failures.containsKey(user))
        {
            failures.values().removeIf(this::isOver);
            if (failures.size() >= MAX_USERS)
            {
                return false;
            }
        }
        final Failures entry = failures.computeIfAbsent(user, key -> new Failures());
        if (entry.count++ == 0)
        {
            entry.firstNs = nanoTime.getAsLong();
        }
        return entry.count == MAX_FAILURES;
    }
}
