package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Offers the deployer to other bundles of the platform. Thread-safe. */
public final class LocalDeploymentService implements LocalDeployments
{
    private final Deployer deployer;

    public LocalDeploymentService(final Deployer deployer)
    {
        this.deployer = deployer;
    }

    @Override
    public boolean awaitRestored(final long timeoutMs) throws InterruptedException
    {
        return deployer.awaitRestoredAndSettled(timeoutMs);
    }

    @Override
    public String check(final Path bundle, final String fileName) throws IOException, DeploymentException
    {
        return deployer.check(bundle, fileName);
    }

    @Override
    public Optional<LocalApplication> find(final String name)
    {
        return deployer.entry(name).map(entry ->
        {
            final ApplicationStatus status = deployer.find(name).status();
            return new LocalApplication(name, status.state().name(), isDown(status.state()),
                entry.deployment().suspended(), entry.deployment().jar(), status.problems());
        });
    }

    private static boolean isDown(final ApplicationState state)
    {
        return state == ApplicationState.FAILED || state == ApplicationState.QUARANTINED;
    }

    @Override
    public ApplicationSettings settings(final String name) throws IOException
    {
        return deployer.settings(name);
    }

    @Override
    public void install(final InputStream bundle, final String fileName, final boolean suspended,
        final ApplicationSettings settings, final long startNs) throws IOException, DeploymentException
    {
        deployer.install(bundle, fileName, suspended, settings, startNs);
    }

    @Override
    public void update(final String name, final InputStream bundle, final String fileName,
        final ApplicationSettings settings, final long startNs) throws IOException, DeploymentException
    {
        deployer.update(name, bundle, fileName, settings, startNs);
    }

    @Override
    public void change(final String name, final ApplicationSettings settings) throws IOException, DeploymentException
    {
        deployer.change(name, (bundle, before) -> settings);
    }

    @Override
    public void setSuspended(final String name, final boolean suspended) throws IOException, DeploymentException
    {
        deployer.setSuspended(name, suspended);
    }

    @Override
    public void uninstall(final String name) throws IOException, DeploymentException
    {
        deployer.uninstall(name);
    }

    @Override
    public List<String> updateReport(final String name)
    {
        final Application application = deployer.find(name);
        return application == null || application.update() == null ? List.of() : application.update().lines();
    }
}
