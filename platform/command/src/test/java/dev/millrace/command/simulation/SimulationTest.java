package dev.millrace.command.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares the simulation with formulas and manually computed figures. */
@Timeout(60)
class SimulationTest
{
    private static SimulationSettings settings(final long rate, final double cores)
    {
        return new SimulationSettings(rate, 10, 1000, 0, 1024, 1000, cores, 1000, 0, 1, 4, 1);
    }

    /** One partition per member, with equal shares. */
    private static Placement even(final int members)
    {
        final double[] shares = new double[members];
        Arrays.fill(shares, 1.0 / members);
        return Placement.of(shares, IntStream.range(0, members).toArray(), members);
    }

    @Test
    void shouldFillBatchesAsTheFormulaSays()
    {
        // 50 events per flush time: each of 9 targets gets none of them with probability 0.9^50 = 0.005154.
        final BatchingSimulation.Counts ten = BatchingSimulation.run(settings(50_000, 1), even(10));
        assertThat(ten.batchesPerSourceSec() / 1000).isCloseTo(9 * (1 - 0.005154), within(0.02));
        assertThat(ten.eventsPerBatch()).isCloseTo(5.0259, within(0.02));
        assertThat(ten.remoteShare()).isCloseTo(0.9, within(0.002));
        // 0.99^50 = 0.605006: 39.104 batches, 49.5 events.
        final BatchingSimulation.Counts hundred = BatchingSimulation.run(settings(50_000, 1), even(100));
        assertThat(hundred.batchesPerSourceSec() / 1000).isCloseTo(39.104, within(0.1));
        assertThat(hundred.eventsPerBatch()).isCloseTo(1.2659, within(0.005));
    }

    @Test
    void shouldComeDownToOneEventABatchWhenMembersGrow()
    {
        final BatchingSimulation.Counts many = BatchingSimulation.run(settings(50_000, 1), even(5000));
        // 50 - 50 * 49 / (2 * 5000), the first terms of the series.
        assertThat(many.batchesPerSourceSec() / 1000).isCloseTo(49.75, within(0.05));
        assertThat((double)many.ofOneEvent() / many.batches()).isGreaterThan(0.98);
    }

    @Test
    void shouldCountProcessorTimeAsByHand()
    {
        // One event per flush time; half of them are for the other member, so 500 batches per second.
        final Costs costs = new Costs(settings(1000, 1), 2);
        assertThat(costs.batchesPerSec(0.5)).isCloseTo(500, within(1e-6));
        // 100 packets of 2,540 ns, 1,000 events of 24 ns, half of 500 messages of 8,043 and 500 events of 578 ns.
        assertThat(costs.sourceCores(0.5, 500)).isCloseTo(0.00243325, within(1e-9));
        // 24 ns, and half of the events arrive by a hop, half of which is paid here: (8,043 + 578) / 4.
        assertThat(costs.nsPerArrival(0.5)).isCloseTo(24 + 2155.25, within(1e-6));
        assertThat(costs.ownerCores(0.5)).isCloseTo(1000 * 2179.25e-9, within(1e-9));
    }

    @Test
    void shouldHoldAndWorkOffWhatALossLeavesAsAQueueDoes()
    {
        // The new owner gets 50,000 waiting events, 188.6 ns each, and has a reserve of 34.9 ms of its 100 ms per
        // second.
        final SimulationSettings settings = settings(100_000, 0.1);
        final MemberLossSimulation.Figures loss = MemberLossSimulation.run(settings, new Costs(settings, 2), even(2),
            1000, 1000);
        assertThat(loss.reroutedShare()).isEqualTo(0.5);
        assertThat(loss.movedPartitions()).isEqualTo(1);
        assertThat(loss.otherMoves()).isZero();
        assertThat(loss.heldEvents()).isCloseTo(50_000, within(1e-6));
        assertThat(loss.caughtUpMs()).isBetween(1150.0, 1350.0);
        assertThat(loss.overloaded()).isZero();
    }

