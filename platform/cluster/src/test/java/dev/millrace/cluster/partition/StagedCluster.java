package dev.millrace.cluster.partition;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ReplicatedMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** A real cluster in which the test controls what a member's channels observe, and when. */
final class StagedCluster
{
    final Cluster cluster;
    volatile boolean holdsLease = true;
    /** Transforms the view that the thread of a channel reads; it may block. */
    volatile UnaryOperator<ClusterView> look = UnaryOperator.identity();
    /** Maps the port of this member's links to the one that other members see. */
    volatile IntUnaryOperator shownPort = port -> port;

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
                final Object result = invoke(method, real, arguments);
                return result instanceof ReplicatedMap map ? shown(map, real.view().self().name()) : result;
            });
    }

    private static Object invoke(final Method method, final Object real, final Object... arguments) throws Throwable
    {
        try
        {
            return method.invoke(real, arguments);
        }
        catch (final InvocationTargetException e)
        {
            throw e.getCause();
        }
    }

    /** A map in which the registration of this member contains another port than the one that it reads itself. */
    private ReplicatedMap shown(final ReplicatedMap real, final String name)
    {
        final AtomicInteger own = new AtomicInteger();
        return (ReplicatedMap)Proxy.newProxyInstance(ReplicatedMap.class.getClassLoader(),
            new Class<?>[] {ReplicatedMap.class},
            (proxy, method, arguments) ->
            {
                final boolean isOwn = arguments != null && arguments[0].toString().endsWith("/member/" + name);
                if (isOwn && method.getName().equals("put") && arguments[1] instanceof byte[] json)
                {
                    final Registration mine = Registration.of(json);
                    own.set(mine.port());
                    arguments[1] = withPort(mine, shownPort.applyAsInt(mine.port()));
                }
                final Object result = invoke(method, real, arguments);
                return isOwn && method.getName().equals("get") && result instanceof byte[] json ?
                    withPort(Registration.of(json), own.get()) : result;
            });
    }

    private static byte[] withPort(final Registration one, final int port)
    {
        return new Registration(one.name(), one.memberId(), one.stay(), one.host(), port, one.shape(), one.owner(),
            one.released()).json();
    }
}
