package dev.millrace.launcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One start of one instance. Used once, by one thread; {@link #stop} is thread-safe. */
final class Launcher
{
    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);

    private static final int BEGINNING_START_LEVEL = 100;

    private final LaunchSettings settings;

    private final StartFailures failures = new StartFailures();

    /** Opened when the domain lock is released, so that the process does not end earlier. */
    private final CountDownLatch released = new CountDownLatch(1);

    private volatile Framework framework;

    Launcher(final LaunchSettings settings)
    {
        this.settings = settings;
    }

    /** Starts, waits until the framework has stopped, and returns the exit code. */
    int run()
    {
        final DomainLock lock;
        try
        {
            lock = DomainLock.take(settings.var());
        }
        catch (final LaunchException e)
        {
            LOG.error("{}", e.getMessage());
            return e.exitCode();
        }
        try
        {
            return runLocked();
        }
        finally
        {
            release(lock);
        }
    }

    private int runLocked()
    {
        try
        {
            LOG.info("server STARTING, domain {}, home {}, java {}", settings.domain(), settings.home(),
                Runtime.version());
            start();
            framework.waitForStop(0);
            LOG.info("server stopped");
            return ExitCode.STOPPED;
        }
        catch (final LaunchException e)
        {
            LOG.error("{}", e.getMessage());
            LOG.debug("start failed", e);
            stop();
            return e.exitCode();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            stop();
            return ExitCode.STOPPED;
        }
    }

    private void release(final DomainLock lock)
    {
        try
        {
            lock.close();
        }
        catch (final IOException e)
        {
            LOG.warn("cannot remove pid file, directory={} reason={}", settings.var(), e.toString());
        }
        finally
        {
            released.countDown();
        }
    }

    private void start() throws LaunchException
    {
        final List<BundleFolders.BundleFile> files = BundleFolders.read(settings.home().resolve("bundles"));
        try
        {
            framework = newFramework();
            Runtime.getRuntime().addShutdownHook(new Thread(this::stopByHook, "millrace-shutdown"));
            framework.init();
            final BundleContext context = framework.getBundleContext();
            context.addFrameworkListener(failures);
            context.addBundleListener(new StopWatchdog(settings.stopTimeoutNs()));
            final List<Bundle> bundles = new ArrayList<>();
            for (final BundleFolders.BundleFile file : files)
            {
                bundles.add(install(context, file));
            }
            framework.start();
            failures.check(bundles);
        }
        catch (final BundleException e)
        {
            throw new LaunchException(ExitCode.START_FAILED, "SRV-0003: framework cannot start, storage="
                + settings.var().resolve("cache") + " reason=" + e + "\n    hint: the domain needs write access and"
                + " free space; remove its var directory if it is damaged", e);
        }
    }

    private Framework newFramework() throws LaunchException
    {
        final Iterator<FrameworkFactory> factories =
            ServiceLoader.load(FrameworkFactory.class, Launcher.class.getClassLoader()).iterator();
        if (!factories.hasNext())
        {
            throw new LaunchException(ExitCode.START_FAILED, "SRV-0003: no OSGi framework on the class path, path="
                + settings.home().resolve("lib") + "\n    hint: unpack the distribution again");
        }
        return factories.next().newFramework(configuration());
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> configuration = new HashMap<>();
        configuration.put(Constants.FRAMEWORK_STORAGE, settings.var().resolve("cache").toString());
        configuration.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
        configuration.put(Constants.FRAMEWORK_BEGINNING_STARTLEVEL, Integer.toString(BEGINNING_START_LEVEL));
        configuration.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, SystemPackages.extra());
        // Felix installs its URL handlers through sun.misc.Unsafe, which newer runtimes remove. They are not needed:
        // bundle URLs carry their own handler.
        configuration.put("felix.service.urlhandlers", "false");
        // Failures reach the log through StartFailures.
        configuration.put("felix.log.level", "0");
        return configuration;
    }

    private static Bundle install(final BundleContext context, final BundleFolders.BundleFile file)
        throws LaunchException
    {
        try
        {
            final Bundle bundle = context.installBundle("reference:" + file.path().toUri());
            if (!StartFailures.isFragment(bundle))
            {
                bundle.adapt(BundleStartLevel.class).setStartLevel(file.startLevel());
                bundle.start(Bundle.START_ACTIVATION_POLICY);
            }
            return bundle;
        }
        catch (final BundleException e)
        {
            throw new LaunchException(ExitCode.START_FAILED, "SRV-0005: cannot install bundle, file=" + file.path()
                + " reason=" + e.getMessage() + "\n    hint: unpack the distribution again, or remove the file if"
                + " you added it", e);
        }
    }

    private void stopByHook()
    {
        if (framework.getState() == Bundle.ACTIVE || framework.getState() == Bundle.STARTING)
        {
            LOG.info("server SHUTTING_DOWN, by a signal or by System.exit");
        }
        stop();
        try
        {
            released.await(1, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the framework and waits for it, at most for the stop time-out. May be called again. */
    void stop()
    {
        final Framework running = framework;
        if (running == null)
        {
            return;
        }
        try
        {
            running.stop();
            running.waitForStop(TimeUnit.NANOSECONDS.toMillis(settings.stopTimeoutNs()));
        }
        catch (final BundleException e)
        {
            LOG.error("framework did not stop, reason={}", e.toString(), e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
