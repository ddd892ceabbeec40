package dev.millrace.cluster.deployment;

import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.server.spi.LocalDeployments;
import dev.millrace.server.spi.LocalDeployments.LocalApplication;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes this instance equal to a document. Not thread-safe. Failures become results. */
final class DeploymentApplier
{
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentApplier.class);

    private final LocalDeployments deployments;
    private final DesiredDeploymentsFile followed;
    private final BundleChunks chunks;

    DeploymentApplier(final LocalDeployments deployments, final DesiredDeploymentsFile followed,
        final BundleChunks chunks)
    {
        this.deployments = deployments;
        this.followed = followed;
        this.chunks = chunks;
    }

    /** Applies a document to this instance: installs, replaces, changes, suspends and resumes. */
    MemberStatus follow(final DesiredDeployment document)
    {
        return trying(document, () ->
        {
            final Optional<LocalApplication> before = deployments.find(document.name());
            final boolean isSame = has(document);
            if (before.isPresent() && !isSame && followed.live(document.name()).isEmpty())
            {
                return new MemberStatus(document.version(), before.get().state(), 0,
                    MemberStatus.problem(document, "CLU-0210",
                    "an application of this name was installed on this instance only, name=" + document.name(),
                    "uninstall it there without --group, then repeat the update of the group"));
            }
            final boolean isNew = followed.put(document);
            if (isSame)
            {
                change(document);
            }
            else
            {
                bring(document, before.isPresent());
            }
            suspend(document);
            if (isNew)
            {
                rerunFailed(document);
            }
            return state(document, isSame || before.isEmpty() ? List.of() : deployments.updateReport(document.name()));
        });
    }

    /** Removes an application that a group has deployed here; one that was installed without the group stays. */
    MemberStatus leave(final DesiredDeployment document)
    {
        return trying(document, () ->
        {
            final Optional<DesiredDeployment> ours = followed.live(document.name());
            followed.put(document);
            if (ours.isPresent() && deployments.find(document.name()).isPresent())
            {
                uninstall(ours.get());
            }
            return new MemberStatus(document.version(), MemberStatus.GONE, document.version(), List.of());
        });
    }

    private void uninstall(final DesiredDeployment ours) throws IOException, DeploymentException
    {
        try
        {
            deployments.uninstall(ours.name());
        }
        catch (final IOException | DeploymentException e)
        {
            // The application still belongs to the group, so the next attempt removes it.
            followed.put(ours);
            throw e;
        }
    }

    /** Whether the bundle of a document is deployed here. */
    boolean has(final DesiredDeployment document) throws IOException
    {
        final DeploymentContent here = here(document);
        return here != null && here.hasBundleOf(document.content());
    }

    /** Bundle and settings of the application deployed here; null when it is not deployed or its bundle is missing. */
    private DeploymentContent here(final DesiredDeployment document) throws IOException
    {
        final Optional<LocalApplication> here = deployments.find(document.name());
        return here.isEmpty() || !Files.isRegularFile(here.get().jar()) ? null :
            DeploymentContent.of(BundleFile.of(here.get().jar(), document.content().fileName()))
                .withSettings(deployments.settings(document.name()));
    }

    /** The version deployed here; 0 when unknown. */
    private long versionHere(final DesiredDeployment document)
    {
        try
        {
            final DeploymentContent here = here(document);
            return here == null ? 0 : document.versionOf(here);
        }
        catch (final IOException e)
        {
            LOG.warn("the deployed application cannot be read, name={} reason={}", document.name(), e.toString());
            return 0;
        }
    }

    /** Stores missing chunks of a document's bundle for other members if the bundle is deployed here. */
    void share(final DesiredDeployment document) throws IOException, DeploymentException
    {
        final DeploymentContent content = document.content();
        if (!chunks.has(content) && has(document))
        {
            chunks.put(document.name(), content,
                BundleFile.of(deployments.find(document.name()).orElseThrow().jar(), content.fileName()));
        }
    }

    /** Applies the settings of a document to the bundle deployed here. */
    private void change(final DesiredDeployment document) throws IOException, DeploymentException
    {
        if (!deployments.settings(document.name()).equals(document.content().settings()))
        {
            try
            {
                deployments.change(document.name(), document.content().settings());
            }
            catch (final IOException | DeploymentException e)
            {
                suspendOld(document);
                throw e;
            }
        }
    }

    private void bring(final DesiredDeployment document, final boolean isUpdate) throws IOException, DeploymentException
    {
        try
        {
            bring(document, document.content(), isUpdate);
        }
        catch (final IOException | DeploymentException e)
        {
            if (isUpdate)
            {
                suspendOld(document);
            }
            else
            {
                bringOlder(document);
            }
            throw e;
        }
    }

    private void bring(final DesiredDeployment document, final DeploymentContent content, final boolean isUpdate)
        throws IOException, DeploymentException
    {
        try (InputStream bytes = chunks.open(content))
        {
            if (isUpdate)
            {
                deployments.update(document.name(), bytes, content.fileName(), content.settings(),
                    document.startNs());
            }
            else
            {
                deployments.install(bytes, content.fileName(), document.suspended(), content.settings(),
                    document.startNs());
            }
        }
    }

    /**
     * Installs the latest earlier version of the same bundle that can run. A member that joins too late for a refused
     * change thus gets the version that the other members have kept.
     */
    private void bringOlder(final DesiredDeployment document) throws IOException
    {
        final List<DesiredDeployment.Past> history = document.history();
        for (int i = history.size() - 1; i >= 0; i--)
        {
            final DeploymentContent older = history.get(i).content();
            if (older.hasBundleOf(document.content()) && !older.isLike(document.content()))
            {
                try
                {
                    bring(document, older, false);
                    return;
                }
                catch (final DeploymentException e)
                {
                    LOG.debug("an older version cannot run either, name={} version={}", document.name(),
                        history.get(i).version(), e);
                }
            }
        }
    }

    /** Suspends or resumes the old version, which stays because the new one was refused. */
    private void suspendOld(final DesiredDeployment document)
    {
        try
        {
            suspend(document);
        }
        catch (final IOException | DeploymentException e)
        {
            LOG.warn("the old version cannot be suspended or resumed, name={} reason={}", document.name(),
                e.getMessage());
        }
    }

    private void suspend(final DesiredDeployment document) throws IOException, DeploymentException
    {
        final Optional<LocalApplication> here = deployments.find(document.name());
        if (here.isPresent() && !here.get().failed() && here.get().suspended() != document.suspended())
        {
            deployments.setSuspended(document.name(), document.suspended());
        }
    }

    /**
     * Suspends or resumes a failed application, like the command on one instance: its stages may run again. Done once
     * per change, so that an application that terminates the process is not restarted automatically.
     */
    private void rerunFailed(final DesiredDeployment document) throws IOException
    {
        final Optional<LocalApplication> here = deployments.find(document.name());
        if (here.isPresent() && here.get().failed() && (document.suspended() || document.asksToResume()))
        {
            try
            {
                deployments.setSuspended(document.name(), document.suspended());
            }
            catch (final DeploymentException e)
            {
                // Its state, which the answer contains, shows why it does not run.
                LOG.info("failed application cannot be suspended or resumed, name={}\n{}", document.name(),
                    e.getMessage());
            }
        }
    }

    private MemberStatus state(final DesiredDeployment document, final List<String> report)
    {
        return deployments.find(document.name())
            .map(here -> new MemberStatus(document.version(), here.state(), document.version(),
                here.failed() ? here.problems() : List.of(), report))
            .orElseGet(() -> new MemberStatus(document.version(), "", 0, MemberStatus.problem(document, "CLU-0213",
                "the application was removed while it was being deployed", "repeat the update of the group")));
    }

    /** An operation on an application. */
    @FunctionalInterface
    private interface Work
    {
        MemberStatus run() throws IOException, DeploymentException;
    }

    private MemberStatus trying(final DesiredDeployment document, final Work work)
    {
        try
        {
            return work.run();
        }
        catch (final DeploymentException e)
        {
            return failed(document, e.problems());
        }
        catch (final ChunkInput.MissingException e)
        {
            return failed(document, MemberStatus.problem(document, MemberStatus.MISSING, e.getMessage(),
                "it is retried automatically; if no member has the bundle, install it again"));
        }
        catch (final IOException e)
        {
            LOG.error("CLU-0212 files of a deployment cannot be read or written, name={}", document.name(), e);
            return failed(document, MemberStatus.problem(document, "CLU-0212",
                "files cannot be read or written on this member, reason=" + e,
                "check free space and owner of its domain directory, then repeat the update of the group"));
        }
        catch (final FencedException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0214 a deployment failed, name={}", document.name(), e);
            return failed(document, MemberStatus.problem(document, "CLU-0214", "internal error, reason=" + e,
                "please report it with the log of this member"));
        }
    }

    private MemberStatus failed(final DesiredDeployment document, final List<Problem> problems)
    {
        return new MemberStatus(document.version(), stateNow(document), versionHere(document), problems);
    }

    /** The state of the application deployed here; empty if none. */
    String stateNow(final DesiredDeployment document)
    {
        return deployments.find(document.name()).map(LocalApplication::state).orElse("");
    }
}
