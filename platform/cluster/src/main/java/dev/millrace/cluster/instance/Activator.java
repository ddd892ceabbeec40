package dev.millrace.cluster.instance;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterSettings.Multicast;
import dev.millrace.cluster.ClusterSettings.Ports;
import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.DomainSecret;
import dev.millrace.cluster.NotificationGroups;
import dev.millrace.cluster.cache.ClusteredCachingSystem;
import dev.millrace.cluster.deployment.GroupDeploymentService;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.notification.ReplicatedNotificationGroups;
import dev.millrace.cluster.partition.ClusterPartitionedChannels;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.OutputPermit;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.server.spi.ClusterConfiguration;
import dev.millrace.server.spi.ClusterConfiguration.Encryption;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.LocalDeployments;
import dev.millrace.server.spi.ServerDetails;
import dev.millrace.server.spi.ServerInstance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/**
 * Joins the cluster before applications are restored and leaves it after they have stopped. If the cluster rejects the
 * instance, the instance does not start.
 */
public final class Activator implements BundleActivator
{
    private Cluster cluster;
    private ReplicatedNotificationGroups notificationGroups;
    private GroupDeploymentService groups;
    private ClusterPartitionedChannels partitions;
    private ClusteredCachingSystem caches;
    private ServiceRegistration<CachingSystem> cachingSystem;

    @Override
    public void start(final BundleContext context) throws DeploymentException, IOException
    {
        final ServiceReference<ServerInstance> reference = context.getServiceReference(ServerInstance.class);
        final ServerInstance instance = reference == null ? null : context.getService(reference);
        if (instance == null || instance.cluster() == null)
        {
            return;
        }
        final ClusterSettings settings;
        try
        {
            settings = settings(instance, instance.cluster());
            cluster = IgniteCluster.join(settings);
        }
        catch (final ClusterException e)
        {
            throw new DeploymentException(e.code(), instance.cluster().position(), e.getMessage(), e.hint());
        }
        context.registerService(Cluster.class, cluster, null);
        final Cluster joined = cluster;
        context.registerService(OutputPermit.class, joined::holdsLease, null);
        partitions = new ClusterPartitionedChannels(cluster, settings);
        context.registerService(PartitionedChannels.class, partitions, null);
        context.registerService(ServerDetails.class, new MembershipDetails(cluster), null);
        caches = ClusteredCachingSystem.start(cluster, System::nanoTime);
        cachingSystem = context.registerService(CachingSystem.class, caches,
            new Hashtable<>(Map.of("type", ClusteredCachingSystem.PROVIDER)));
        notificationGroups = new ReplicatedNotificationGroups(cluster);
        context.registerService(NotificationGroups.class, notificationGroups, null);
        final ServiceReference<LocalDeployments> local = context.getServiceReference(LocalDeployments.class);
        if (local != null)
        {
            groups = GroupDeploymentService.start(
                cluster, context.getService(local), instance.directory().resolve("cluster"));
            context.registerService(GroupDeployments.class, groups, null);
        }
    }

    private static ClusterSettings settings(final ServerInstance instance, final ClusterConfiguration configured)
        throws ClusterException
    {
        final DomainSecret secret = DomainSecret.find(instance.directory().resolve("config"),
            Path.of(System.getProperty("user.home")), hosts(configured));
        final Path directory = instance.directory().resolve("var").resolve("cluster");
        return new ClusterSettings(instance.domainName(), configured.serverName(), configured.identity(),
            configured.groups(), configured.host(), configured.addresses(),
            new Ports(configured.discoveryPort(), configured.communicationPort(), configured.portCount()),
            configured.failureDetectionMs(), tls(configured.encryption()), directory, configured.multicast() == null ?
                null : new Multicast(configured.multicast().address(), configured.multicast().port()), secret);
    }

    /** Host of this member and hosts of the configured addresses. */
    private static List<String> hosts(final ClusterConfiguration configured)
    {
        final List<String> hosts = new ArrayList<>(List.of(configured.host()));
        configured.addresses().forEach(address -> hosts.add(address.substring(0, address.lastIndexOf(':'))));
        return hosts;
    }

    private static Tls tls(final Encryption encryption)
    {
        return encryption == null ? null :
            new Tls(encryption.keyStore(), encryption.trustStore(), encryption.password().toCharArray());
    }

    @Override
    public void stop(final BundleContext context)
    {
        if (groups != null)
        {
            groups.close();
        }
        if (partitions != null)
        {
            partitions.close();
        }
        if (caches != null)
        {
            // Applications that use the caching system stop here, while the other members can still receive their
            // messages.
            cachingSystem.unregister();
            caches.close();
        }
        if (notificationGroups != null)
        {
            notificationGroups.close();
        }
        if (cluster != null)
        {
            cluster.close();
        }
    }
}
