package dev.millrace.api.http;

import java.util.List;
import java.util.Set;

/**
 * Restricts channels to clients with a role: a {@code channel-constraints} entry of {@code config.xml}. Immutable.
 *
 * @param patterns   of the channels
 * @param operations that are restricted
 * @param roles      of which a client needs one; each is the name of a secret that clients present; if empty,
 *                   all clients are excluded
 */
public record ChannelConstraint(List<String> patterns, Set<Operation> operations, List<String> roles)
{
    /** The operations of clients on channels. */
    public enum Operation
    {
        SUBSCRIBE,
        PUBLISH
    }

    /** Copies the collections. */
    public ChannelConstraint
    {
        patterns = List.copyOf(patterns);
        operations = Set.copyOf(operations);
        roles = List.copyOf(roles);
    }
}
