package dev.millrace.samples.signalgeneration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalgenOutputBeanTest
{
    private static final EventType PERCENT_TICK = type("PercentTick", "percLastPrice");
    private static final EventType TREND_TICK = type("TrendTick", "percTrend");
    private static final EventType OTHER = type("Other", "something");

    private final ManualClock clock = new ManualClock(1_000_000_000L);
    private final SignalgenOutputBean bean = new SignalgenOutputBean();

    @BeforeEach
    void giveContext()
    {
        bean.setStageContext(new Context());
    }

    @Test
    void shouldCountSignalsAndTrendsApartWhenBothArrive() throws Exception
    {
        bean.onBatch(batch(PERCENT_TICK, 5, 0));
        bean.onBatch(batch(TREND_TICK, 2, 0));
        bean.onBatch(batch(PERCENT_TICK, 0, 0));
        assertThat(bean.statistics()).containsEntry("signals", 5L).containsEntry("trends", 2L);
    }

    @Test
    void shouldMeasureFromOriginToNowWhenBatchesCarryOrigins() throws Exception
    {
        bean.onBatch(batch(PERCENT_TICK, 3, 250_000));
        bean.onBatch(batch(PERCENT_TICK, 1, 1_000_000));
        bean.statistics();
        @SuppressWarnings("unchecked") // the key is documented to hold such a map
        final Map<String, Number> latencyUs = (Map<String, Number>)bean.statistics().get("latencyUs");
        assertThat(latencyUs.get("count")).isEqualTo(4L);
        assertThat(latencyUs.get("p50").doubleValue()).isBetween(249.0, 251.0);
        assertThat(latencyUs.get("max").doubleValue()).isBetween(999.0, 1001.0);
        assertThat(latencyUs.get("mean").doubleValue()).isBetween(436.0, 439.0);
    }

    @Test
    void shouldShowTheLastSignalsNewestFirstWhenAsked() throws Exception
    {
        bean.onBatch(batch(PERCENT_TICK, 200, 0));
        bean.onBatch(batch(PERCENT_TICK, 3, 0));
        @SuppressWarnings("unchecked") // the key is documented to hold such a list
        final List<Map<String, Object>> last = (List<Map<String, Object>>)bean.statistics().get("lastSignals");
        assertThat(last).hasSize(RecentRows.KEPT).extracting(row -> row.get("symbol"))
            .startsWith("S2", "S1", "S0", "S199", "S198");
        assertThat(last.get(0)).containsEntry("lastPrice", 12.0).containsEntry("percLastPrice", 2.5);
    }

    @Test
    void shouldRejectWhenRowsAreOfAnotherType()
    {
        assertThatThrownBy(() -> bean.onBatch(batch(OTHER, 1, 0)))
            .isInstanceOf(EventRejectedException.class).hasMessageContaining("Other");
    }

    private EventBatch batch(final EventType type, final int rows, final long ageNs)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(type));
        for (int row = 0; row < rows; row++)
        {
            batch.texts(0).set(row, "S" + row);
            batch.doubles(1)[row] = 10.0 + row;
            batch.doubles(2)[row] = 2.5;
            batch.useOrigins()[row] = clock.epochNs() - ageNs;
        }
        batch.size(rows);
        return batch;
    }

    private static EventType type(final String name, final String change)
    {
        return EventType.tuple(
            name,
            new EventProperty("symbol", CqlType.CHAR),
            new EventProperty("lastPrice", CqlType.DOUBLE),
            new EventProperty(change, CqlType.DOUBLE));
    }

    private static final class Types implements EventTypeRepository
    {
        @Override
        public EventType eventType(final String name)
        {
            return eventTypes().stream().filter(type -> type.name().equals(name)).findFirst().orElse(null);
        }

        @Override
        public Collection<EventType> eventTypes()
        {
            return List.of(PERCENT_TICK, TREND_TICK, OTHER);
        }
    }

    private final class Context implements StageContext
    {
        @Override
        public String applicationName()
        {
            return "test";
        }

        @Override
        public String stageId()
        {
            return "outputBean";
        }

        @Override
        public EventTypeRepository eventTypes()
        {
            return new Types();
        }

        @Override
        public Clock clock()
        {
            return clock;
        }
    }
}
