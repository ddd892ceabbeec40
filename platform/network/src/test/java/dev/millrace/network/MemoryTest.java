package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.lane.Rejections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two networks of one instance share one budget of memory. A sink asks for codes of texts, as state with keys does. */
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
        final EventBatchSink state = batch -> batch.texts(1).codes();
        return net.adapter("in", from, "ticks").channel("ticks", Parts.TICK, "out", "state").bean("out", to)
            .bean("state", state).start();
    }

    @AfterEach
    void stop()
    {
        network.stop();
        neighbour.stop();
        assertThat(budget.takenBytes()).isZero();
    }

    private static void send(final Parts.ObjectSource to, final String symbol)
    {
        to.sender.sendInsertEvent(Map.of("id", 1, "symbol", symbol, "price", 1));
    }

    @Test
    void shouldRejectRowsThatNeedMemoryAndTakeThemAgainWhenAnotherApplicationHasEnded()
    {
        for (int i = 0; i < ROWS; i++)
        {
            send(other, "neighbour " + i);
            send(source, "symbol " + i);
        }
        final int before = taken.events.size();
        assertThat(TestNetwork.rejected(network, "in", "memory-full")).isEqualTo(ROWS - before);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).extracting(Condition::code).containsExactly("EPN-0636");
        assertThat(network.conditions().get(0).text()).contains("limit=1 MiB", "app/dictionary Tick.symbol=");
        send(source, "symbol 1");
        assertThat(taken.events).as("a row that needs none goes on").hasSize(before + 1);

        neighbour.stop();
        for (int i = 0; i < 100; i++)
        {
            send(source, "later " + i);
        }
        assertThat(taken.events).hasSize(before + 101);
        clock.advance(Rejections.EPISODE_NS + 1);
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }

    @Test
    @SuppressWarnings("unchecked") // The statistics are nested maps of strings to values by contract.
    void shouldShowWhoHoldsMemoryInItsStatistics()
    {
        for (int i = 0; i < 100; i++)
        {
            send(source, "symbol " + i);
        }
        final List<Map<String, Object>> memory = (List<Map<String, Object>>)network.statistics().get("memory");
        assertThat(memory).singleElement().satisfies(holder ->
        {
            assertThat(holder).containsEntry("stage", "").containsEntry("rule", "")
                .containsEntry("part", "dictionary Tick.symbol");
            assertThat((Long)holder.get("bytes")).isBetween(100 * 120L, 100 * 400L);
        });
        assertThat((List<?>)neighbour.statistics().get("memory")).isEmpty();
    }
}
