package dev.millrace.server.deployment;

import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.bundle.BundleCheck;
import dev.millrace.server.bundle.BundleFiles;
import dev.millrace.server.config.BundleTrust;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.extender.ExtenderSettings;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
import dev.millrace.server.files.DomainFiles;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.GroupDeployments.SettingsEdit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, replaces and removes applications. Changes of one application are serialized; changes of different
 * applications run in parallel. Any thread may read states. The effect of a change on the next start of the instance is
 * written to disk before the change is made, so that a change that cannot be written does not take effect.
 */
public final class Deployer
{
    private static final Logger LOG = LoggerFactory.getLogger(Deployer.class);

    private final BundleTrust trust;

    private final ApplicationBundles bundles;

    private final ApplicationStore store;

    private final DeploymentsFile file;

    private final DeploymentRecord list;

    private final LeftoverThreads leftovers = new LeftoverThreads();

    private final DeploymentRegistry deployed = new DeploymentRegistry(leftovers);

    private final ChangeLocks locks = new ChangeLocks();

    private final Quarantine quarantine;

    private final RuleUpdater liveRules;

    private final StartupRestore restoration;

    private final CandidateVersions versions;

    private final ApplicationStart start;

    private final ApplicationReplacement nextVersion;

    private final RunControl runControl;

    private volatile SpringExtender extender;

    /** A change of one application. */
    @FunctionalInterface
    private interface Change
    {
        Application run() throws IOException, DeploymentException;
    }

    /** @param trust whose signature bundles must have */
    public Deployer(final BundleContext context, final Path domain, final BundleTrust trust)
    {
        this.trust = trust;
        final DomainFiles files = new DomainFiles();
        final StartMarks marks = new StartMarks(files, domain);
        this.bundles = new ApplicationBundles(context, leftovers);
        this.store = new ApplicationStore(files, domain);
        this.file = new DeploymentsFile(files, domain);
        this.list = new DeploymentRecord(deployed, file);
        this.quarantine = new Quarantine(marks);
        this.liveRules = new RuleUpdater(store, () -> extender);
        this.restoration = new StartupRestore(bundles, deployed, quarantine, trust);
        this.versions = new CandidateVersions(deployed, marks, leftovers);
        this.start = new ApplicationStart(bundles, () -> extender);
        this.nextVersion = new ApplicationReplacement(bundles, store, deployed, versions, start, list);
        this.runControl = new RunControl(bundles, deployed, list, quarantine, restoration, start);
    }

    /**
     * Reads the stored deployments without starting them.
     *
     * @throws IOException         when the domain's files cannot be read
     * @throws DeploymentException when {@code deployments.xml} is invalid
     */
    public void load() throws IOException, DeploymentException
    {
        store.recover();
        restoration.load(file.read().values());
    }

    /**
     * Restores the applications that were deployed when the instance ended, for whatever reason it ended. Applications
     * start in parallel; one that cannot start is reported and does not affect the others.
     *
     * @param springExtender open
     */
    public void restore(final SpringExtender springExtender)
    {
        extender = springExtender;
        restoration.run(springExtender);
        new RestoreRetry(locks, deployed, restoration, runControl).begin();
    }

    /**
     * Called before an instance stops, before anything else stops. Fails all pending starts with the reason, and
     * records which application ended the process for the next start of the instance.
     */
    public void instanceStops()
    {
        quarantine.instanceStops(versions::bundle).forEach((name, problem) ->
        {
            final Bundle bundle = versions.bundle(name);
            final SpringExtender springExtender = extender;
            if (bundle != null && !bundles.refuseStart(bundle, problem) && springExtender != null
                && springExtender.application(bundle) != null)
            {
                springExtender.application(bundle).abandon(List.of(problem));
            }
        });
    }

    /** Returns the extender's view of deployed versions; thread-safe. */
    public ExtenderSettings.Deployments versions()
    {
        return versions;
    }

    /** Waits until all applications have started, failed or wait for something. */
    public void awaitSettled(final long timeoutNs) throws InterruptedException
    {
        deployed.awaitSettled(timeoutNs);
    }

    /** Waits until the stored deployments are restored; false when that takes longer. */
    boolean awaitRestoredAndSettled(final long timeoutMs) throws InterruptedException
    {
        return restoration.awaitSettled(timeoutMs);
    }

    /** Returns the entry deployed in the domain under a name. */
    Optional<Entry> entry(final String name)
    {
        return Optional.ofNullable(deployed.get(name));
    }

    /**
     * Returns all applications: those deployed in the domain, and those of the platform's bundles.
     *
     * @return by name
     */
    public List<Application> list()
    {
        return deployed.list();
    }

    /**
     * Returns one application.
     *
     * @return snapshot, or {@code null} if there is no such application
     */
    public Application find(final String name)
    {
        return deployed.find(name);
    }

