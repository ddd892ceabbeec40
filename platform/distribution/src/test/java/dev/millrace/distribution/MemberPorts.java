package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The ports on which a server of {@link SharedWorkIT} listens. */
final class MemberPorts
{
    /** Number of discovery ports of the cluster, which its communication ports follow. */
    static final int RANGE = 4;
    private static final String LINKS = "links of channels, TCP";

    private final SharedWorkMember member;
    private final int discovery;

    /** @param discovery the first discovery port of the cluster */
    MemberPorts(final SharedWorkMember member, final int discovery)
    {
        this.member = member;
        this.discovery = discovery;
    }

    int discovery() throws IOException
    {
        return all().stream().filter(port -> port >= discovery && port < discovery + RANGE).findFirst().orElseThrow();
    }

    int links() throws Exception
    {
        return byPurpose().get(LINKS);
    }

    /** Returns one port for each purpose. The port that no setting and no adapter uses is that of the links. */
    Map<String, Integer> byPurpose() throws Exception
    {
        final Set<Integer> data = new HashSet<>();
        for (final String adapter : List.of("limitsIn", "ticksIn", "tradesIn"))
        {
            data.add(member.own(adapter).get("port").getAsInt());
        }
        final Map<String, Integer> found = new TreeMap<>();
        for (final int port : all())
        {
            final String purpose = port == member.instance.ports.netio() ? "management, TCP" :
                port == member.instance.ports.timesync() ? "clock exchange, UDP (loadgen adapter)" :
                data.contains(port) ? "data, TCP (loadgen adapter)" :
                port >= discovery && port < discovery + RANGE ? "discovery, TCP" :
                port >= discovery + RANGE && port < discovery + 2 * RANGE ? "communication, TCP" : LINKS;
            final Integer other = found.put(purpose, port);
            assertThat(other == null || data.contains(port)).as("ports of one purpose: " + purpose + ' ' + other +
                " and " + port).isTrue();
        }
        return found;
    }

    private List<Integer> all() throws IOException
    {
        return List.copyOf(ListeningSockets.of(member.instance.process.process().pid()).keySet());
    }
}
