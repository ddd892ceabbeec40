package dev.millrace.server.extender;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.util.tracker.BundleTracker;
import org.osgi.util.tracker.BundleTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches bundles and services and keeps one {@link ManagedApplication} a bundle with assembly files. Safe for all
 * threads.
 */
public final class SpringExtender implements AutoCloseable
{
    /** How often the networks of applications are looked at. */
    private static final long INSPECTION_MS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(SpringExtender.class);

    private final BundleContext context;

    private final ExtenderSettings settings;

    private final NamespaceBundles namespaces;

    private final Map<Long, ManagedApplication> applications = new ConcurrentHashMap<>();

    private final ScheduledThreadPoolExecutor timer;

    private final BundleTracker<ManagedApplication> tracker;

    private final AllServiceListener serviceListener = this::serviceChanged;

    private final SynchronousBundleListener bundleListener = this::bundleChanged;

    /**
     * Makes an extender; nothing happens before {@link #open}.
     *
     * @param context  of the server bundle
     * @param settings of the instance
     */
    public SpringExtender(final BundleContext context, final ExtenderSettings settings)
    {
        this.context = context;
        this.settings = settings;
        this.namespaces = new NamespaceBundles(context);
        this.timer = new ScheduledThreadPoolExecutor(1, task ->
        {
            final Thread thread = new Thread(task, "millrace-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.tracker = new BundleTracker<>(context, Bundle.ACTIVE, new Customizer());
    }

    /** Starts watching; applications that are active already start now. */
    public void open()
    {
        context.addServiceListener(serviceListener);
        context.addBundleListener(bundleListener);
        tracker.open();
        timer.scheduleWithFixedDelay(this::inspect, INSPECTION_MS, INSPECTION_MS, TimeUnit.MILLISECONDS);
    }

    private void inspect()
    {
        for (final ManagedApplication application : applications.values())
        {
            try
            {
                application.inspect();
            }
            catch (final RuntimeException e)
            {
                LOG.error("application cannot be inspected, name={}; please report this with the trace",
                    application.bundle().getSymbolicName(), e);
            }
        }
    }

    /**
     * The application of a bundle.
     *
     * @param bundle any bundle
     * @return its application, or {@code null} when it is not active or has no assembly files
     */
    public ManagedApplication application(final Bundle bundle)
    {
        return applications.get(bundle.getBundleId());
    }

    /**
     * Whether a bundle has assembly files, so that it gets a context as soon as it is active.
     *
     * @param bundle any bundle
     * @return false for a library
     */
    public static boolean isApplication(final Bundle bundle)
    {
        return AssemblyFiles.isApplication(bundle);
    }

    /**
     * All applications.
     *
     * @return of active bundles, without versions that only get ready; snapshot
     */
    public List<ManagedApplication> applications()
    {
        return applications.values().stream().filter(each -> !each.isNextVersion()).toList();
    }

    @Override
    public void close()
    {
        tracker.close();
        context.removeBundleListener(bundleListener);
        context.removeServiceListener(serviceListener);
        timer.shutdownNow();
    }

    private void serviceChanged(final ServiceEvent event)
    {
        for (final ManagedApplication application : applications.values())
        {
            if (event.getType() == ServiceEvent.UNREGISTERING)
            {
                application.serviceLeaving(event.getServiceReference());
            }
            else
            {
                application.serviceChanged(event.getServiceReference());
            }
        }
    }

    private void bundleChanged(final BundleEvent event)
    {
        final Bundle bundle = event.getBundle();
        switch (event.getType())
        {
            case BundleEvent.STOPPING, BundleEvent.UNRESOLVED ->
                applications.values().forEach(application -> application.namespaceLeaving(bundle));
            case BundleEvent.STARTED, BundleEvent.RESOLVED, BundleEvent.UNINSTALLED ->
                applications.values().forEach(application -> application.namespaceSettled(bundle));
            default ->
            {
                // Installed, updated, stopped: nothing to see yet.
            }
        }
    }

    /** Called by the threads that start and stop bundles. */
    private final class Customizer implements BundleTrackerCustomizer<ManagedApplication>
    {
        @Override
        public ManagedApplication addingBundle(final Bundle bundle, final BundleEvent event)
        {
            if (bundle.getBundleId() == 0 || !AssemblyFiles.isApplication(bundle))
            {
                return null;
            }
            final ManagedApplication application =
                new ManagedApplication(bundle, context, settings, namespaces, timer);
            applications.put(bundle.getBundleId(), application);
            application.start();
            return application;
        }

        @Override
        public void modifiedBundle(
            final Bundle bundle, final BundleEvent event, final ManagedApplication application)
        {
            // Only one state is tracked, so there is nothing to modify.
        }

        @Override
        public void removedBundle(
            final Bundle bundle, final BundleEvent event, final ManagedApplication application)
        {
            application.close();
            applications.remove(bundle.getBundleId(), application);
        }
    }
}
