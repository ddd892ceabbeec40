package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.Member;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.cluster.ClusterNode;

/** What a member tells the others of itself when it joins, as attributes of its node. */
final class Attributes
{
    private static final String DOMAIN = "millrace.domain";
    private static final String NAME = "millrace.name";
    private static final String IDENTITY = "millrace.identity";
    private static final String HOST = "millrace.host";
    private static final String GROUPS = "millrace.groups";

    private Attributes()
    {
    }

    static Map<String, Object> of(final ClusterSettings settings)
    {
        return Map.of(DOMAIN, settings.domainName(), NAME, settings.serverName(), IDENTITY, settings.identity(),
            HOST, settings.host(), GROUPS, String.join(",", settings.groups()));
    }

    static Member member(final ClusterNode node)
    {
        final String groups = text(node, GROUPS);
        return new Member(node.id(), name(node), (Integer)node.attribute(IDENTITY), node.order(), text(node, HOST),
            groups.isEmpty() ? Set.of() : Set.of(groups.split(",")));
    }

    static String domain(final ClusterNode node)
    {
        return text(node, DOMAIN);
    }

    static String name(final ClusterNode node)
    {
        return text(node, NAME);
    }

    private static String text(final ClusterNode node, final String attribute)
    {
        final String value = node.attribute(attribute);
        return value == null ? "" : value;
    }
}
