package dev.millrace.network.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventProperty;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.definition.ChannelStage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Finds the queries whose rows may leave a processor through one outlet: the same channels accept them, and the rows
 * have the same columns for these channels.
 *
 * <p>Queries need separate outlets where a channel treats consecutive rows of a lane as related: a relation combines
 * deletions and insertions of one query, and application times must not go back within one query. Confined to the
 * thread that builds the network or changes the rules.
 */
final class OutletSharing
{
    private final List<ChannelRuntime> below;
    private final BiPredicate<ChannelRuntime, String> takes;

    /** The common properties of queries that share an outlet. */
    private record Way(List<ChannelRuntime> takers, List<EventProperty> columns)
    {
        boolean isShared()
        {
            return takers.stream().map(ChannelRuntime::definition).noneMatch(Way::looksAtLanes);
        }

        private static boolean looksAtLanes(final ChannelStage channel)
        {
            return channel.relation() || channel.time().timestampProperty() != null;
        }
    }

    /**
     * @param below channels directly below the processor
     * @param takes whether a channel accepts the rows of a query
     */
    OutletSharing(final List<ChannelRuntime> below, final BiPredicate<ChannelRuntime, String> takes)
    {
        this.below = below;
        this.takes = takes;
    }

    /**
     * Groups queries.
     *
     * @param schemas schema of the rows, by query
     * @return all queries; each group may share an outlet
     */
    Collection<List<String>> of(final Map<String, BatchSchema> schemas)
    {
        final Map<Object, List<String>> found = new LinkedHashMap<>();
        schemas.forEach((query, schema) ->
        {
            final Way way = way(query, schema);
            found.computeIfAbsent(way.isShared() ? way : query, key -> new ArrayList<>()).add(query);
        });
        return found.values();
    }

    private Way way(final String query, final BatchSchema schema)
    {
        return new Way(below.stream().filter(channel -> takes.test(channel, query)).toList(),
            schema.type().properties());
    }
}
