package dev.millrace.cluster.ignite;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A member in its own process. It prints one line per view and leaves when its input ends. */
public final class MemberMain
{
    private MemberMain()
    {
    }

    /**
     * Joins.
     *
     * @param args name, identity, first discovery port, first communication port, failure detection in ms, directory
     * @throws Exception when it fails
     */
    public static void main(final String[] args) throws Exception
    {
        final int discovery = Integer.parseInt(args[2]);
        final ClusterSettings settings = new ClusterSettings("shop", args[0], Integer.parseInt(args[1]), Set.of(),
            "127.0.0.1", List.of("127.0.0.1:" + discovery + ".." + (discovery + TestPorts.COUNT - 1)),
            new ClusterSettings.Ports(discovery, Integer.parseInt(args[3]), TestPorts.COUNT),
            Long.parseLong(args[4]), null, Path.of(args[5]), TestPorts.SECRET);
        try (Cluster cluster = IgniteCluster.join(settings))
        {
            cluster.addListener(MemberMain::print);
            while (System.in.read() >= 0)
            {
                print(cluster.view());
            }
        }
    }

    /** Prints with a single call, so that lines of two threads do not mix. */
    private static void print(final ClusterView view)
    {
        System.out.println("VIEW " + view.state() + ' ' + view.members().stream().map(Member::name)
            .collect(Collectors.joining(",")));
    }
}
