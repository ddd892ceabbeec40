package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.deployment.Deployed.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.extender.ExtenderSettings;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
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
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, replaces and removes applications. Changes are made one at a time; states can be read by any thread
 * meanwhile.
 */
public final class Deployer
{
    private static final Logger LOG = LoggerFactory.getLogger(Deployer.class);

    private final ApplicationBundles bundles;

    private final ApplicationStore store;

    private final DeploymentsFile file;

    private final Deployed deployed = new Deployed();

    private final LiveRules liveRules;

    private final Restoration restoration;

    private final TriedVersions versions = new TriedVersions(deployed);

    private final NextVersion nextVersion;

    private volatile SpringExtender extender;

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
        this.liveRules = new LiveRules(store, () -> extender);
        this.restoration = new Restoration(bundles, deployed);
        this.nextVersion = new NextVersion(bundles, store, deployed, versions,
            new ApplicationStart(bundles, () -> extender), this::writeFile);
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
        restoration.load(file.read().values());
    }

    /**
     * Puts back what was deployed when the instance ended, however it ended. Applications start side by side; one
     * that cannot is reported and does not keep the others.
     *
     * @param springExtender open
     */
    public synchronized void restore(final SpringExtender springExtender)
    {
        extender = springExtender;
        restoration.run(springExtender);
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
     * @param content  its bytes
     * @param fileName as the user calls it
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; nothing is left
     */
    public Application install(final InputStream content, final String fileName)
        throws IOException, DeploymentException
    {
        return install(content, fileName, false, ApplicationSettings.NONE);
    }

    /** The same; a suspended one takes no event. */
    Application install(final InputStream content, final String fileName, final boolean suspended,
        final ApplicationSettings settings) throws IOException, DeploymentException
    {
        restoration.await();
        synchronized (this)
        {
            return installNow(content, fileName, suspended, settings);
        }
    }

    private Application installNow(final InputStream content, final String fileName, final boolean suspended,
        final ApplicationSettings settings) throws IOException, DeploymentException
    {
        final Path received = store.receive(content);
        try
        {
            final String name = BundleCheck.check(received, fileName).symbolicName();
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
            nextVersion.install(name, suspended);
            return find(name);
        }
        finally
        {
            Files.deleteIfExists(received);
        }
    }

    /**
     * Replaces a bundle. The old version runs on, with its state and connections, until the new one is ready.
     *
     * @param name     symbolic name, deployed
     * @param content  bytes of the new version
     * @param fileName as the user calls it
     * @return snapshot
     * @throws IOException         when files cannot be read or written
     * @throws DeploymentException with all problems; the old version runs on
     */
    public Application update(final String name, final InputStream content, final String fileName)
        throws IOException, DeploymentException
    {
        return update(name, content, fileName, ApplicationSettings.NONE);
    }

    /** The same with what is changed of the new version. */
    Application update(final String name, final InputStream content, final String fileName,
        final ApplicationSettings settings) throws IOException, DeploymentException
    {
        restoration.await();
        synchronized (this)
        {
            return updateNow(name, content, fileName, settings);
        }
    }

    private Application updateNow(final String name, final InputStream content, final String fileName,
        final ApplicationSettings settings) throws IOException, DeploymentException
    {
        final Path received = store.receive(content);
        try
        {
            final Entry entry = deployed.existing(name);
            final String found = BundleCheck.check(received, fileName).symbolicName();
            if (!found.equals(name))
            {
                throw Deployed.refuse("SRV-0207", fileName, "the bundle is another application, "
                    + "Bundle-SymbolicName=" + found + " application=" + name,
                    "install it instead, or update " + found);
            }
            store.prepareNext(name, received, settings);
            nextVersion.update(entry);
            return find(name);
        }
        finally
        {
            Files.deleteIfExists(received);
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
        synchronized (this)
        {
            return uninstallNow(name);
        }
    }

    private Application uninstallNow(final String name) throws IOException, DeploymentException
    {
        final Entry entry = deployed.existing(name);
        if (entry.bundle() != null)
        {
            bundles.uninstall(entry.bundle());
        }
        deployed.remove(name);
        writeFile();
        store.remove(name);
        LOG.info("application uninstalled, name={}", name);
        return new Application(name, entry.version(),
            new ApplicationStatus(ApplicationState.STOPPED, List.of(), List.of()));
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
        synchronized (this)
        {
            return setSuspendedNow(name, suspended);
        }
    }

    private Application setSuspendedNow(final String name, final boolean suspended)
        throws IOException, DeploymentException
    {
        final Entry entry = deployed.existing(name);
        final ManagedApplication application = deployed.managed(entry);
        final ApplicationState state = deployed.status(entry).state();
        if (application == null || state == ApplicationState.FAILED)
        {
            throw Deployed.refuse(
                "SRV-0208", name, "the application does not run, state=" + state, "look at its status");
        }
        if (suspended != entry.deployment().suspended())
        {
            if (suspended)
            {
                application.suspend();
            }
            else
            {
                application.resume();
            }
            deployed.put(new Entry(
                new Deployment(name, entry.deployment().jar(), suspended), entry.bundle(), List.of()));
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
        synchronized (this)
        {
            return liveRules.change(name, processor, edit, deployed.contains(name));
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
        synchronized (this)
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
            nextVersion.update(entry);
        }
        finally
        {
            Files.deleteIfExists(copy);
        }
    }

    private void writeFile() throws IOException
    {
        file.write(deployed.entries().stream().map(Entry::deployment).toList());
    }
}
