package dev.millrace.network.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ColumnMappingInletTest
{
    private final EventType from = EventType.tuple("From", new EventProperty("a", CqlType.INT),
        new EventProperty("B", CqlType.CHAR));
    private final EventType to = EventType.tuple("To", new EventProperty("b", CqlType.CHAR),
        new EventProperty("c", CqlType.INT), new EventProperty("A", CqlType.INT));

    @Test
    void shouldReuseOneViewForEachBatchOfARing()
    {
        final Set<EventBatch> views = Collections.newSetFromMap(new IdentityHashMap<>());
        final List<Object> seen = new ArrayList<>();
        final ColumnMappingInlet inlet = new ColumnMappingInlet(
            new BatchSchema(to), ColumnMapping.between(from, to), view ->
            {
                views.add(view);
                seen.add(view.value(0, 0) + "/" + view.value(1, 0) + "/" + view.value(2, 0));
            });
        final List<EventBatch> ring = new ArrayList<>();
        for (int i = 0; i < 11; i++)
        {
            ring.add(new EventBatch(new BatchSchema(from)));
        }
        for (int i = 0; i < 50; i++)
        {
            final EventBatch batch = ring.get(i % 11);
            batch.ints(0)[0] = i;
            batch.texts(1).set(0, "t" + i);
            batch.size(1);
            inlet.accept(batch);
            assertThat(seen.get(i)).isEqualTo("t" + i + "/null/" + i);
        }
        assertThat(views).hasSize(11);
    }
}
