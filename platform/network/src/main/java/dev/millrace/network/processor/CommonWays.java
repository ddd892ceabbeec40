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
 * Finds the queries whose rows may leave a processor through one outlet: the same channels take them, and the rows look
 * the same to these.
 *
 * <p>Channels that look at a lane's rows together keep queries apart: a relation pairs what one query deletes and
 * inserts, and an application time must not go back within one query. Used by the thread that builds the network or
 * changes the rules.
 */
final class CommonWays
{
    private final List<ChannelRuntime> below;
    private final BiPredicate<ChannelRuntime, String> takes;

    /** What queries have in common that leave together. */
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
     * Makes it.
     *
     * @param below channels right below the processor
     * @param takes whether a channel takes the rows of a query
     */
    CommonWays(final List<ChannelRuntime> below, final BiPredicate<ChannelRuntime, String> takes)
    {
        this.below = below;
        this.takes = takes;
    }

    /**
     * Puts queries together.
     *
     * @param schemas shape of the rows, by query
     * @return all queries, those together that may share an outlet
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
