package dev.millrace.launcher;

import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Terminates the process when stopping takes longer than allowed, whatever initiated the stop. */
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
        LOG.error("server did not stop in time, terminating it, limitSeconds={} hint: raise -D{}",
            TimeUnit.NANOSECONDS.toSeconds(timeoutNs), LaunchSettings.STOP_TIMEOUT);
        Runtime.getRuntime().halt(ExitCode.STOP_TIMED_OUT);
    }
}
