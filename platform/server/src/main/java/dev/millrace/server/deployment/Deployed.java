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

/** What is deployed, and where it stands. Entries are changed by one thread at a time and read by any. */
final class Deployed
{
    /** Says that an application is not started because it ended the process. */
    static final String QUARANTINED = "SRV-0236";

    private final Map<String, Entry> entries = new ConcurrentSkipListMap<>();

    private final Map<String, UpdateReport> updates = new ConcurrentHashMap<>();

    private final Leftovers leftovers;

    private volatile SpringExtender extender;

    Deployed(final Leftovers leftovers)
    {
        this.leftovers = leftovers;
    }

    /** What is deployed; immutable. The bundle is {@code null} when it could not be installed. */
    record Entry(Deployment deployment, Bundle bundle, List<Problem> problems)
    {
        /** Whether it is not started because it ended the process. */
        boolean isQuarantined()
        {
            return problems.stream().anyMatch(problem -> problem.code().equals(QUARANTINED));
        }

        String version()
        {
            return bundle == null ? "" : bundle.getVersion().toString();
        }
    }

    /** From now on the states of applications are known. */
    void states(final SpringExtender springExtender)
    {
        extender = springExtender;
    }

    /** All entries, by name. */
    Collection<Entry> entries()
    {
        return entries.values();
    }

    /** Keeps the entries for the next start of the instance. */
    @FunctionalInterface
    interface Writer
    {
        /** Writes all; when that fails, what was written before is still there. */
        void write(Collection<Entry> entries) throws IOException;
    }

    /** Puts in what is the same for the next start. */
    synchronized void put(final Entry entry)
    {
        entries.put(entry.deployment.name(), entry);
    }

    /** Writes an entry, then puts it in. */
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

    /** Writes what is left without an entry, then removes it. */
    synchronized void remove(final String name, final Writer writer) throws IOException
    {
        final Map<String, Entry> next = new TreeMap<>(entries);
        next.remove(name);
        writer.write(next.values());
        entries.remove(name);
        updates.remove(name);
    }

    /** Remembers what an update did. */
    void updated(final String name, final UpdateReport report)
    {
        updates.put(name, report);
    }

    boolean contains(final String name)
    {
        return entries.containsKey(name);
    }

    /** The entry of a name, or {@code null}. */
    Entry get(final String name)
    {
        return entries.get(name);
    }

    Entry existing(final String name) throws DeploymentException
    {
        final Entry entry = entries.get(name);
        if (entry == null)
        {
            throw refuse("SRV-0213", name, "the application was not deployed in this domain",
                "deployed are " + entries.keySet());
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
        for (final Entry entry : entries.values())
        {
            final ManagedApplication application = managed(entry);
            if (application != null)
            {
                application.awaitSettled(Math.max(0, deadlineNs - System.nanoTime()));
            }
        }
    }

    /** What runs a bundle, or {@code null} when it has no assembly files or is not there. */
    ManagedApplication managed(final Entry entry)
    {
        return managed(entry.bundle);
    }

    /** The same; the bundle may be {@code null}. */
    ManagedApplication managed(final Bundle bundle)
    {
        return bundle == null ? null : extender.application(bundle);
    }

    /** All applications: those deployed in the domain, and those that came with the platform's bundles; by name. */
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

    /** Snapshot of one application, or {@code null} when there is none. */
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
        // A library runs when it is active. An application has been active for a moment only: its context is next.
        return SpringExtender.isApplication(bundle) ? ApplicationState.STARTING : ApplicationState.RUNNING;
    }

    /** Figures of the network of a running application. */
    Map<String, Object> statistics(final String name) throws DeploymentException
    {
        final Entry entry = entries.get(name);
        final ManagedApplication application = entry == null ? null : managed(entry);
        final Map<String, Object> statistics = application == null ? null : application.statistics();
        if (statistics == null)
        {
            throw refuse("SRV-0208", name, "the application has no running network", "look at its status");
        }
        return statistics;
    }
}
