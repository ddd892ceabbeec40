package dev.millrace.cluster.deployment;

import dev.millrace.cluster.ReplicatedMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The desired deployments, shared by all members. Thread-safe. */
final class DesiredDeployments
{
    private final ReplicatedMap map;

    /** Parsed documents by name, so that unchanged ones are not parsed again. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(byte[] json, DesiredDeployment document)
    {
    }

    DesiredDeployments(final ReplicatedMap map)
    {
        this.map = map;
    }

    /** All documents by name. */
    List<DesiredDeployment> all()
    {
        return map.all().entrySet().stream().map(each -> known(each.getKey(), each.getValue()).document).toList();
    }

    Optional<DesiredDeployment> get(final String name)
    {
        return Optional.ofNullable(map.get(name)).map(json -> known(name, json).document);
    }

    /** The document as known to all members, even if the local replica is behind. */
    Optional<DesiredDeployment> latest(final String name)
    {
        // This no-op change goes through all members, which brings the local replica up to date.
        map.replace(name, null, null);
        return get(name);
    }

    /** Relies on the map returning the same array as long as the value is unchanged. */
    private Known known(final String name, final byte[] json)
    {
        return known.compute(name, (key, before) ->
            before != null && before.json == json ? before : new Known(json, DesiredDeployment.of(json)));
    }

    /**
     * Replaces a document, or creates it. If the member that decides about the name dies during the call, the change is
     * retried and may already be in effect. This is recognized because no two changes are equal: each contains its
     * origin and time.
     *
     * @return false when another member was faster
     */
    boolean replace(final Optional<DesiredDeployment> expected, final DesiredDeployment next)
    {
        final byte[] json = next.json();
        return map.replace(next.name(), expected.map(DesiredDeployment::json).orElse(null), json) ||
            Arrays.equals(json, map.get(next.name()));
    }
}
