package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.osgi.framework.Bundle;

/** The deployed applications and their states. Entries are changed by one thread at a time and read by any thread. */
final class DeploymentRegistry
{
    /** The application is not started because it ended the process: check the log of that time. */
    static final String QUARANTINED = "SRV-0236";

    private final Map<String, Entry> entries = new ConcurrentSkipListMap<>();

    private final Map<String, UpdateReport> updates = new ConcurrentHashMap<>();

    private final LeftoverThreads leftovers;

    private volatile SpringExtender extender;

    DeploymentRegistry(final LeftoverThreads leftovers)
    {
        this.leftovers = leftovers;
    }

    /** One deployed application; immutable. The bundle is {@code null} when it could not be installed. */
    record Entry(Deployment deployment, Bundle bundle, List<Problem> problems)
    {
        /** Whether the application is not started because it ended the process. */
        boolean isQuarantined()
        {
            return problems.stream().anyMatch(problem -> problem.code().equals(QUARANTINED));
        }

        String version()
        {
            return bundle == null ? "" : bundle.getVersion().toString();
        }
    }

    /** Sets the extender, which knows the states of applications from now on. */
    void states(final SpringExtender springExtender)
    {
        extender = springExtender;
    }

    /** Returns all entries, by name. */
    Collection<Entry> entries()
    {
        return entries.values();
    }

    /** Stores the entries for the next start of the instance. */
    @FunctionalInterface
    interface Writer
    {
        /** Writes all entries; on failure, the previously written entries remain. */
        void write(Collection<Entry> entries) throws IOException;
    }

    /** Adds an entry that does not change the stored deployments. */
    synchronized void put(final Entry entry)
    {
        entries.put(entry.deployment.name(), entry);
    }

    /** Writes the deployments if this entry changes them, then adds the entry. */
    synchronized void put(final Entry entry, final Writer writer) throws IOException
    {
        final Map<String, Entry> next = new TreeMap<>(entries);
        final Entry before = next.put(entry.deployment.name(), entry);
        if (before == null || !before.deployment.equals(entry.deployment))
        {
            writer.write(next.values());
        }
        put(entry);
    }

    /** Writes the deployments without an entry, then removes it. */
    synchronized void remove(final String name, final Writer writer) throws IOException
    {
        final Map<String, Entry> next = new TreeMap<>(entries);
        next.remove(name);
        writer.write(next.values());
        entries.remove(name);
        updates.remove(name);
    }

    /** Stores the report of an update. */
    void updated(final String name, final UpdateReport report)
    {
        updates.put(name, report);
    }

    boolean contains(final String name)
    {
        return entries.containsKey(name);
    }

    /** Returns the entry of a name, or {@code null}. */
    Entry get(final String name)
    {
        return entries.get(name);
    }

    Entry existing(final String name) throws DeploymentException
    {
        final Entry entry = entries.get(name);
        if (entry == null)
        {
            throw refuse("SRV-0213", name, "the application is not deployed in this domain",
                "deployed applications are " + entries.keySet());
        }
        return entry;
    }

    static DeploymentException refuse(final String code, final String where, final String text, final String hint)
    {
        return new DeploymentException(code, new SourcePosition(where, 0, 0), text, hint);
    }

    /** Waits until all applications have started, failed or wait for something. */
    void awaitSettled(final long timeoutNs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        awaitEach(deadlineNs);
        // Applications that waited for event types of others may start now.
        awaitEach(deadlineNs);
    }

    private void awaitEach(final long deadlineNs) throws InterruptedException
    {
        for (final Entry entry : entries.values())
        {
            final ManagedApplication application = managed(entry);
            if (application != null)
            {
                application.awaitSettled(Math.max(0, deadlineNs - System.nanoTime()));
            }
        }
    }

    /** Returns the application of a bundle, or {@code null} when the bundle is missing or has no assembly files. */
    ManagedApplication managed(final Entry entry)
    {
        return managed(entry.bundle);
    }

    /** Returns the application of a bundle, which may be {@code null}. */
    ManagedApplication managed(final Bundle bundle)
    {
        return bundle == null ? null : extender.application(bundle);
    }

    /** Returns all applications by name: those deployed in the domain, and those of the platform's bundles. */
    List<Application> list()
    {
        final Map<String, Application> all = new TreeMap<>();
        final SpringExtender springExtender = extender;
        if (springExtender != null)
        {
            springExtender.applications().forEach(
                application -> all.put(application.bundle().getSymbolicName(), snapshot(application)));
        }
        entries.values().forEach(entry -> all.put(entry.deployment.name(), snapshot(entry)));
        leftovers.problems().forEach((name, problems) -> all.merge(name, new Application(name, "",
            new ApplicationStatus(ApplicationState.FAILED, List.of(), problems)),
            (there, leftover) -> there.withWarnings(problems)));
        return List.copyOf(all.values());
    }

    private static Application snapshot(final ManagedApplication application)
    {
        return new Application(application.bundle().getSymbolicName(),
            application.version(), application.status());
    }

    /** Returns a snapshot of one application, or {@code null} if there is no such application. */
    Application find(final String name)
    {
        return list().stream().filter(application -> application.name().equals(name)).findFirst().orElse(null);
    }

    private Application snapshot(final Entry entry)
    {
        final String name = entry.deployment.name();
        final ManagedApplication application = managed(entry);
        return new Application(name, application == null ? entry.version() : application.version(), status(entry),
            updates.get(name));
    }

    ApplicationStatus status(final Entry entry)
    {
        if (entry.isQuarantined())
        {
            return ApplicationStatus.quarantined(entry.problems);
        }
        if (!entry.problems.isEmpty())
        {
            return new ApplicationStatus(ApplicationState.FAILED, List.of(), entry.problems);
        }
        final ManagedApplication application = managed(entry);
        if (application != null)
        {
            return application.status();
        }
        return new ApplicationStatus(withoutContext(entry.bundle), List.of(), List.of());
    }

    private static ApplicationState withoutContext(final Bundle bundle)
    {
        if (bundle.getState() != Bundle.ACTIVE)
        {
            return ApplicationState.STOPPED;
        }
        // A library runs when it is active. An application that has been active only for a moment does not have its
        // context yet.
        return SpringExtender.isApplication(bundle) ? ApplicationState.STARTING : ApplicationState.RUNNING;
    }

    /** Returns the statistics of the network of a running application. */
    Map<String, Object> statistics(final String name) throws DeploymentException
    {
        final Entry entry = entries.get(name);
        final ManagedApplication application = entry == null ? null : managed(entry);
        final Map<String, Object> statistics = application == null ? null : application.network().statistics();
        if (statistics == null)
        {
            throw refuse("SRV-0208", name, "the application has no running network", "check its status");
        }
        return statistics;
    }
}