    /**
     * Returns the statistics of a running application.
     *
     * @throws DeploymentException when it has no running network
     */
    public Map<String, Object> statistics(final String name) throws DeploymentException
    {
        return deployed.statistics(name);
    }

    /**
     * Installs a bundle and waits until it runs or waits for services.
     *
     * @param fileName  the user's name of the file, for messages
     * @param timeoutNs limit for its start, now and at each start of the instance; 0 for the default
     * @throws DeploymentException with all problems; nothing is installed
     */
    public Application install(final InputStream content, final String fileName, final long timeoutNs)
        throws IOException, DeploymentException
    {
        restoration.await();
        try (Upload received = store.receive(content))
        {
            final String name = check(received.file(), fileName);
            quarantine.mayTry(name);
            return install(received.file(), name, false, ApplicationSettings.NONE, timeoutNs);
        }
    }

    /** Installs a bundle for an automatic caller, which may not retry a bundle that ended the process. */
    Application install(final InputStream content, final String fileName, final boolean suspended,
        final ApplicationSettings settings, final long timeoutNs) throws IOException, DeploymentException
    {
        restoration.await();
        try (Upload received = store.receive(content))
        {
            final String name = check(received.file(), fileName);
            quarantine.check(name, BundleFiles.digest(received.file()));
            return unordered(name, "install", () -> install(received.file(), name, suspended, settings, timeoutNs));
        }
    }

    /** Members of a group apply its changes in any order, so that an application may start before one it refers to. */
    private Application unordered(final String name, final String what, final Change change)
        throws IOException, DeploymentException
    {
        // Within the lock, because another change of the application ends the same permission.
        final ChangeLocks.Lock lock = locks.take(name, what);
        versions.unordered(name, true);
        try
        {
            return change.run();
        }
        finally
        {
            versions.unordered(name, false);
            lock.release();
        }
    }

    /** Returns the name of a valid bundle. */
    String check(final Path bundle, final String fileName) throws IOException, DeploymentException
    {
        return BundleCheck.check(bundle, fileName, trust).symbolicName();
    }

