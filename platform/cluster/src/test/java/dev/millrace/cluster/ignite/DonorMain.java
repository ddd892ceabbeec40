package dev.millrace.cluster.ignite;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ReplicatedBlobStore;
import dev.millrace.cluster.ReplicatedMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A member in its own process that fills a map or a store of large values. It prints {@code FILLED} and leaves when its
 * input ends.
 */
public final class DonorMain
{
    static final String MAP = "given";
    static final String BYTES = "given-bytes";
    static final int VALUES = 300;
    static final int VALUE_BYTES = 64 << 10;

    private DonorMain()
    {
    }

    /**
     * Joins and fills.
     *
     * @param args first discovery port, first communication port, directory, {@link #MAP} or {@link #BYTES}
     * @throws Exception when it fails
     */
    public static void main(final String[] args) throws Exception
    {
        final int discovery = Integer.parseInt(args[0]);
        final ClusterSettings settings = new ClusterSettings("shop", "donor", 1, Set.of(), "127.0.0.1",
            List.of("127.0.0.1:" + discovery + ".." + (discovery + TestPorts.COUNT - 1)),
            new ClusterSettings.Ports(discovery, Integer.parseInt(args[1]), TestPorts.COUNT),
            TestPorts.FAILURE_DETECTION_MS, null, Path.of(args[2]), TestPorts.SECRET);
        try (Cluster cluster = IgniteCluster.join(settings))
        {
            if (args[3].equals(MAP))
            {
                final ReplicatedMap map = cluster.map(MAP);
                fill(map::put);
            }
            else
            {
                final ReplicatedBlobStore bytes = cluster.bytes(BYTES);
                fill(bytes::put);
            }
            System.out.println("FILLED");
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    private static void fill(final BiConsumer<String, byte[]> target)
    {
        for (int i = 0; i < VALUES; i++)
        {
            target.accept(name(i), value(i));
        }
    }

    static String name(final int number)
    {
        return "name" + number;
    }

    /** A value whose bytes all equal its number. */
    static byte[] value(final int number)
    {
        final byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte)number);
        return value;
    }
}
