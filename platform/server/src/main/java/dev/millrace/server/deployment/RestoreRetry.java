package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries applications whose bundles could not be installed when the instance started, for example because the disk was
 * full. A dedicated thread runs while any are left.
 */
final class RestoreRetry
{
    private static final Logger LOG = LoggerFactory.getLogger(RestoreRetry.class);

    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(5);

    private final ChangeLocks locks;

    private final DeploymentRegistry deployed;

    private final StartupRestore restoration;

    private final RunControl runControl;

    RestoreRetry(final ChangeLocks locks, final DeploymentRegistry deployed, final StartupRestore restoration,
        final RunControl runControl)
    {
        this.locks = locks;
        this.deployed = deployed;
        this.restoration = restoration;
        this.runControl = runControl;
    }

    /** Starts the thread if there is anything to retry. */
    void begin()
    {
        if (isAnyMissing())
        {
            final Thread thread = new Thread(this::run, "millrace-restore-again");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private boolean isAnyMissing()
    {
        return deployed.entries().stream().anyMatch(RestoreRetry::isMissing);
    }

    private static boolean isMissing(final Entry entry)
    {
        return entry.bundle() == null && !entry.isQuarantined();
    }

    private void run()
    {
        try
        {
            while (isAnyMissing())
            {
                TimeUnit.NANOSECONDS.sleep(PAUSE_NS);
                for (final Entry entry : deployed.entries())
                {
                    if (isMissing(entry))
                    {
                        restore(entry.deployment().name());
                    }
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        catch (final IllegalStateException e)
        {
            LOG.debug("the instance is stopping", e);
        }
    }

    private void restore(final String name)
    {
        try
        {
            final ChangeLocks.Lock lock = locks.take(name, "restore");
            try
            {
                final Entry before = deployed.get(name);
                final Entry entry = before == null || !isMissing(before) ? null
                    : restoration.tryInstall(before.deployment());
                if (entry != null && entry.bundle() != null)
                {
                    LOG.info("application can be restored now, name={}", name);
                    runControl.start(entry);
                }
            }
            finally
            {
                lock.release();
            }
        }
        catch (final DeploymentException e)
        {
            LOG.warn("application cannot be restored yet, name={}\n{}", name, e.getMessage());
        }
    }
}
