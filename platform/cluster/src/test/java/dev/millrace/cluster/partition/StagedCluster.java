package dev.millrace.cluster.partition;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterView;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/** A real cluster of which the test decides what a member's channels learn, and when. */
final class StagedCluster
{
    final Cluster cluster;
    volatile boolean holdsLease = true;
    /** What the thread of a channel sees when it looks who is there; it may wait. */
    volatile UnaryOperator<ClusterView> look = UnaryOperator.identity();

    StagedCluster(final Cluster real)
    {
        cluster = (Cluster)Proxy.newProxyInstance(Cluster.class.getClassLoader(), new Class<?>[] {Cluster.class},
            (proxy, method, arguments) ->
            {
                if (method.getName().equals("holdsLease"))
                {
                    return holdsLease && real.holdsLease();
                }
                if (method.getName().equals("view") && Thread.currentThread().getName().endsWith("/members"))
                {
                    return look.apply(real.view());
                }
                try
                {
                    return method.invoke(real, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
