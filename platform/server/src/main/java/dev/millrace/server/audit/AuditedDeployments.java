package dev.millrace.server.audit;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.audit.AuditLog.Entry;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes deployments of this instance on behalf of a group, and writes each change to the audit log. Thread-safe. */
public final class AuditedDeployments implements LocalDeployments
{
    private static final Logger LOG = LoggerFactory.getLogger(AuditedDeployments.class);

    private static final String USER = "cluster";

    private final LocalDeployments deployments;

    private final AuditLog log;

    public AuditedDeployments(final LocalDeployments deployments, final AuditLog log)
    {
        this.deployments = deployments;
        this.log = log;
    }

    /** A change. */
    @FunctionalInterface
    private interface Change
    {
        void run() throws IOException, DeploymentException;
    }

    private void audited(final String event, final String target, final Change change)
        throws IOException, DeploymentException
    {
        final Entry entry = new Entry(event, USER, "-", target, "begun", null);
        try
        {
            log.write(entry);
        }
        catch (final IOException e)
        {
            throw new DeploymentException("SRV-0412", SourcePosition.NONE, "the audit log cannot be written, reason="
                + e, "free disk space, or check owner and mode of logs/audit.log; until then, changes are refused");
        }
        try
        {
            change.run();
            end(entry.ended(target, "done", null));
        }
        catch (final DeploymentException e)
        {
            end(entry.ended(target, "refused", e.problems().get(0).code()));
            throw e;
        }
        catch (final IOException | RuntimeException | LinkageError e)
        {
            end(entry.ended(target, "failed", "SRV-0498"));
            throw e;
        }
    }

    private void end(final Entry entry)
    {
        try
        {
            log.write(entry);
        }
        catch (final IOException e)
        {
            LOG.error("SRV-0416 a line of the audit log could not be written, event={} user={} target={} result={}"
                + " code={} reason={}",
                entry.event(), entry.user(), entry.target(), entry.result(), entry.code(), e.toString());
        }
    }

    @Override
    public boolean awaitRestored(final long timeoutMs) throws InterruptedException
    {
        return deployments.awaitRestored(timeoutMs);
    }

    @Override
    public String check(final Path bundle, final String fileName) throws IOException, DeploymentException
    {
        return deployments.check(bundle, fileName);
    }

    @Override
    public Optional<LocalApplication> find(final String name)
    {
        return deployments.find(name);
    }

    @Override
    public ApplicationSettings settings(final String name) throws IOException
    {
        return deployments.settings(name);
    }

    @Override
    public void install(final InputStream bundle, final String fileName, final boolean suspended,
        final ApplicationSettings settings, final long startNs) throws IOException, DeploymentException
    {
        audited("app.install", fileName, () -> deployments.install(bundle, fileName, suspended, settings, startNs));
    }

    @Override
    public void update(final String name, final InputStream bundle, final String fileName,
        final ApplicationSettings settings, final long startNs) throws IOException, DeploymentException
    {
        audited("app.update", name, () -> deployments.update(name, bundle, fileName, settings, startNs));
    }

    @Override
    public void change(final String name, final ApplicationSettings settings) throws IOException, DeploymentException
    {
        audited("app.configure", name, () -> deployments.change(name, settings));
    }

    @Override
    public void setSuspended(final String name, final boolean suspended) throws IOException, DeploymentException
    {
        audited(suspended ? "app.suspend" : "app.resume", name, () -> deployments.setSuspended(name, suspended));
    }

    @Override
    public void uninstall(final String name) throws IOException, DeploymentException
    {
        audited("app.uninstall", name, () -> deployments.uninstall(name));
    }

    @Override
    public List<String> updateReport(final String name)
    {
        return deployments.updateReport(name);
    }
}
