package dev.millrace.server.http;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits failed logins: after five failures within a minute, a user has to wait. Thread-safe. */
final class LoginThrottle
{
    static final int MAX_FAILURES = 5;

    static final long PERIOD_SECONDS = 60;

    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(PERIOD_SECONDS);

    private final LongSupplier nanoTime;

    /** One entry per known user and one for all other names, so that the size is bounded. */
    private final Map<String, Failures> failures = new HashMap<>();

    LoginThrottle(final LongSupplier nanoTime)
    {
        this.nanoTime = nanoTime;
    }

    private static final class Failures
    {
        private int count;

        private long firstNs;
    }

    synchronized boolean mayTry(final String user)
    {
        final Failures entry = failures.get(user);
        if (entry != null && nanoTime.getAsLong() - entry.firstNs >= PERIOD_NS)
        {
            failures.remove(user);
            return true;
        }
        return entry == null || entry.count < MAX_FAILURES;
    }

    /** Counts a failure; true when the user has to wait from now on. */
    synchronized boolean failed(final String user)
    {
        final Failures entry = failures.computeIfAbsent(user, key -> new Failures());
        if (entry.count++ == 0)
        {
            entry.firstNs = nanoTime.getAsLong();
        }
        return entry.count == MAX_FAILURES;
    }
}
