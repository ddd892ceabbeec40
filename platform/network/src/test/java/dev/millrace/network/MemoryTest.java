package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.lane.Rejections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two networks of one instance share one memory budget, which primary keys use. */
@Timeout(60)
class MemoryTest
{
    private static final int ROWS = 20_000;

    private final ManualClock clock = new ManualClock(0);
    private final MemoryBudget budget = new MemoryBudget(1 << 20, clock);
    private final Parts.ObjectSource source = new Parts.ObjectSource();
    private final Parts.ObjectSource other = new Parts.ObjectSource();
    private final Parts.ObjectSink taken = new Parts.ObjectSink();
    private Network network;
    private Network neighbour;

    @BeforeEach
    void start() throws Exception
    {
        network = start(source, taken);
        neighbour = start(other, new Parts.ObjectSink());
    }

    private Network start(final Parts.ObjectSource from, final Parts.ObjectSink to) throws Exception
    {
        final TestNetwork net = new TestNetwork();
        net.clock = clock;
        net.memory = budget;
        return net.adapter("in", from, "ticks").relation("ticks", Parts.TICK, List.of("id"), "out").bean("out", to)
            .start();
    }

    @AfterEach
    void stop()
    {
        network.stop();
        neighbour.stop();
        assertThat(budget.takenBytes()).isZero();
    }

    private static Map<String, Object> row(final int id)
    {
        return Map.of("id", id, "symbol", "symbol", "price", 1);
    }

    @Test
    void shouldRejectRowsThatNeedMemoryAndTakeThemAgainWhenAnotherApplicationHasEnded()
    {
        for (int i = 0; i < ROWS; i++)
        {
            other.sender.sendInsertEvent(row(i));
            source.sender.sendInsertEvent(row(i));
        }
        final int before = taken.events.size();
        assertThat(TestNetwork.rejected(network, "ticks", "memory-full")).isEqualTo(ROWS - before);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).extracting(Condition::code).containsExactly("EPN-0636");
        assertThat(network.conditions().get(0).text()).contains("reason=memory-full");
        ((RelationSender)source.sender).sendDeleteEvent(row(1));
        assertThat(TestNetwork.rejected(network, "ticks", "memory-full")).as("rows that need no memory pass")
            .isEqualTo(ROWS - before);

        neighbour.stop();
        for (int i = 0; i < 100; i++)
        {
            source.sender.sendInsertEvent(row(ROWS + i));
        }
        assertThat(taken.events).hasSize(before + 100);
        clock.advance(Rejections.EPISODE_NS + 1);
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }

    @Test
    @SuppressWarnings("unchecked") // The statistics are nested maps of strings to values by contract.
    void shouldShowWhoHoldsMemoryInItsStatistics()
    {
        for (int i = 0; i < 100; i++)
        {
            source.sender.sendInsertEvent(row(i));
        }
        final List<Map<String, Object>> memory = (List<Map<String, Object>>)network.statistics().get("memory");
        assertThat(memory).singleElement().satisfies(holder ->
        {
            assertThat(holder).containsEntry("stage", "ticks").containsEntry("rule", "")
                .containsEntry("part", "primary keys");
            assertThat((Long)holder.get("bytes")).isBetween(100 * 9L, 100 * 40L);
        });
        assertThat((List<?>)neighbour.statistics().get("memory")).isEmpty();
    }
}
