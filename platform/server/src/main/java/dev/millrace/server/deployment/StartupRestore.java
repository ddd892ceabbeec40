package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.bundle.BundleCheck;
import dev.millrace.server.config.BundleTrust;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.SpringExtender;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores once the applications that were deployed when the instance ended, for whatever reason it ended. Any thread
 * may wait for it; until it is complete, the owner must not change deployments.
 */
final class StartupRestore
{
    private static final Logger LOG = LoggerFactory.getLogger(StartupRestore.class);

    /** Maximum time a change waits for the start of the server. */
    private static final long RESTORE_NS = TimeUnit.SECONDS.toNanos(60);

    private final ApplicationBundles bundles;

    private final DeploymentRegistry deployed;

    private final CountDownLatch restored = new CountDownLatch(1);

    private final Quarantine quarantine;

    private final BundleTrust trust;

    private List<Deployment> loaded = List.of();

    StartupRestore(final ApplicationBundles bundles, final DeploymentRegistry deployed, final Quarantine quarantine,
        final BundleTrust trust)
    {
        this.trust = trust;
        this.bundles = bundles;
        this.deployed = deployed;
        this.quarantine = quarantine;
    }

    /** Sets the deployments to restore. */
    void load(final Collection<Deployment> deployments) throws IOException
    {
        loaded = List.copyOf(deployments);
        quarantine.load(loaded);
    }

    /**
     * Installs all applications, then starts them in parallel; one that cannot start does not affect the others.
     * Applications that may have ended the process last time are not started.
     */
    void run(final SpringExtender extender)
    {
        deployed.states(extender);
        for (final Deployment deployment : loaded)
        {
            deployed.put(quarantine.holds(deployment.name())
                ? quarantine.entry(deployment) : install(deployment));
        }
        deployed.entries().stream().filter(entry -> entry.bundle() != null).forEach(this::start);
        restored.countDown();
    }

    /** Installs a bundle; on failure, the entry and the log contain the reason. */
    Entry install(final Deployment deployment)
    {
        final Entry entry = tryInstall(deployment);
        if (entry.bundle() == null)
        {
            LOG.error("application cannot be restored, name={}\n{}", deployment.name(),
                String.join("\n", entry.problems().stream().map(Problem::format).toList()));
        }
        return entry;
    }

    /** Installs a bundle without logging a failure. */
    Entry tryInstall(final Deployment deployment)
    {
        try
        {
            if (!Files.isRegularFile(deployment.jar()))
            {
                throw new DeploymentException("SRV-0211", new SourcePosition(deployment.jar().toString(), 0, 0),
                    "the bundle of a deployment is missing, application=" + deployment.name(),
                    "install it again, or uninstall " + deployment.name());
            }
            BundleCheck.check(deployment.jar(), deployment.jar().toString(), trust);
            return new Entry(deployment, bundles.install(deployment.name(), deployment.jar()), List.of());
        }
        catch (final DeploymentException e)
        {
            return new Entry(deployment, null, e.problems());
        }
        catch (final IOException e)
        {
            return new Entry(deployment, null, List.of(new Problem("SRV-0211",
                new SourcePosition(deployment.jar().toString(), 0, 0), "the bundle cannot be read, reason=" + e,
                "check the file's owner, mode and the free disk space; the server retries automatically", "")));
        }
    }

    private void start(final Entry entry)
    {
        final String name = entry.deployment().name();
        quarantine.starts(name);
        try
        {
            bundles.start(entry.bundle(), entry.deployment().startNs());
        }
        catch (final DeploymentException e)
        {
            LOG.error("application does not start, name={}\n{}", name, e.getMessage());
            deployed.put(new Entry(entry.deployment(), entry.bundle(), e.problems()));
        }
        finally
        {
            quarantine.hasStarted(name);
        }
    }

    /** Blocks changes until all previous deployments are restored. */
    void await() throws DeploymentException
    {
        try
        {
            if (restored.await(RESTORE_NS, TimeUnit.NANOSECONDS))
            {
                return;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw DeploymentRegistry.refuse("SRV-0216", "server", "the server has not started yet",
            "try again in a moment");
    }

    /**
     * Waits until all applications are restored and have started or failed; false when they are not restored in time.
     */
    boolean awaitSettled(final long timeoutMs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        if (!restored.await(timeoutMs, TimeUnit.MILLISECONDS))
        {
            return false;
        }
        deployed.awaitSettled(deadlineNs - System.nanoTime());
        return true;
    }
}
