package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.deployment.Deployed.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import java.io.IOException;
import java.util.List;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts versions of applications in the place of those before them, whose files the store has made ready: a version that
 * does not start leaves what there was. Called under the lock of {@link Deployer}.
 */
final class NextVersion
{
    private static final Logger LOG = LoggerFactory.getLogger(NextVersion.class);

    private final ApplicationBundles bundles;
    private final ApplicationStore store;
    private final Deployed deployed;
    private final TriedVersions versions;
    private final ApplicationStart start;
    private final DeployedList list;

    /** What is deployed, for the next start of the instance. */
    @FunctionalInterface
    interface DeployedList
    {
        /** Writes it as it is now. */
        void write() throws IOException;
    }

    NextVersion(final ApplicationBundles bundles, final ApplicationStore store, final Deployed deployed,
        final TriedVersions versions, final ApplicationStart start, final DeployedList list)
    {
        this.bundles = bundles;
        this.store = store;
        this.deployed = deployed;
        this.versions = versions;
        this.start = start;
        this.list = list;
    }

    /**
     * Puts in the first version of an application, whose files are with the store.
     *
     * @throws DeploymentException when it does not start; nothing is left
     */
    void install(final String name, final boolean suspended) throws IOException, DeploymentException
    {
        Bundle bundle = null;
        boolean done = false;
        versions.begin(name, store.nextJar(name), suspended);
        try
        {
            bundle = bundles.install(name, store.nextJar(name));
            start.run(bundle);
            store.commitNext(name);
            deployed.put(new Entry(new Deployment(name, store.jar(name), suspended), bundle, List.of()));
            list.write();
            done = true;
            LOG.info("application installed, name={} version={}", name, bundle.getVersion());
        }
        finally
        {
            versions.end(name);
            if (!done)
            {
                deployed.remove(name);
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

    /**
     * Puts in the next version, whose files are with the store; the old one comes back when it does not start.
     *
     * @throws DeploymentException when it does not start
     */
    void update(final Entry entry) throws IOException, DeploymentException
    {
        final String name = entry.deployment().name();
        final boolean losesRules = store.losesLiveRules(name);
        Bundle bundle = entry.bundle();
        versions.begin(name, store.nextJar(name), entry.deployment().suspended());
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
            start.run(bundle);
            store.commitNext(name);
            final Deployment deployment =
                new Deployment(name, store.jar(name), entry.deployment().suspended());
            deployed.put(new Entry(deployment, bundle, List.of()));
            versions.end(name);
            list.write();
            LOG.info("application updated, name={} version={}{}", name, bundle.getVersion(),
                losesRules ? "; the rules of its files count again, those changed while it ran are gone" : "");
        }
        catch (final DeploymentException | IOException | RuntimeException e)
        {
            versions.end(name);
            store.dropNext(name);
            goBack(entry, bundle);
            throw e;
        }
    }

    private void goBack(final Entry entry, final Bundle bundle)
    {
        final String name = entry.deployment().name();
        try
        {
            if (entry.bundle() == null)
            {
                // There was no earlier version that worked.
                if (bundle != null)
                {
                    bundles.uninstall(bundle);
                }
                return;
            }
            bundles.update(entry.bundle(), entry.deployment().jar());
            start.run(entry.bundle());
            LOG.warn("update refused, the old version runs again, name={} version={}", name,
                entry.bundle().getVersion());
        }
        catch (final DeploymentException e)
        {
            LOG.error("update refused, and the old version does not start, name={}", name, e);
            deployed.put(new Entry(entry.deployment(), entry.bundle(), e.problems()));
        }
        catch (final IOException e)
        {
            LOG.error("update refused, and the old version cannot be read, name={}", name, e);
            deployed.put(new Entry(entry.deployment(), entry.bundle(), List.of(new Problem("SRV-0211",
                new SourcePosition(entry.deployment().jar().toString(), 0, 0), "the bundle cannot be read, reason=" + e,
                "install it again", ""))));
        }
    }
}
