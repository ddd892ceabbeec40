package dev.millrace.network.bean;

import dev.millrace.api.time.Clock;
import dev.millrace.network.lane.Deadline;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a {@code RunnableBean}: one call of {@code run} after each start and resume. */
final class RunThread
{
    private static final Logger LOG = LoggerFactory.getLogger(RunThread.class);

    private static final String RUNNING = "running";

    private final String qualifiedName;
    private final Runnable bean;
    private final ThreadFactory threads;
    private final Clock clock;
    private Thread thread;
    private volatile boolean suspending;
    private volatile String state = "ready";
    private volatile String failure;
    private volatile long failedNs;

    RunThread(final String qualifiedName, final Runnable bean, final ThreadFactory threads, final Clock clock)
    {
        this.clock = clock;
        this.qualifiedName = qualifiedName;
        this.bean = bean;
        this.threads = threads;
    }

    void start()
    {
        if (RUNNING.equals(state) && thread.isAlive())
        {
            throw new IllegalStateException("the previous run has not returned yet, thread=" + qualifiedName);
        }
        suspending = false;
        failure = null;
        state = RUNNING;
        thread = threads.newThread(this::run);
        thread.setName(qualifiedName);
        thread.start();
    }

    /** Called before the bean is suspended, so that the end of {@code run} is not reported as unexpected. */
    void expectEnd()
    {
        suspending = true;
    }

    boolean awaitEnd(final Deadline deadline)
    {
        return thread == null || thread == Thread.currentThread() || deadline.join(thread);
    }

    String state()
    {
        return state;
    }

    String failure()
    {
        return failure;
    }

    /** The time at which {@link #failure()} began. */
    long failedNs()
    {
        return failedNs;
    }

    private void run()
    {
        try
        {
            bean.run();
            state = suspending ? "suspended" : "finished";
            if (!suspending)
            {
                LOG.info("source has finished, stage={}", qualifiedName);
            }
        }
        catch (final Throwable e)
        {
            failedNs = clock.epochNs();
            failure = "run ended with an exception: " + e;
            state = "failed";
            LOG.error("EPN-0630 source failed, the other stages are not affected, stage={}; correct the cause, then " +
                "resume the application to run the stage again", qualifiedName, e);
        }
    }
}
