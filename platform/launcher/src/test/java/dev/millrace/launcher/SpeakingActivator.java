package dev.millrace.launcher;

import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.slf4j.LoggerFactory;

/** Activator of a test bundle: prints what happens, or misbehaves as configured by system properties. */
public final class SpeakingActivator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        final String refuse = System.getProperty("speaking.refuse");
        if (refuse != null)
        {
            throw new IllegalArgumentException(refuse);
        }
        LoggerFactory.getLogger(SpeakingActivator.class).info("bundle speaks");
    }

    @Override
    public void stop(final BundleContext context) throws InterruptedException
    {
        if (Boolean.getBoolean("speaking.hang"))
        {
            new CountDownLatch(1).await();
        }
        LoggerFactory.getLogger(SpeakingActivator.class).info("bundle is silent");
    }
}
