package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.bundle.BundleCheck;
import dev.millrace.server.bundle.BundleFiles;
import dev.millrace.server.config.BundleTrust;
import dev.millrace.server.deployment.Deployed.Entry;
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
 * Installs, replaces and removes applications. Changes of one application are made one at a time, those of others go on
 * meanwhile; states can be read by any thread. What a change means for the next start of the instance is on the disk
 * before it is done here, so that one that cannot be written has not happened.
 */
public final class Deployer
{
    private static final Logger LOG = LoggerFactory.getLogger(Deployer.class);

    private final BundleTrust trust;

    private final ApplicationBundles bundles;

    private final ApplicationStore store;

    private final DeploymentsFile file;

    private final DeployedList list;

    private final Leftovers leftovers = new Leftovers();

    private final Deployed deployed = new Deployed(leftovers);

    private final ChangeLocks locks = new ChangeLocks();

    private final Quarantine quarantine;

    private final LiveRules liveRules;

    private final Restoration restoration;

    private final TriedVersions versions;

    private final ApplicationStart start;

    private final NextVersion nextVersion;

    private final RunControl runControl;

    private volatile SpringExtender extender;

    /**
     * Makes a deployer.
     *
     * @param context of the server bundle
     * @param domain  domain directory
     * @param trust   whose signature bundles must bear
     */
    public Deployer(final BundleContext context, final Path domain, final BundleTrust trust)
    {
        this.trust = trust;
        final DomainFiles files = new DomainFiles();
        final StartMarks marks = new StartMarks(files, domain);
        this.bundles = new ApplicationBundles(context, leftovers);
        this.store = new ApplicationStore(files, domain);
        this.file = new DeploymentsFile(files, domain);
        this.list = new DeployedList(deployed, file);
        this.quarantine = new Quarantine(marks);
        this.liveRules = new LiveRules(store, () -> extender);
        this.restoration = new Restoration(bundles, deployed, quarantine, trust);
        this.versions = new TriedVersions(deployed, marks, leftovers);
        this.start = new ApplicationStart(bundles, () -> extender);
        this.nextVersion = new NextVersion(bundles, store, deployed, versions, start, list);
        this.runControl = new RunControl(bundles, deployed, list, quarantine, restoration, start);
    }

    /**
     * Reads what is deployed; starts nothing.
     *
     * @throws IOException         when the domain's files cannot be read
     * @throws DeploymentException when {@code deployments.xml} cannot be understood
     */
    public void load() throws IOException, DeploymentException
    {
        store.recover();
        restoration.load(file.read().values());
    }

    /**
     * Puts back what was deployed when the instance ended, however it ended. Applications start side by side; one
     * that cannot is reported and does not keep the others.
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
     * The instance stops: whoever waits for an application that was starting is told why, and the next start of the
     * instance knows which one has ended the process. Called before anything stops.
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

    /**
     * What the extender asks about bundles.
     *
     * @return safe for all threads
     */
    public ExtenderSettings.Deployments versions()
    {
        return versions;
    }

    /**
     * Waits until all applications have started, failed or wait for something.
     *
     * @param timeoutNs how long
     * @throws InterruptedException when interrupted
     */
    public void awaitSettled(final long timeoutNs) throws InterruptedException
    {
        deployed.awaitSettled(timeoutNs);
    }

    /** Waits until the applications of before are back; false when that takes longer. */
    boolean awaitRestoredAndSettled(final long timeoutMs) throws InterruptedException
    {
        return restoration.awaitSettled(timeoutMs);
    }

    /** What was deployed in the domain under a name. */
    Optional<Entry> entry(final String name)
    {
        return Optional.ofNullable(deployed.get(name));
    }

    /**
     * All applications: those deployed in the domain, and those that came with the platform's bundles.
     *
     * @return by name
     */
    public List<Application> list()
    {
        return deployed.list();
    }

    /**
     * One application.
     *
     * @param name symbolic name
     * @return snapshot, or {@code null} when there is none
     */
    public Application find(final String name)
    {
        return deployed.find(name);
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
        return deployed.statistics(name);
    }

    /**
     * Installs a bundle and waits until it runs or waits.
     *
     * @param content   its bytes
     * @param fileName  as the user calls it
     * @param timeoutNs how long it may take to start, now and when the instance starts; 0 for the usual limit
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; nothing is left
     */
    public Application install(final InputStream content, final String fileName, final long timeoutNs)
        throws IOException, DeploymentException
    {
        restoration.await();
        final Path received = store.receive(content);
        try
        {
            final String name = check(received, fileName);
            quarantine.mayTry(name);
            return install(received, name, false, ApplicationSettings.NONE, timeoutNs);
        }
        finally
        {
            Files.deleteIfExists(received);
        }
    }

