package dev.millrace.cluster.instance;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.server.spi.ServerDetails;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Details of the cluster as seen by this member. Thread-safe. */
final class MembershipDetails implements ServerDetails
{
    private final Cluster cluster;

    MembershipDetails(final Cluster cluster)
    {
        this.cluster = cluster;
    }

    @Override
    public String name()
    {
        return "cluster";
    }

    @Override
    public Map<String, Object> describe()
    {
        final ClusterView view = cluster.view();
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("serverName", view.self().name());
        shown.put("state", view.state().name());
        shown.put("coordinator", view.coordinator().name());
        shown.put("members", view.members().stream().map(MembershipDetails::describe).toList());
        return shown;
    }

    private static Map<String, Object> describe(final Member member)
    {
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("serverName", member.name());
        shown.put("host", member.host());
        if (member.identity() != Member.NO_IDENTITY)
        {
            shown.put("identity", member.identity());
        }
        shown.put("groups", List.copyOf(new TreeSet<>(member.groups())));
        return shown;
    }
}
