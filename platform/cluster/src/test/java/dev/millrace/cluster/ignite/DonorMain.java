package dev.millrace.cluster.ignite;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.SharedMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A member in a process of its own that fills a map. It prints {@code FILLED} and leaves when its
 * input ends.
 */
public final class DonorMain
{
    static final String MAP = "given";
    static final int VALUES = 300;
    static final int VALUE_BYTES = 64 << 10;

    private DonorMain()
    {
    }

    /**
     * Joins and fills.
     *
     * @param args first port of discovery, first port of communication, directory
     * @throws Exception when it cannot
     */
    public static void main(final String[] args) throws Exception
    {
        final int discovery = Integer.parseInt(args[0]);
        final ClusterSettings settings = new ClusterSettings("shop", "donor", 1, Set.of(), "127.0.0.1",
            List.of("127.0.0.1:" + discovery + ".." + (discovery + TestPorts.COUNT - 1)),
            new ClusterSettings.Ports(discovery, Integer.parseInt(args[1]), TestPorts.COUNT),
            ClusterSettings.DEFAULT_FAILURE_DETECTION_MS, null, Path.of(args[2]));
        try (Cluster cluster = IgniteCluster.join(settings))
        {
            final SharedMap map = cluster.map(MAP);
            for (int i = 0; i < VALUES; i++)
            {
                map.put(name(i), value(i));
            }
            System.out.println("FILLED");
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    static String name(final int number)
    {
        return "name" + number;
    }

    /** Each of its bytes says which it is. */
    static byte[] value(final int number)
    {
        final byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte)number);
        return value;
    }
}