    /** The same for those who try by themselves: not with a bundle that ended the process before. */
    Application install(final InputStream content, final String fileName, final boolean suspended,
        final ApplicationSettings settings, final long timeoutNs) throws IOException, DeploymentException
    {
        restoration.await();
        final Path received = store.receive(content);
        try
        {
            final String name = check(received, fileName);
            quarantine.check(name, BundleFiles.digest(received));
            return install(received, name, suspended, settings, timeoutNs);
        }
        finally
        {
            Files.deleteIfExists(received);
        }
    }

    /** The name of a good bundle. */
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
                throw Deployed.refuse("SRV-0206", name, "an application of this name is installed",
                    "use update to replace it");
            }
            if (bundles.find(name) != null)
            {
                throw Deployed.refuse("SRV-0206", name, "a bundle of the platform has this name",
                    "change Bundle-SymbolicName");
            }
            store.prepareNext(name, received, settings);
            nextVersion.install(name, suspended, timeoutNs == 0 ? ApplicationStart.START_NS : timeoutNs);
            return find(name);
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Replaces a bundle. The old version runs on, with its state and connections, until the new one is ready.
     *
     * @param name      symbolic name, deployed
     * @param content   bytes of the new version
     * @param fileName  as the user calls it
     * @param timeoutNs how long it may take to start, now and when the instance starts; 0 for the limit of before
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; the old version runs on
     */
    public Application update(final String name, final InputStream content, final String fileName,
        final long timeoutNs) throws IOException, DeploymentException
    {
        restoration.await();
        final Path received = store.receive(content);
        try
        {
            quarantine.mayTry(name);
            return update(name, received, fileName, ApplicationSettings.NONE, timeoutNs);
        }
        finally
        {
            Files.deleteIfExists(received);
        }
    }

    /** The same with what is changed of the new version, for those who try by themselves. */
    Application update(final String name, final InputStream content, final String fileName,
        final ApplicationSettings settings, final long timeoutNs) throws IOException, DeploymentException
    {
        restoration.await();
        final Path received = store.receive(content);
        try
        {
            quarantine.check(name, BundleFiles.digest(received));
            return update(name, received, fileName, settings, timeoutNs);
        }
        finally
        {
            Files.deleteIfExists(received);
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
                throw Deployed.refuse("SRV-0207", fileName, "the bundle is another application, "
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
     * Removes every trace of an application.
     *
     * @param name symbolic name, deployed
     * @return last snapshot
     * @throws IOException         when files cannot be removed
     * @throws DeploymentException when it does not let go
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

    /** What cannot be removed is in nobody's way: the next installation of the name replaces it. */
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
     * Makes an application anew from its deployed bundle; its state is lost, changed rules and configuration stay.
     *
     * @param name symbolic name, deployed
     * @return snapshot
     * @throws IOException         when the bundle cannot be read
     * @throws DeploymentException when it does not start; it stays deployed and shows why
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
     * The rules of a processor now.
     *
     * @param name      symbolic name of a running application
     * @param processor id
     * @return all rules, bound
     * @throws DeploymentException when there is no such processor or the application does not run
     */
    public List<Rule> rules(final String name, final String processor) throws DeploymentException
    {
        return liveRules.of(name, processor);
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

    /** What was changed of an application; nothing when there is none. */
    ApplicationSettings settings(final String name) throws IOException
    {
        final Entry entry = deployed.get(name);
        return entry == null ? ApplicationSettings.NONE : ApplicationStore.settings(entry.deployment().jar());
    }

    /**
     * Changes the settings of an application: rules while events flow; for other configuration the application is made
     * anew, and the old one runs on when that does not start.
     *
     * @param name symbolic name, deployed
     * @param edit makes the new settings
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; everything is as before
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
        final boolean hasNetwork = application != null && application.statistics() != null;
        if (hasNetwork && after.configuration().equals(before.configuration()))
        {
            liveRules.change(name, entry.deployment().jar(), before, after);
            return;
        }
        final Path copy;
        try (InputStream jar = Files.newInputStream(entry.deployment().jar()))
        {
            copy = store.receive(jar);
        }
        try
        {
            store.prepareNext(name, copy, after);
            nextVersion.update(entry, entry.deployment().startNs());
            quarantine.forget(name);
        }
        finally
        {
            Files.deleteIfExists(copy);
        }
    }
}
