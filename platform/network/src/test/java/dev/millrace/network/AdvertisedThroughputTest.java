package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.advertised.AdvertisedSink;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.ForeignSink;
import dev.millrace.network.advertised.ForeignSource;
import dev.millrace.network.advertised.ListenerSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Measures 1,000,000 distinct rows from a source to a sink: in one network, through an advertised stage into another
 * network, and through a listener in another network. Prints the median of five runs of each, in turn.
 */
@Tag("slow")
@Timeout(120)
class AdvertisedThroughputTest
{
    private static final int ROWS = 1_000_000;
    private static final int BATCH = 250;
    private static final int RUNS = 5;
    private static final int WARM_UPS = 3;

    private final AdvertisedStages stages = new AdvertisedStages();
    private final List<EventBatch> rows = new ArrayList<>();
    private final List<Network> networks = new ArrayList<>();

    @AfterEach
    void stop()
    {
        networks.forEach(Network::stop);
    }

    /** Adds up a column, so that every row is read. */
    private static final class SumSink implements EventBatchSink
    {
        private long count;
        private long sum;

        @Override
        public void onBatch(final EventBatch batch)
        {
            for (int i = 0; i < batch.size(); i++)
            {
                sum += batch.longs(0)[i];
            }
            count += batch.size();
        }
    }

    /** A source, the networks below it and the sink at the end. */
    private record Route(Parts.ColumnSource source, SumSink sink, long[] runsNs)
    {
        Route()
        {
            this(new Parts.ColumnSource(), new SumSink(), new long[RUNS]);
        }

        double medianNs()
        {
            final long[] sorted = runsNs.clone();
            Arrays.sort(sorted);
            return (double)sorted[RUNS / 2] / ROWS;
        }
    }

    private void start(final TestNetwork definition) throws Exception
    {
        final Network network = definition.build();
        networks.add(network);
        network.start();
    }

    private Route within() throws Exception
    {
        final Route route = new Route();
        start(new TestNetwork().adapter("in", route.source, "ticks").channel("ticks", Parts.TICK, "taken")
            .channel("taken", Parts.TICK, "out").bean("out", route.sink));
        return route;
    }

    private Route advertised() throws Exception
    {
        final Route route = new Route();
        start(new TestNetwork().adapter("in", route.source, "ticks").channel("ticks", Parts.TICK, "ticks#advertised")
            .bean("ticks#advertised", new AdvertisedSink(stages, "market:ticks", Parts.TICK)));
        start(new TestNetwork().adapter("market:ticks", new ForeignSource(stages, "market:ticks"), "taken")
            .channel("taken", Parts.TICK, "out").bean("out", route.sink));
        return route;
    }

    private Route listener() throws Exception
    {
        final Route route = new Route();
        start(new TestNetwork().adapter("taken#listeners", new ListenerSource(stages, "other:taken", Parts.TICK),
            "taken").channel("taken", Parts.TICK, "out").bean("out", route.sink));
        start(new TestNetwork().adapter("in", route.source, "ticks").channel("ticks", Parts.TICK, "other:taken")
            .bean("other:taken", new ForeignSink(stages, "other:taken", List.of(Parts.TICK))));
        return route;
    }

    private void fill()
    {
        final BatchSchema schema = new BatchSchema(Parts.TICK);
        for (int first = 0; first < ROWS; first += BATCH)
        {
            final EventBatch batch = new EventBatch(schema);
            for (int i = 0; i < BATCH; i++)
            {
                batch.longs(0)[i] = first + i;
                batch.texts(1).set(i, "S" + (first + i));
                batch.doubles(2)[i] = (first + i) / 2.0;
            }
            batch.size(BATCH);
            rows.add(batch);
        }
    }

    private long run(final Route route)
    {
        final long startNs = System.nanoTime();
        for (final EventBatch batch : rows)
        {
            route.source.batch.clear();
            route.source.batch.copyRows(batch, 0, 0, BATCH);
            route.source.batch.size(BATCH);
            route.source.sender.send(route.source.batch);
        }
        return System.nanoTime() - startNs;
    }

    @Test
    void shouldPassAllRowsByEachRoute() throws Exception
    {
        fill();
        final List<Route> routes = List.of(within(), advertised(), listener());
        for (int i = -WARM_UPS; i < RUNS; i++)
        {
            for (final Route route : routes)
            {
                final long tookNs = run(route);
                route.runsNs[Math.max(0, i)] = tookNs;
            }
        }
        for (final Route route : routes)
        {
            assertThat(route.sink.count).isEqualTo((long)ROWS * (RUNS + WARM_UPS));
            assertThat(route.sink.sum).isEqualTo((RUNS + WARM_UPS) * ((long)ROWS * (ROWS - 1) / 2));
        }
        System.out.printf("1,000,000 rows, ns per row: within one application %.1f, advertised stage %.1f, " +
            "listener in another application %.1f%n", routes.get(0).medianNs(), routes.get(1).medianNs(),
            routes.get(2).medianNs());
    }
}
