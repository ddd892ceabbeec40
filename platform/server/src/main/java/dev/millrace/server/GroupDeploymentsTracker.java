package dev.millrace.server;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.spi.GroupDeployments;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** The groups of the cluster. Looked up at each call, because an instance may not be in a cluster. Thread-safe. */
final class GroupDeploymentsTracker
{
    private final BundleContext context;

    GroupDeploymentsTracker(final BundleContext context)
    {
        this.context = context;
    }

    /** Returns the deployments of the cluster's groups. The service is unregistered only when the instance ends. */
    private Optional<GroupDeployments> find()
    {
        final ServiceReference<GroupDeployments> reference = context.getServiceReference(GroupDeployments.class);
        return Optional.ofNullable(reference).map(context::getService);
    }

    GroupDeployments existing(final String group) throws DeploymentException
    {
        return find().orElseThrow(() -> new DeploymentException("SRV-0218", SourcePosition.NONE,
            "this instance is not in a cluster, group=" + group,
            "omit the group, or set <enabled>true</enabled> in <cluster> of config.xml and restart the instance"));
    }

    /** Returns the group that has deployed an application here. */
    Optional<String> of(final String name)
    {
        return find().flatMap(groups -> groups.groupOf(name));
    }

    /** Rejects a change of an application that a group has deployed, because otherwise its members would differ. */
    void refuseAlone(final String name) throws DeploymentException
    {
        final Optional<String> group = of(name);
        if (group.isPresent())
        {
            throw new DeploymentException("SRV-0217", new SourcePosition(name, 0, 0),
                "a group has deployed this application, group=" + group.get(), "repeat it with --group " + group.get());
        }
    }
}
