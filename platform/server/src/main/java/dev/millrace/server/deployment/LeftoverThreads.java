package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of applications that were rejected because they did not start in time. They continue to run, since Java
 * cannot end a thread, and are shown in the log and in the list of applications until they end. Thread-safe.
 */
final class LeftoverThreads
{
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverThreads.class);

    private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");

    private static final long LOG_MS = TimeUnit.MINUTES.toMillis(1);

    private final ConcurrentLinkedQueue<Leftover> threads = new ConcurrentLinkedQueue<>();

    /** A thread of a rejected application. */
    private record Leftover(Bundle bundle, Thread thread, long sinceNs)
    {
        Problem problem()
        {
            final String name = bundle.getSymbolicName();
            return new Problem("SRV-0234", new SourcePosition(name, 0, 0),
                "a thread of a rejected application still runs, "
                + "thread=" + thread.getName() + " sinceSeconds="
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNs) + " at=" + place(bundle, thread),
                "it ends when the application's code returns; restart the instance to end it now", "");
        }
    }

    /** Returns the topmost frame of a thread in the bundle's code, or else the first frame outside the JDK. */
    static String place(final Bundle bundle, final Thread thread)
    {
        final StackTraceElement[] frames = thread.getStackTrace();
        StackTraceElement first = null;
        for (final StackTraceElement frame : frames)
        {
            final String name = frame.getClassName();
            if (bundle.getState() != Bundle.UNINSTALLED && bundle.getEntry(name.replace('.', '/') + ".class") != null)
            {
                return frame.toString();
            }
            // The entries of a removed bundle can no longer be read.
            first = first == null && !JDK.matcher(name).matches() ? frame : first;
        }
        return first != null ? first.toString() : frames.length == 0 ? "-" : frames[0].toString();
    }

    /**
     * Watches a thread until it ends.
     *
     * @param bundle the bundle whose start created the thread
     * @param thread the thread that does not return
     * @param after  action to run when it has ended
     */
    void watch(final Bundle bundle, final Thread thread, final Runnable after)
    {
        if (thread == null || !thread.isAlive())
        {
            after.run();
            return;
        }
        final Leftover leftover = new Leftover(bundle, thread, System.nanoTime());
        threads.add(leftover);
        final Thread watch = new Thread(() -> watch(leftover, after), "millrace-leftover-" + bundle.getSymbolicName());
        watch.setDaemon(true);
        watch.start();
    }

    private void watch(final Leftover leftover, final Runnable after)
    {
        try
        {
            while (leftover.thread.isAlive())
            {
                LOG.warn("{}", leftover.problem().format());
                leftover.thread.join(LOG_MS);
            }
            LOG.info("thread of a rejected application has ended, name={} thread={}", leftover.bundle.getSymbolicName(),
                leftover.thread.getName());
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            threads.remove(leftover);
            after.run();
        }
    }

    /** Returns the threads that still run, by application. */
    Map<String, List<Problem>> problems()
    {
        final Map<String, List<Problem>> problems = new TreeMap<>();
        threads.forEach(leftover -> problems.computeIfAbsent(leftover.bundle.getSymbolicName(),
            name -> new ArrayList<>()).add(leftover.problem()));
        return problems;
    }
}