    private Application install(final Path received, final String name, final boolean suspended,
        final ApplicationSettings settings, final long timeoutNs) throws IOException, DeploymentException
    {
        final ChangeLocks.Lock lock = locks.take(name, "install");
        try
        {
            if (deployed.contains(name))
            {
                throw DeploymentRegistry.refuse("SRV-0206", name, "an application with this name is already installed",
                    "use update to replace it");
            }
            if (bundles.find(name) != null)
            {
                throw DeploymentRegistry.refuse("SRV-0206", name, "a bundle of the platform has this name",
                    "change Bundle-SymbolicName");
            }
            store.prepareNext(name, received, settings);
            nextVersion.install(name, suspended, timeoutNs == 0 ? DeploymentsFile.START_NS : timeoutNs);
            return find(name);
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Replaces a bundle. The old version keeps running, with its state and connections, until the new one is ready.
     *
     * @param fileName  the user's name of the file, for messages
     * @param timeoutNs limit for its start, now and at each start of the instance; 0 for the previous limit
     * @throws DeploymentException with all problems; the old version keeps running
     */
    public Application update(final String name, final InputStream content, final String fileName,
        final long timeoutNs) throws IOException, DeploymentException
    {
        restoration.await();
        try (Upload received = store.receive(content))
        {
            quarantine.mayTry(name);
            return update(name, received.file(), fileName, ApplicationSettings.NONE, timeoutNs);
        }
    }

    /**
     * Replaces a bundle and sets changed settings, for an automatic caller, which may not retry a bundle that ended the
     * process.
     */
    Application update(final String name, final InputStream content, final String fileName,
        final ApplicationSettings settings, final long timeoutNs) throws IOException, DeploymentException
    {
        restoration.await();
        try (Upload received = store.receive(content))
        {
            quarantine.check(name, BundleFiles.digest(received.file()));
            return unordered(name, "update", () -> update(name, received.file(), fileName, settings, timeoutNs));
        }
    }

    private Application update(final String name, final Path received, final String fileName,
        final ApplicationSettings settings, final long timeoutNs) throws IOException, DeploymentException
    {
        final ChangeLocks.Lock lock = locks.take(name, "update");
        try
        {
            final Entry entry = deployed.existing(name);
            final String found = check(received, fileName);
            if (!found.equals(name))
            {
                throw DeploymentRegistry.refuse("SRV-0207", fileName, "the bundle belongs to another application, "
                    + "Bundle-SymbolicName=" + found + " application=" + name,
                    "install it instead, or update " + found);
            }
            store.prepareNext(name, received, settings);
            nextVersion.update(entry, timeoutNs == 0 ? entry.deployment().startNs() : timeoutNs);
            quarantine.forget(name);
            return find(name);
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Uninstalls an application and deletes its files.
     *
     * @return last snapshot
     * @throws DeploymentException when the framework cannot remove the bundle
     */
    public Application uninstall(final String name) throws IOException, DeploymentException
    {
        restoration.await();
        final ChangeLocks.Lock lock = locks.take(name, "uninstall");
        try
        {
            final Entry entry = deployed.existing(name);
            list.remove(name);
            if (entry.bundle() != null)
            {
                bundles.uninstall(entry.bundle());
            }
            quarantine.forget(name);
            removeFiles(name);
            LOG.info("application uninstalled, name={}", name);
            return new Application(name, entry.version(),
                new ApplicationStatus(ApplicationState.STOPPED, List.of(), List.of()));
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Deletes the files of an application. Files that cannot be deleted do no harm: the next installation of the name
     * replaces them.
     */
    private void removeFiles(final String name)
    {
        try
        {
            store.remove(name);
        }
        catch (final IOException e)
        {
            LOG.warn("SRV-0215: files of the application cannot be removed, name={} reason={}", name, e.toString());
        }
    }

    /**
     * Suspends or resumes an application and stores that state.
     *
     * @param suspended true to suspend
     * @throws IOException         when {@code deployments.xml} cannot be written
     * @throws DeploymentException when the application does not run
     */
    public Application setSuspended(final String name, final boolean suspended)
        throws IOException, DeploymentException
    {
        restoration.await();
        final ChangeLocks.Lock lock = locks.take(name, suspended ? "suspend" : "resume");
        try
        {
            runControl.setSuspended(deployed.existing(name), suspended);
            return find(name);
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Restarts an application from its deployed bundle. Its state is lost; changed rules and configuration remain.
     *
     * @throws DeploymentException when it does not start; it stays deployed and its status shows the reason
     */
    public Application restart(final String name) throws IOException, DeploymentException
    {
        restoration.await();
        final ChangeLocks.Lock lock = locks.take(name, "restart");
        try
        {
            runControl.restart(deployed.existing(name));
            return find(name);
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Returns the network of an application.
     *
     * @throws DeploymentException when it does not run
     */
    public Network network(final String name) throws DeploymentException
    {
        return liveRules.running(name).network().running();
    }

    /**
     * Returns the current rules of a processor.
     *
     * @return all rules, with parameters bound
     * @throws DeploymentException when there is no such processor or the application does not run
     */
    public List<Rule> rules(final String name, final String processor) throws DeploymentException
    {
        return liveRules.of(name, processor);
    }

    /**
     * Changes the rules of a processor while its application runs, and stores them until the application's next
     * version.
     *
     * @param edit computes the new rules
     * @return the effect on each query
     * @throws DeploymentException with all problems; nothing has changed
     */
    public RuleChange changeRules(final String name, final String processor, final RuleEdit edit)
        throws DeploymentException
    {
        restoration.await();
        final ChangeLocks.Lock lock = locks.take(name, "rules");
        try
        {
            return liveRules.change(name, processor, edit, deployed.contains(name));
        }
        finally
        {
            lock.release();
        }
    }

    /** Returns the changed settings of an application; empty when it is not deployed. */
    ApplicationSettings settings(final String name) throws IOException
    {
        final Entry entry = deployed.get(name);
        return entry == null ? ApplicationSettings.NONE : ApplicationStore.settings(entry.deployment().jar());
    }

    /**
     * Changes the settings of an application. Rules change while events flow. Other configuration changes create a new
     * instance of the application; if it does not start, the old one keeps running.
     *
     * @param edit computes the new settings
     * @throws DeploymentException with all problems; nothing has changed
     */
    public Application change(final String name, final SettingsEdit edit) throws IOException, DeploymentException
    {
        restoration.await();
        final ChangeLocks.Lock lock = locks.take(name, "configuration");
        try
        {
            final Entry entry = deployed.existing(name);
            final ApplicationSettings before = ApplicationStore.settings(entry.deployment().jar());
            final ApplicationSettings after = edit.apply(entry.deployment().jar(), before);
            if (!after.equals(before))
            {
                changeNow(entry, before, after);
            }
            return find(name);
        }
        finally
        {
            lock.release();
        }
    }

    private void changeNow(final Entry entry, final ApplicationSettings before, final ApplicationSettings after)
        throws IOException, DeploymentException
    {
        final String name = entry.deployment().name();
        final ManagedApplication application = deployed.managed(entry);
        final boolean hasNetwork = application != null && application.network().statistics() != null;
        if (hasNetwork && after.configuration().equals(before.configuration()))
        {
            liveRules.change(name, entry.deployment().jar(), before, after);
            return;
        }
        try (Upload copy = copy(entry.deployment().jar()))
        {
            store.prepareNext(name, copy.file(), after);
            unordered(name, "configuration", () ->
            {
                nextVersion.update(entry, entry.deployment().startNs());
                return null;
            });
            quarantine.forget(name);
        }
    }

    private Upload copy(final Path jar) throws IOException
    {
        try (InputStream content = Files.newInputStream(jar))
        {
            return store.receive(content);
        }
    }
}
