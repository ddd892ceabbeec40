package dev.millrace.launcher;

import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cuts the process off when stopping, asked for in whatever way, takes longer than allowed. */
final class StopWatchdog implements SynchronousBundleListener
{
    private static final Logger LOG = LoggerFactory.getLogger(StopWatchdog.class);

    private final long timeoutNs;

    StopWatchdog(final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
    }

    @Override
    public void bundleChanged(final BundleEvent event)
    {
        if (event.getType() == BundleEvent.STOPPING && event.getBundle().getBundleId() == 0)
        {
            final Thread thread = new Thread(this::watch, "millrace-stop-watchdog");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void watch()
    {
        try
        {
            TimeUnit.NANOSECONDS.sleep(timeoutNs);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return;
        }
        LOG.error("server did not stop in time, cutting it off, limitSeconds={} hint: raise -D{}",
            TimeUnit.NANOSECONDS.toSeconds(timeoutNs), LaunchSettings.STOP_TIMEOUT);
        Runtime.getRuntime().halt(ExitCode.STOP_TIMED_OUT);
    }
}
