package dev.millrace.server.deployment;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.extender.ExtenderSettings;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
import dev.millrace.server.rules.RuleEdit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, replaces and removes applications. Changes are made one at a time; states can be read by any thread
 * meanwhile.
 */
public final class Deployer implements ExtenderSettings.Deployments
{
    private static final Logger LOG = LoggerFactory.getLogger(Deployer.class);

    /** How long a change waits for the application to run before it answers. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    /** How long an application may take to start before that counts as failure. */
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);

    private final ApplicationBundles bundles;

    private final ApplicationStore store;

    private final DeploymentsFile file;

    private final Map<String, Entry> entries = new ConcurrentSkipListMap<>();

    /** Applications whose next version is being tried, so that its files are the ones to read. */
    private final Map<String, Path> trying = new ConcurrentHashMap<>();

    private final CountDownLatch restored = new CountDownLatch(1);

    private List<Deployment> loaded = List.of();

    private volatile SpringExtender extender;

    /** What is deployed; immutable. */
    private record Entry(Deployment deployment, Bundle bundle, List<Problem> problems)
    {
    }

    /**
     * A snapshot of one application.
     *
     * @param name    symbolic name
     * @param version version of its bundle, empty when it could not be installed
     * @param status  where it stands
     */
    public record Application(String name, String version, ApplicationStatus status)
    {
    }

    /**
     * Makes a deployer.
     *
     * @param context of the server bundle
     * @param domain  domain directory
     */
    public Deployer(final BundleContext context, final Path domain)
    {
        this.bundles = new ApplicationBundles(context);
        this.store = new ApplicationStore(domain);
        this.file = new DeploymentsFile(domain);
    }

    /**
     * Reads what is deployed; starts nothing.
     *
     * @throws IOException         when the domain's files cannot be read
     * @throws DeploymentException when {@code deployments.xml} cannot be understood
     */
    public synchronized void load() throws IOException, DeploymentException
    {
        store.recover();
        loaded = List.copyOf(file.read().values());
    }

    /**
     * Puts back what was deployed when the instance ended, however it ended. Applications start side by side; one
     * that cannot is reported and does not keep the others.
     *
     * @param springExtender open
     */
    public void restore(final SpringExtender springExtender)
    {
        synchronized (this)
        {
            extender = springExtender;
            for (final Deployment deployment : loaded)
            {
                entries.put(deployment.name(), install(deployment));
            }
            for (final Entry entry : entries.values())
            {
                if (entry.bundle != null)
                {
                    startRestored(entry);
                }
            }
        }
        restored.countDown();
    }

    /** Changes wait until the instance has all its bundles and what was deployed before. */
    private void awaitRestored() throws DeploymentException
    {
        try
        {
            if (restored.await(START_NS, TimeUnit.NANOSECONDS))
            {
                return;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw refuse("SRV-0216", "server", "the server has not started yet", "try again in a moment");
    }

    private Entry install(final Deployment deployment)
    {
        try
        {
            if (!Files.isRegularFile(deployment.jar()))
            {
                throw new DeploymentException("SRV-0211", new SourcePosition(deployment.jar().toString(), 0, 0),
                    "the bundle of a deployment is missing, application=" + deployment.name(),
                    "install it again, or uninstall " + deployment.name());
            }
            BundleCheck.check(deployment.jar(), deployment.jar().toString());
            return new Entry(deployment, bundles.install(deployment.name(), deployment.jar()), List.of());
        }
        catch (final DeploymentException e)
        {
            LOG.error("application cannot be restored, name={}\n{}", deployment.name(), e.getMessage());
            return new Entry(deployment, null, e.problems());
        }
        catch (final IOException e)
        {
            LOG.error("application cannot be restored, name={}", deployment.name(), e);
            return new Entry(deployment, null, List.of(new Problem("SRV-0211",
                new SourcePosition(deployment.jar().toString(), 0, 0), "the bundle cannot be read, reason=" + e,
                "look at the file's owner and mode", "")));
        }
    }

    private void startRestored(final Entry entry)
    {
        try
        {
            bundles.start(entry.bundle);
        }
        catch (final DeploymentException e)
        {
            LOG.error("application does not start, name={}\n{}", entry.deployment.name(), e.getMessage());
            entries.put(entry.deployment.name(), new Entry(entry.deployment, entry.bundle, e.problems()));
        }
    }

    /**
     * Waits until all applications have started, failed or wait for something.
     *
     * @param timeoutNs how long
     * @throws InterruptedException when interrupted
     */
    public void awaitSettled(final long timeoutNs) throws InterruptedException
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

    private ManagedApplication managed(final Entry entry)
    {
        return entry.bundle == null ? null : extender.application(entry.bundle);
    }

    /**
     * All applications: those deployed in the domain, and those that came with the platform's bundles.
     *
     * @return by name
     */
    public List<Application> list()
    {
        final Map<String, Application> all = new TreeMap<>();
        final SpringExtender springExtender = extender;
        if (springExtender != null)
        {
            springExtender.applications().forEach(
                application -> all.put(application.bundle().getSymbolicName(), snapshot(application)));
        }
        entries.values().forEach(entry -> all.put(entry.deployment.name(), snapshot(entry)));
        return List.copyOf(all.values());
    }

    private static Application snapshot(final ManagedApplication application)
    {
        return new Application(application.bundle().getSymbolicName(),
            application.bundle().getVersion().toString(), application.status());
    }

    /**
     * One application.
     *
     * @param name symbolic name
     * @return snapshot, or {@code null} when there is none
     */
    public Application find(final String name)
    {
        return list().stream().filter(application -> application.name().equals(name)).findFirst().orElse(null);
    }

    private Application snapshot(final Entry entry)
    {
        final String version = entry.bundle == null ? "" : entry.bundle.getVersion().toString();
        return new Application(entry.deployment.name(), version, status(entry));
    }

    private ApplicationStatus status(final Entry entry)
    {
        if (!entry.problems.isEmpty())
        {
            return new ApplicationStatus(ApplicationState.FAILED, List.of(), entry.problems);
        }
        final ManagedApplication application = managed(entry);
        if (application != null)
        {
            return application.status();
        }
        // A bundle without assembly files is a library: it runs when it is active.
        final boolean active = entry.bundle.getState() == Bundle.ACTIVE;
        return new ApplicationStatus(
            active ? ApplicationState.RUNNING : ApplicationState.STOPPED, List.of(), List.of());
    }

    /**
     * Figures of a running application.
     *
     * @param name symbolic name, deployed
     * @return statistics of its network
     * @throws DeploymentException when it has none now
     */
    public Map<String, Object> statistics(final String name) throws DeploymentException
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

    /**
     * Installs a bundle and waits until it runs or waits.
     *
     * @param content  its bytes
     * @param fileName as the user calls it
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; nothing is left
     */
    public Application install(final InputStream content, final String fileName)
        throws IOException, DeploymentException
    {
        awaitRestored();
        synchronized (this)
        {
            return installNow(content, fileName);
        }
    }

    private Application installNow(final InputStream content, final String fileName)
        throws IOException, DeploymentException
    {
        final Path received = store.receive(content);
        try
        {
            final String name = BundleCheck.check(received, fileName).symbolicName();
            if (entries.containsKey(name))
            {
                throw refuse("SRV-0206", name, "an application of this name is installed",
                    "use update to replace it");
            }
            if (bundles.find(name) != null)
            {
                throw refuse("SRV-0206", name, "a bundle of the platform has this name",
                    "change Bundle-SymbolicName");
            }
            store.prepareNext(name, received);
            return installNext(name);
        }
        finally
        {
            Files.deleteIfExists(received);
        }
    }

    private Application installNext(final String name) throws IOException, DeploymentException
    {
        Bundle bundle = null;
        boolean done = false;
        trying.put(name, store.nextJar(name));
        try
        {
            bundle = bundles.install(name, store.nextJar(name));
            run(bundle);
            store.commitNext(name);
            entries.put(name, new Entry(new Deployment(name, store.jar(name), false), bundle, List.of()));
            writeFile();
            done = true;
            LOG.info("application installed, name={} version={}", name, bundle.getVersion());
            return find(name);
        }
        finally
        {
            trying.remove(name);
            if (!done)
            {
                entries.remove(name);
                removeTraces(name, bundle);
            }
        }
    }

    private void removeTraces(final String name, final Bundle bundle) throws IOException
    {
        if (bundle != null)
        {
            try
            {
                bundles.uninstall(bundle);
            }
            catch (final DeploymentException e)
            {
                LOG.error("refused application cannot be removed, name={}", name, e);
            }
        }
        store.dropNext(name);
        store.remove(name);
    }

    /** Starts a bundle and waits for what becomes of it. */
    private void run(final Bundle bundle) throws DeploymentException
    {
        bundles.start(bundle);
        final ManagedApplication application = extender.application(bundle);
        if (application == null)
        {
            return;
        }
        try
        {
            ApplicationStatus status = application.awaitSettled(SETTLE_NS);
            final long deadlineNs = System.nanoTime() + START_NS;
            while (status.state() == ApplicationState.STARTING && System.nanoTime() - deadlineNs < 0)
            {
                status = application.awaitSettled(SETTLE_NS);
            }
            if (status.state() == ApplicationState.FAILED)
            {
                throw new DeploymentException(status.problems());
            }
            if (status.state() == ApplicationState.STARTING)
            {
                throw refuse("SRV-0212", bundle.getSymbolicName(), "the application does not start in time, "
                    + "limitSeconds=" + TimeUnit.NANOSECONDS.toSeconds(START_NS),
                    "a bean or stage hangs while it is made; take a thread dump");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw refuse("SRV-0212", bundle.getSymbolicName(), "interrupted while the application started",
                "try again");
        }
    }

    /**
     * Replaces a bundle; the old one comes back when the new one does not start.
     *
     * @param name     symbolic name, deployed
     * @param content  bytes of the new version
     * @param fileName as the user calls it
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; the old version is back
     */
    public Application update(final String name, final InputStream content, final String fileName)
        throws IOException, DeploymentException
    {
        awaitRestored();
        synchronized (this)
        {
            return updateNow(name, content, fileName);
        }
    }

    private Application updateNow(final String name, final InputStream content, final String fileName)
        throws IOException, DeploymentException
    {
        final Path received = store.receive(content);
        try
        {
            final Entry entry = entry(name);
            final String found = BundleCheck.check(received, fileName).symbolicName();
            if (!found.equals(name))
            {
                throw refuse("SRV-0207", fileName, "the bundle is another application, Bundle-SymbolicName=" + found
                    + " application=" + name, "install it instead, or update " + found);
            }
            store.prepareNext(name, received);
            return updateNext(entry);
        }
        finally
        {
            Files.deleteIfExists(received);
        }
    }

    private Application updateNext(final Entry entry) throws IOException, DeploymentException
    {
        final String name = entry.deployment.name();
        final boolean hadRules = store.hasLiveRules(name);
        Bundle bundle = entry.bundle;
        trying.put(name, store.nextJar(name));
        try
        {
            if (bundle == null)
            {
                bundle = bundles.install(name, store.nextJar(name));
            }
            else
            {
                bundles.update(bundle, store.nextJar(name));
            }
            run(bundle);
            store.commitNext(name);
            final Deployment deployment =
                new Deployment(name, store.jar(name), entry.deployment.suspended());
            entries.put(name, new Entry(deployment, bundle, List.of()));
            trying.remove(name);
            writeFile();
            LOG.info("application updated, name={} version={}{}", name, bundle.getVersion(),
                hadRules ? "; the rules of its files count again, those that were changed while it ran are gone" : "");
            return find(name);
        }
        catch (final DeploymentException | IOException | RuntimeException e)
        {
            trying.remove(name);
            store.dropNext(name);
            goBack(entry, bundle);
            throw e;
        }
    }

    private void goBack(final Entry entry, final Bundle bundle)
    {
        final String name = entry.deployment.name();
        try
        {
            if (entry.bundle == null)
            {
                // There was no earlier version that worked.
                if (bundle != null)
                {
                    bundles.uninstall(bundle);
                }
                return;
            }
            bundles.update(entry.bundle, entry.deployment.jar());
            run(entry.bundle);
            LOG.warn("update refused, the old version runs again, name={} version={}", name,
                entry.bundle.getVersion());
        }
        catch (final DeploymentException e)
        {
            LOG.error("update refused, and the old version does not start, name={}", name, e);
            entries.put(name, new Entry(entry.deployment, entry.bundle, e.problems()));
        }
        catch (final IOException e)
        {
            LOG.error("update refused, and the old version cannot be read, name={}", name, e);
            entries.put(name, new Entry(entry.deployment, entry.bundle, List.of(new Problem("SRV-0211",
                new SourcePosition(entry.deployment.jar().toString(), 0, 0), "the bundle cannot be read, reason=" + e,
                "install it again", ""))));
        }
    }

    /**
     * Removes every trace of an application.
     *
     * @param name symbolic name, deployed
     * @return last snapshot
     * @throws IOException         when files cannot be removed
     * @throws DeploymentException when it does not let go
     */
    public Application uninstall(final String name) throws IOException, DeploymentException
    {
        awaitRestored();
        synchronized (this)
        {
            return uninstallNow(name);
        }
    }

    private Application uninstallNow(final String name) throws IOException, DeploymentException
    {
        final Entry entry = entry(name);
        if (entry.bundle != null)
        {
            bundles.uninstall(entry.bundle);
        }
        entries.remove(name);
        writeFile();
        store.remove(name);
        LOG.info("application uninstalled, name={}", name);
        return new Application(name, snapshotVersion(entry),
            new ApplicationStatus(ApplicationState.STOPPED, List.of(), List.of()));
    }

    private static String snapshotVersion(final Entry entry)
    {
        return entry.bundle == null ? "" : entry.bundle.getVersion().toString();
    }

    /**
     * Pauses or continues an application and remembers that.
     *
     * @param name      symbolic name, deployed
     * @param suspended true to pause
     * @return snapshot
     * @throws IOException         when {@code deployments.xml} cannot be written
     * @throws DeploymentException when the application does not run
     */
    public Application setSuspended(final String name, final boolean suspended)
        throws IOException, DeploymentException
    {
        awaitRestored();
        synchronized (this)
        {
            return setSuspendedNow(name, suspended);
        }
    }

    private Application setSuspendedNow(final String name, final boolean suspended)
        throws IOException, DeploymentException
    {
        final Entry entry = entry(name);
        final ManagedApplication application = managed(entry);
        final ApplicationState state = status(entry).state();
        if (application == null || state == ApplicationState.FAILED)
        {
            throw refuse("SRV-0208", name, "the application does not run, state=" + state, "look at its status");
        }
        if (suspended != entry.deployment.suspended())
        {
            if (suspended)
            {
                application.suspend();
            }
            else
            {
                application.resume();
            }
            entries.put(name, new Entry(
                new Deployment(name, entry.deployment.jar(), suspended), entry.bundle, List.of()));
            writeFile();
        }
        return find(name);
    }

    /**
     * The rules of a processor now.
     *
     * @param name      symbolic name of a running application
     * @param processor id
     * @return all rules, bound
     * @throws DeploymentException when there is no such processor or the application does not run
     */
    public List<Rule> rules(final String name, final String processor) throws DeploymentException
    {
        return running(name).rules(processor);
    }

    /** Also of the applications that came with the platform. */
    private ManagedApplication running(final String name) throws DeploymentException
    {
        for (final ManagedApplication application : extender.applications())
        {
            if (application.bundle().getSymbolicName().equals(name))
            {
                return application;
            }
        }
        throw refuse("SRV-0208", name, "the application has no running network", "look at its status");
    }

    /**
     * Changes the rules of a processor while its application runs, and remembers them until the application's next
     * version.
     *
     * @param name      symbolic name
     * @param processor id
     * @param edit      makes the new rules
     * @return what became of each query
     * @throws DeploymentException with all problems; everything is as before
     */
    public RuleChange changeRules(final String name, final String processor, final RuleEdit edit)
        throws DeploymentException
    {
        awaitRestored();
        synchronized (this)
        {
            final ManagedApplication application = running(name);
            final List<Rule> rules = edit.apply(application.rules(processor));
            if (!entries.containsKey(name))
            {
                return withNote(application.changeRules(processor, rules),
                    "the application came with the platform: the change lasts until the server stops");
            }
            return changeAndRemember(name, processor, application, rules);
        }
    }

    private RuleChange changeAndRemember(final String name, final String processor,
        final ManagedApplication application, final List<Rule> rules) throws DeploymentException
    {
        final Path next;
        try
        {
            next = store.prepareRules(name, processor, RuleFiles.write(processor, rules));
        }
        catch (final IOException e)
        {
            throw new DeploymentException(List.of(new Problem("SRV-0506", new SourcePosition(name, 0, 0),
                "the rules cannot be written, processor=" + processor + " reason=" + e, "nothing was changed; look " +
                "at the space and the rights below applications/" + name, "")), e);
        }
        boolean isChanged = false;
        try
        {
            final RuleChange change = application.changeRules(processor, rules);
            isChanged = true;
            try
            {
                store.commitRules(next);
                LOG.info("rules changed, application={} processor={}", name, processor);
                return change;
            }
            catch (final IOException e)
            {
                LOG.error("changed rules cannot be remembered, application={} processor={}", name, processor, e);
                return withNote(change, "the rules could not be written: the change lasts until the server stops");
            }
        }
        finally
        {
            if (!isChanged)
            {
                store.dropRules(next);
            }
        }
    }

    private static RuleChange withNote(final RuleChange change, final String note)
    {
        final List<String> notes = new ArrayList<>(change.notes());
        notes.add(note);
        return new RuleChange(change.queries(), notes, change.pausedNs());
    }

    private Entry entry(final String name) throws DeploymentException
    {
        final Entry entry = entries.get(name);
        if (entry == null)
        {
            throw refuse("SRV-0213", name, "the application was not deployed in this domain",
                "deployed are " + entries.keySet());
        }
        return entry;
    }

    private void writeFile() throws IOException
    {
        file.write(new ArrayList<>(new TreeMap<>(entries).values()).stream().map(Entry::deployment).toList());
    }

    private static DeploymentException refuse(
        final String code, final String where, final String text, final String hint)
    {
        return new DeploymentException(code, new SourcePosition(where, 0, 0), text, hint);
    }

    @Override
    public List<ConfigurationResource> configuration(final Bundle bundle)
    {
        final String name = bundle.getSymbolicName();
        final Path tried = trying.get(name);
        final Entry entry = entries.get(name);
        try
        {
            if (tried != null)
            {
                return ApplicationStore.configuration(tried);
            }
            return entry == null || !bundle.equals(entry.bundle)
                ? null : ApplicationStore.configuration(entry.deployment.jar());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("SRV-0214: configuration files cannot be listed, application=" + name, e);
        }
    }

    @Override
    public boolean isSuspended(final Bundle bundle)
    {
        final Entry entry = entries.get(bundle.getSymbolicName());
        return entry != null && entry.deployment.suspended();
    }
}