    @Test
    void shouldSayThatMembersDoNotCatchUpWhenTheyHaveTooLittle()
    {
        final SimulationSettings settings = settings(100_000, 0.01);
        final MemberLossSimulation.Figures loss = MemberLossSimulation.run(settings, new Costs(settings, 2), even(2),
            1000, 1000);
        assertThat(loss.caughtUpMs()).isNaN();
        assertThat(loss.overloaded()).isEqualTo(1);
    }

    @Test
    void shouldCountWhatAClusterTakes()
    {
        final ControlPlane ten = ControlPlane.of(settings(1000, 1), 10);
        // Measured: ten nodes in one process formed in 4.7 s.
        assertThat(ten.formationSec()).isBetween(4.7, 4.9);
        assertThat(ten.links()).isEqualTo(9);
        assertThat(ten.linksOfAll()).isEqualTo(45);
        final ControlPlane thousand = ControlPlane.of(settings(1000, 1), 1000);
        assertThat(thousand.linksOfAll()).isEqualTo(499_500);
        assertThat(thousand.lapMs()).isCloseTo(180, within(1e-9));
        assertThat(thousand.linkMiB()).isCloseTo(62.4375, within(1e-9));
        // 8.043 ms of messages; a million pairs, 5 maps of 16 partitions, one byte each: 76.29 MiB, 152.588 ms.
        assertThat(thousand.exchangeMs()).isCloseTo(160.631, within(0.001));
        assertThat(thousand.gapMs()).isCloseTo(300 + 14 + 180 + 160.631, within(0.001));
        // 1,000 changes in 1,000 flush times, to 999 others: half of 999,000 * 8,621 ns.
        assertThat(thousand.updateCores()).isCloseTo(4.3062, within(0.0001));
    }

    @Test
    void shouldNameWhatBreaksFirst()
    {
        final SimulationSettings skewed =
            new SimulationSettings(50_000, 10, 1_000_000, 1, 65_536, 1000, 1, 100, 0, 1, 2, 1);
        final SimulationResult result = Simulation.run(skewed, List.of(10, 1000));
        assertThat(CapacityLimit.of(skewed, result.rows().get(0)).get(0).isBroken()).isFalse();
        final CapacityLimit first = CapacityLimit.of(skewed, result.rows().get(1)).get(0);
        assertThat(first.isBroken()).isTrue();
        assertThat(first.name()).isEqualTo("hottest member");
        assertThat(String.join("\n", SimulationTable.lines(result)))
            .contains("10 members: no limit is exceeded").contains("1,000 members: hottest member")
            .contains("remedy: ");
    }

    @Test
    void shouldNeedNoHopsAndFewLinksInGroupsBehindPartitionedTopics()
    {
        final SimulationSettings groups =
            new SimulationSettings(50_000, 10, 1_000_000, 0, 65_536, 1000, 1, 100, 100, 1, 2, 1);
        final SimulationRow row = Simulation.run(groups, List.of(1000)).rows().get(0);
        assertThat(row.control().links()).isEqualTo(99);
        assertThat(row.control().lapMs()).isCloseTo(18, within(1e-9));
        // 5,000 packets of 2,540 ns and 50,000 events of 24 ns.
        assertThat(row.meanCores()).isCloseTo(0.0139, within(1e-6));
        assertThat(CapacityLimit.of(groups, row).get(0).isBroken()).isFalse();
    }

    @Test
    void shouldGiveTheSameFiguresForTheSameSeed()
    {
        final SimulationSettings settings = settings(20_000, 1);
        final String first = SimulationJson.of(Simulation.run(settings, List.of(10, 50)));
        assertThat(SimulationJson.of(Simulation.run(settings, List.of(10, 50)))).isEqualTo(first);
        assertThat(first).contains("\"eventsPerBatch\"").contains("\"origin\": \"measured\"");
    }
}
