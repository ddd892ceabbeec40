package dev.millrace.caches;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.time.Clock;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.PlatformServices;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.DomainSecret;
import dev.millrace.cluster.cache.ClusteredCachingSystem;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.partition.ClusterPartitionedChannels;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.ProcessorProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** One member of a cluster with one application, in this process; all parts except the framework are real. */
final class MemberApplication implements AutoCloseable
{
    private static final int PORTS = 4;
    /** Longer than a pause of a busy machine, which would otherwise remove members. */
    private static final long FAILURE_DETECTION_MS = 60_000;

    private final Cluster cluster;
    private final ClusteredCachingSystem caches;
    private final ClusterPartitionedChannels partitions;
    private final GenericApplicationContext context = new GenericApplicationContext();
    private Network network;

    /**
     * Joins the cluster; nothing is deployed yet.
     *
     * @param firstPort first of four ports for discovery; the following four are for communication
     */
    MemberApplication(final String name, final int firstPort, final Path directory) throws ClusterException
    {
        final ClusterSettings settings = new ClusterSettings("caches", name, 1, Set.of(), "127.0.0.1",
            List.of("127.0.0.1:" + firstPort + ".." + (firstPort + PORTS - 1)),
            new ClusterSettings.Ports(firstPort, firstPort + PORTS, PORTS),
            FAILURE_DETECTION_MS, null, directory.resolve(name),
            DomainSecret.of(new byte[DomainSecret.BYTES]));
        cluster = IgniteCluster.join(settings);
        partitions = new ClusterPartitionedChannels(cluster, settings);
        caches = ClusteredCachingSystem.start(cluster, System::nanoTime);
    }

    /** Returns the first of eight ports that were free a moment ago. */
    static int freePorts() throws IOException
    {
        return FreePorts.range(2 * PORTS);
    }

    /** Deploys and starts an application. */
    void deploy(final String assembly, final String configuration) throws DeploymentException
    {
        AssemblyReader.onClassPath(context, getClass().getClassLoader())
            .read(List.of(file("META-INF/spring/app.xml", assembly)));
        final ApplicationAssembler assembler = new ApplicationAssembler("caches", new Services());
        assembler.prepare(context, List.of(file("META-INF/wlevs/app.xml", configuration)));
        assembler.refresh(context);
        network = assembler.assemble(context);
        network.start();
    }

    private static ConfigurationResource file(final String name, final String text)
    {
        return new ConfigurationResource(name, new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
    }

    <T> T bean(final String name, final Class<T> kind)
    {
        return context.getBean(name, kind);
    }

    Network network()
    {
        return network;
    }

    @Override
    public void close()
    {
        if (network != null)
        {
            network.stop();
        }
        context.close();
        caches.close();
        partitions.close();
        cluster.close();
    }

    /** The services of a server for its applications. */
    private final class Services implements PlatformServices
    {
        @Override
        public AdapterFactory adapterFactory(final String provider)
        {
            return null;
        }

        @Override
        public EventBeanFactory eventBeanFactory(final String provider)
        {
            return null;
        }

        @Override
        public CachingSystem cachingSystem(final String provider)
        {
            return provider.equals(ClusteredCachingSystem.PROVIDER) ? caches :
                provider.equals(LOCAL_CACHING_SYSTEM) ? new LocalCachingSystem() : null;
        }

        @Override
        public PartitionedChannels partitionedChannels()
        {
            return partitions;
        }

        @Override
        public ProcessorProvider processorProvider(final String name)
        {
            return name.equals("cql") ? new CqlProcessorProvider() : null;
        }

        @Override
        public Clock clock()
        {
            return Clock.SYSTEM;
        }

        @Override
        public ThreadFactory threads()
        {
            return Executors.defaultThreadFactory();
        }

        @Override
        public int defaultWorkers()
        {
            return 1;
        }
    }
}
