package dev.millrace.network.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.time.Clock;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.SourcePosition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries share an outlet of a processor only where no stage below can see the difference. */
@Timeout(60)
class OutletSharingTest
{
    private final Map<String, BatchSchema> schemas = new LinkedHashMap<>();

    OutletSharingTest()
    {
        List.of("a", "b", "c").forEach(query -> schemas.put(query, schema(query, "name", "price")));
    }

    private static BatchSchema schema(final String query, final String first, final String second)
    {
        return new BatchSchema(EventType.tuple(query, new EventProperty(first, CqlType.CHAR),
            new EventProperty(second, CqlType.DOUBLE)));
    }

    private ChannelRuntime channel(final String id, final boolean relation, final String timestampProperty,
        final String... selector)
    {
        final EventType type = EventType.tuple("Row", new EventProperty("name", CqlType.CHAR),
            new EventProperty("price", CqlType.DOUBLE), new EventProperty("at", CqlType.BIGINT));
        final ChannelStage stage = new ChannelStage(id, type, relation, List.of(), ChannelStage.Queue.PASS_THROUGH,
            false, new ChannelStage.Time(timestampProperty, true, 0), List.of(selector), List.of(),
            SourcePosition.NONE);
        return new ChannelRuntime(
            stage, "app/" + id, new BatchSchema(type), 0, Clock.SYSTEM, Thread::new, null, null,
            MemoryScope.unlimited());
    }

    private List<List<String>> together(final ChannelRuntime... below)
    {
        return List.copyOf(new OutletSharing(List.of(below), ChannelRuntime::takes).of(schemas));
    }

    @Test
    void shouldPutQueriesTogetherThatReachTheSameStreams()
    {
        assertThat(together(channel("all", false, null), channel("some", false, null, "a", "c")))
            .containsExactly(List.of("a", "c"), List.of("b"));
        assertThat(together(channel("all", false, null))).containsExactly(List.of("a", "b", "c"));
        assertThat(together()).containsExactly(List.of("a", "b", "c"));
    }

    @Test
    void shouldKeepQueriesApartWhereARelationOrAnApplicationTimeIsBelow()
    {
        assertThat(together(channel("all", false, null), channel("relation", true, null)))
            .containsExactly(List.of("a"), List.of("b"), List.of("c"));
        assertThat(together(channel("timed", false, "at"))).hasSize(3);
        assertThat(together(channel("all", false, null), channel("timed", false, "at", "b")))
            .containsExactly(List.of("a", "c"), List.of("b"));
    }

    @Test
    void shouldKeepQueriesApartWhoseColumnsDiffer()
    {
        schemas.put("b", schema("b", "symbol", "price"));
        schemas.put("c", schema("c", "name", "cost"));
        assertThat(together(channel("all", false, null)))
            .containsExactly(List.of("a"), List.of("b"), List.of("c"));
    }
}
