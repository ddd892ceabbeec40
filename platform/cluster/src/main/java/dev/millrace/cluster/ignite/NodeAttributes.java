package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.Member;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.ignite.cluster.ClusterNode;

/** Attributes of a member's node, which other members see when it joins. */
final class NodeAttributes
{
    private static final String DOMAIN = "millrace.domain";
    private static final String NAME = "millrace.name";
    private static final String IDENTITY = "millrace.identity";
    private static final String HOST = "millrace.host";
    private static final String GROUPS = "millrace.groups";
    private static final String PROOF = "millrace.proof";

    private NodeAttributes()
    {
    }

    static Map<String, Object> of(final ClusterSettings settings, final UUID nodeId)
    {
        return Map.of(DOMAIN, settings.domainName(), NAME, settings.serverName(), IDENTITY, settings.identity(),
            HOST, settings.host(), GROUPS, String.join(",", settings.groups()),
            PROOF, proof(settings, nodeId, settings.domainName(), settings.serverName()));
    }

    /**
     * Whether a node has proved that it has the secret of the domain. The proof of one node is invalid for another
     * node.
     */
    static boolean isProven(final ClusterNode node, final ClusterSettings settings)
    {
        return MessageDigest.isEqual(text(node, PROOF).getBytes(StandardCharsets.US_ASCII),
            proof(settings, node.id(), domain(node), name(node)).getBytes(StandardCharsets.US_ASCII));
    }

    private static String proof(
        final ClusterSettings settings, final UUID nodeId, final String domain, final String name)
    {
        return HexFormat.of().formatHex(settings.secret().key("join\n" + nodeId + '\n' + domain + '\n' + name));
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
