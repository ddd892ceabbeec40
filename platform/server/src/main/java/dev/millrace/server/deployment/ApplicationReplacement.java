package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.ManagedApplication;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a deployed application with a version whose files the store has prepared. If the new version does not start,
 * the previous one stays deployed. The caller holds the lock of {@link Deployer}.
 */
final class ApplicationReplacement
{
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationReplacement.class);

    private final ApplicationBundles bundles;
    private final ApplicationStore store;
    private final DeploymentRegistry deployed;
    private final CandidateVersions versions;
    private final ApplicationStart start;
    private final DeploymentRecord list;

    ApplicationReplacement(final ApplicationBundles bundles, final ApplicationStore store,
        final DeploymentRegistry deployed,
        final CandidateVersions versions, final ApplicationStart start, final DeploymentRecord list)
    {
        this.bundles = bundles;
        this.store = store;
        this.deployed = deployed;
        this.versions = versions;
        this.start = start;
        this.list = list;
    }

    /**
     * Installs the first version of an application, whose files are in the store.
     *
     * @throws DeploymentException when it does not start; nothing is left
     */
    void install(final String name, final boolean suspended, final long timeoutNs)
        throws IOException, DeploymentException
    {
        Bundle bundle = null;
        boolean done = false;
        try
        {
            bundle = bundles.install(name, store.nextJar(name));
            versions.begin(bundle, store.nextJar(name), suspended, timeoutNs);
            start.run(bundle, timeoutNs);
            store.commitNext(name);
            list.put(new Entry(new Deployment(name, store.jar(name), suspended, timeoutNs), bundle, List.of()));
            done = true;
            LOG.info("application installed, name={} version={}", name, bundle.getVersion());
        }
        finally
        {
            versions.end(bundle);
            if (!done)
            {
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
                LOG.error("rejected application cannot be removed, name={}", name, e);
            }
        }
        store.dropNext(name);
        store.remove(name);
    }

    /**
     * Installs the next version, whose files are in the store. It is created, planned and compiled while the old
     * version runs. The old version is paused while the next one opens its resources, and ends only after that.
     *
     * @throws DeploymentException when it is refused; the old version keeps running
     */
    void update(final Entry entry, final long timeoutNs) throws IOException, DeploymentException
    {
        final String name = entry.deployment().name();
        final List<String> notes = store.losesLiveRules(name) ?
            List.of("the rules of its files apply again; rules changed at run time are discarded") : List.of();
        final VersionSwitch versionSwitch = new VersionSwitch(bundles, store, deployed, start);
        Bundle bundle = null;
        boolean isDone = false;
        try
        {
            bundle = bundles.installNext(name, store.nextJar(name));
            versions.beginNext(bundle, store.nextJar(name), entry.deployment().suspended(), timeoutNs);
            final String version = bundle.getVersion().toString();
            final ManagedApplication next = start.prepare(bundle, timeoutNs);
            // Written first: an update that takes effect is always stored.
            list.put(new Entry(entry.deployment().withStartNs(timeoutNs), entry.bundle(), entry.problems()));
            final Bundle started = bundle;
            final UpdateReport report = versionSwitch.run(new VersionSwitch.Next(bundle, next, timeoutNs,
                () -> prepareAgain(started, entry, timeoutNs)), entry, notes);
            isDone = true;
            deployed.updated(name, report);
            if (!deployed.get(name).deployment().equals(entry.deployment().withStartNs(timeoutNs)))
            {
                list.write();
            }
            LOG.info("application updated, name={} version={} pausedUs={} queries={} notes={}", name, version,
                TimeUnit.NANOSECONDS.toMicros(report.pausedNs()), report.processors().values().stream()
                .flatMap(change -> change.queries().stream()).map(query -> query.id() + '=' + query.action()).toList(),
                report.notes());
        }
        finally
        {
            versions.end(bundle);
            if (!isDone)
            {
                discard(name, bundle);
                store.dropNext(name);
                putBack(entry);
                LOG.warn("update rejected, {}, name={} version={} state={}", versionSwitch.remains(), name,
                    entry.version(), entry.bundle() == null ? "none" : deployed.status(deployed.get(name)).state());
            }
        }
    }

    /** Restores the old start limit; when it cannot be written, the next change writes it. */
    private void putBack(final Entry entry)
    {
        final Entry now = deployed.get(entry.deployment().name());
        try
        {
            list.put(new Entry(now.deployment().withStartNs(entry.deployment().startNs()), now.bundle(),
                now.problems()));
        }
        catch (final IOException e)
        {
            LOG.warn("start limit of the running version cannot be written, name={} reason={}",
                entry.deployment().name(), e.toString());
        }
    }

    /** Its files are the current files of the application until they are rolled back. */
    private ManagedApplication prepareAgain(final Bundle bundle, final Entry entry, final long timeoutNs)
        throws IOException, DeploymentException
    {
        bundles.stop(bundle);
        versions.beginNext(bundle, store.jar(entry.deployment().name()), entry.deployment().suspended(),
            timeoutNs);
        return start.prepare(bundle, timeoutNs);
    }

    private void discard(final String name, final Bundle bundle)
    {
        if (bundle != null)
        {
            try
            {
                bundles.uninstall(bundle);
            }
            catch (final DeploymentException e)
            {
                LOG.error("rejected version cannot be removed, name={}", name, e);
            }
        }
    }
}
