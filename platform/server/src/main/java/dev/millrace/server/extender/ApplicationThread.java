package dev.millrace.server.extender;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.framework.InvalidSyntaxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single thread that executes all work on the context of one application, in order. It ends when idle and is
 * created again on demand. Thread-safe.
 */
final class ApplicationThread
{
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationThread.class);

    private static final long KEEP_SECONDS = 5;

    private static final long WAIT_SECONDS = 15;

    private final String application;

    private final ThreadPoolExecutor executor;

    private volatile Thread thread;

    /** Work that can fail with a deployment problem. */
    @FunctionalInterface
    interface Work
    {
        void run() throws DeploymentException, InvalidSyntaxException;
    }

    ApplicationThread(final String application)
    {
        this.application = application;
        this.executor = new ThreadPoolExecutor(1, 1, KEEP_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), this::newThread);
        executor.allowCoreThreadTimeOut(true);
    }

    private Thread newThread(final Runnable task)
    {
        final Thread made = new Thread(task, "millrace-app-" + application);
        made.setDaemon(true);
        thread = made;
        return made;
    }

    /** Runs work after all work submitted before, even when the caller is this thread. */
    void later(final Runnable work)
    {
        executor.execute(work);
    }

    /** Accepts no further work; submitted work is still executed. */
    void shutdown()
    {
        executor.shutdown();
    }

    /** Returns the thread, or the last one if it has ended; {@code null} before the first work. */
    Thread thread()
    {
        return thread;
    }

    /** Interrupts the current work. */
    void interrupt()
    {
        final Thread working = thread;
        if (working != null)
        {
            working.interrupt();
        }
    }

    boolean isShutdown()
    {
        return executor.isShutdown();
    }

    /**
     * Runs work after all work submitted before, or immediately when the caller is this thread. Failures are logged.
     *
     * @return the future for {@link #await(Future, String)}; {@code null} when the work is complete or will never run
     */
    Future<?> submit(final Work work)
    {
        final Runnable logged = () ->
        {
            try
            {
                work.run();
            }
            catch (final DeploymentException | InvalidSyntaxException | RuntimeException e)
            {
                LOG.error("application work failed, name={}", application, e);
            }
        };
        if (Thread.currentThread() == thread)
        {
            logged.run();
            return null;
        }
        return executor.isShutdown() ? null : executor.submit(logged);
    }

    /**
     * Waits for work, up to a fixed limit.
     *
     * @param future  the result of {@link #submit}
     * @param forWhat reason, for the log
     */
    void await(final Future<?> future, final String forWhat)
    {
        if (future == null)
        {
            return;
        }
        try
        {
            future.get(WAIT_SECONDS, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        catch (final ExecutionException e)
        {
            LOG.error("application work failed, name={}", application, e.getCause());
        }
        catch (final TimeoutException e)
        {
            LOG.error("SRV-0310: application did not close in time, name={} reason={} limitSeconds={}"
                + " hint: a stage hangs in suspend or destroy; take a thread dump", application, forWhat,
                WAIT_SECONDS);
        }
    }

    /**
     * Runs work after all work submitted before, and passes its result or exception to the caller.
     *
     * @param what    name of the work, for messages
     * @param limitNs maximum time
     * @throws DeploymentException when the work fails, or exceeds the limit; then it is interrupted
     */
    <T> T await(final String what, final long limitNs, final Callable<T> work) throws DeploymentException
    {
        final Future<T> future;
        try
        {
            future = executor.submit(work);
        }
        catch (final RejectedExecutionException e)
        {
            throw refuse("the bundle of the application was stopped, what=" + what, "start the server again", e);
        }
        try
        {
            return future.get(limitNs, TimeUnit.NANOSECONDS);
        }
        catch (final ExecutionException e)
        {
            throw e.getCause() instanceof final DeploymentException refused ? refused :
                new DeploymentException(FailureTranslator.problems(application, e.getCause()), e.getCause());
        }
        catch (final TimeoutException e)
        {
            future.cancel(true);
            throw refuse("the application takes too long, what=" + what + " limitSeconds=" +
                TimeUnit.NANOSECONDS.toSeconds(limitNs), "a bean or stage hangs; take a thread dump", e);
        }
        catch (final InterruptedException e)
        {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw refuse("interrupted, what=" + what, "try again", e);
        }
    }

    private DeploymentException refuse(final String text, final String hint, final Exception cause)
    {
        // SRV-0330: the application takes too long: follow the hint of the message
        return new DeploymentException(
            List.of(new Problem("SRV-0330", new SourcePosition(application, 0, 0), text, hint, "")), cause);
    }

    /** Runs work and passes its deployment problem to the caller. */
    void call(final Work work) throws DeploymentException
    {
        final List<DeploymentException> refused = new ArrayList<>();
        await(submit(() ->
        {
            try
            {
                work.run();
            }
            catch (final DeploymentException e)
            {
                refused.add(e);
            }
        }), "suspend or resume");
        if (!refused.isEmpty())
        {
            throw refused.get(0);
        }
    }
}
