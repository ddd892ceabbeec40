package dev.millrace.server.extender;

import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.server.extender.bundle.AssemblyFiles;
import dev.millrace.server.extender.bundle.NamespaceRegistry;
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
 * Watches bundles and services and manages one {@link ManagedApplication} per bundle with assembly files. Thread-safe.
 */
public final class SpringExtender implements AutoCloseable
{
    /** Interval at which the networks of applications are inspected. */
    private static final long INSPECTION_MS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(SpringExtender.class);

    private final BundleContext context;

    private final ExtenderSettings settings;

    private final NamespaceRegistry namespaces;

    private final AdvertisedStages advertised = new AdvertisedStages();

    private final Map<Long, ManagedApplication> applications = new ConcurrentHashMap<>();

    private final ScheduledThreadPoolExecutor timer;

    private final BundleTracker<ManagedApplication> tracker;

    private final AllServiceListener serviceListener = this::serviceChanged;

    private final SynchronousBundleListener bundleListener = this::bundleChanged;

    /** Creates an extender; it is inactive until {@link #open}. */
    public SpringExtender(final BundleContext context, final ExtenderSettings settings)
    {
        this.context = context;
        this.settings = settings;
        this.namespaces = new NamespaceRegistry(context);
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

    /** Starts watching; applications that are already active start now. */
    public void open()
    {
        context.addServiceListener(serviceListener);
        context.addBundleListener(bundleListener);
        advertised.types().onChange(
            declaring -> applications.values().forEach(each -> each.events().typesDeclared()));
        tracker.open();
        timer.scheduleWithFixedDelay(this::inspect, INSPECTION_MS, INSPECTION_MS, TimeUnit.MILLISECONDS);
    }

    private void inspect()
    {
        for (final ManagedApplication application : applications.values())
        {
            try
            {
                application.network().inspect();
            }
            catch (final RuntimeException e)
            {
                LOG.error("application cannot be inspected, name={}; please report this with the trace",
                    application.bundle().getSymbolicName(), e);
            }
        }
    }

    /**
     * Returns the application of a bundle.
     *
     * @return its application, or {@code null} when it is not active or has no assembly files
     */
    public ManagedApplication application(final Bundle bundle)
    {
        return applications.get(bundle.getBundleId());
    }

    /**
     * Whether a bundle has assembly files, so that a context is created for it when it becomes active.
     *
     * @return false for a library
     */
    public static boolean isApplication(final Bundle bundle)
    {
        return AssemblyFiles.isApplication(bundle);
    }

    /** Returns a snapshot of the applications of active bundles, without versions that are only prepared. */
    public List<ManagedApplication> applications()
    {
        return applications.values().stream().filter(each -> !each.contexts().isNextVersion()).toList();
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
                application.events().serviceLeaving(event.getServiceReference());
            }
            else
            {
                application.events().serviceChanged(event.getServiceReference());
            }
        }
    }

    private void bundleChanged(final BundleEvent event)
    {
        final Bundle bundle = event.getBundle();
        switch (event.getType())
        {
            case BundleEvent.STOPPING, BundleEvent.UNRESOLVED ->
                applications.values().forEach(application -> application.events().namespaceLeaving(bundle));
            case BundleEvent.STARTED, BundleEvent.RESOLVED, BundleEvent.UNINSTALLED ->
                applications.values().forEach(application -> application.events().namespaceSettled(bundle));
            default ->
            {
                // Installed, updated, stopped: no effect on contexts.
            }
        }
    }

    /** Callbacks on the threads that start and stop bundles. */
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
                new ManagedApplication(bundle, context, settings, namespaces, advertised, timer);
            applications.put(bundle.getBundleId(), application);
            application.start();
            return application;
        }

        @Override
        public void modifiedBundle(
            final Bundle bundle, final BundleEvent event, final ManagedApplication application)
        {
            // Only one state is tracked, so no transition needs handling.
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
