package dev.millrace.cluster.partition;

import dev.millrace.cluster.Cluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real cluster whose lease the test takes away. */
final class FencedCluster
{
    volatile boolean holds = true;
    final Cluster cluster;

    FencedCluster(final Cluster real)
    {
        cluster = (Cluster)Proxy.newProxyInstance(Cluster.class.getClassLoader(), new Class<?>[] {Cluster.class},
            (proxy, method, arguments) ->
            {
                if (method.getName().equals("holdsLease"))
                {
                    return holds && real.holdsLease();
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
