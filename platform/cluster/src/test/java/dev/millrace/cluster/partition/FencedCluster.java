package dev.millrace.cluster.partition;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.SharedBytes;
import dev.millrace.cluster.SharedMap;

/** A real cluster whose lease the test takes away. */
final class FencedCluster implements Cluster
{
    volatile boolean holds = true;
    private final Cluster real;

    FencedCluster(final Cluster real)
    {
        this.real = real;
    }

    @Override
    public boolean holdsLease()
    {
        return holds && real.holdsLease();
    }

    @Override
    public ClusterView view()
    {
        return real.view();
    }

    @Override
    public void addListener(final ClusterListener listener)
    {
        real.addListener(listener);
    }

    @Override
    public void removeListener(final ClusterListener listener)
    {
        real.removeListener(listener);
    }

    @Override
    public SharedMap map(final String name)
    {
        return real.map(name);
    }

    @Override
    public SharedBytes bytes(final String name)
    {
        return real.bytes(name);
    }

    @Override
    public void close()
    {
        real.close();
    }
}
