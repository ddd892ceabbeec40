package dev.millrace.network;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A processor with two queries over one channel, on the source's thread: {@code all} emits every row as (symbol, id,
 * extra), {@code even} emits rows with even ids as (id).
 */
final class EchoProvider implements ProcessorProvider
{
    final List<String> log = new ArrayList<>();
    int workersSeen;
    int sourceThreadsSeen;

    @Override
    public PlannedProcessor plan(final ProcessorStage definition, final Map<String, InputChannel> channels)
    {
        final InputChannel input = channels.values().iterator().next();
        final EventType all = EventType.tuple(definition.id() + ".all", new EventProperty("SYMBOL", CqlType.CHAR),
            new EventProperty("ID", CqlType.BIGINT), new EventProperty("extra", CqlType.INT));
        final EventType even = EventType.tuple(definition.id() + ".even", new EventProperty("id", CqlType.BIGINT));
        return new PlannedProcessor()
        {
            @Override
            public List<QueryOutput> outputs()
            {
                return List.of(new QueryOutput("all", all, false), new QueryOutput("even", even, false));
            }

            @Override
            public RunningProcessor start(final ProcessorWiring wiring)
            {
                workersSeen = wiring.workers();
                sourceThreadsSeen = wiring.sourceThreads(input.id());
                return new Echo(wiring, all, even);
            }
        };
    }

    private final class Echo implements RunningProcessor
    {
        private final ProcessorWiring wiring;
        private final EventType all;
        private final EventType even;
        private final AtomicLong rows = new AtomicLong();

        Echo(final ProcessorWiring wiring, final EventType all, final EventType even)
        {
            this.wiring = wiring;
            this.all = all;
            this.even = even;
        }

        @Override
        public EventBatchSink openInput(final String channelId)
        {
            final EventBatch allRows = new EventBatch(new BatchSchema(all));
            final EventBatch evenRows = new EventBatch(new BatchSchema(even));
            final EventBatchSink allOut = wiring.openOutput("all");
            final EventBatchSink evenOut = wiring.openOutput("even");
            return batch ->
            {
                fill(batch, allRows, evenRows);
                allOut.onBatch(allRows);
                evenOut.onBatch(evenRows);
            };
        }

        private void fill(final EventBatch batch, final EventBatch allRows, final EventBatch evenRows)
            throws EventRejectedException
        {
            allRows.clear();
            evenRows.clear();
            allRows.baseTimestampNs(batch.baseTimestampNs());
            evenRows.baseTimestampNs(batch.baseTimestampNs());
            int evenSize = 0;
            for (int i = 0; i < batch.size(); i++)
            {
                final long id = batch.longs(0)[i];
                if (id == 666)
                {
                    throw new EventRejectedException("no such id, id=666");
                }
                allRows.texts(0).copyRow(batch.texts(1), i, i);
                allRows.longs(1)[i] = id;
                allRows.ints(2)[i] = 1;
                if (id % 2 == 0)
                {
                    evenRows.longs(0)[evenSize++] = id;
                }
            }
            rows.addAndGet(batch.size());
            allRows.size(batch.size());
            evenRows.size(evenSize);
        }

        @Override
        public boolean drain(final long timeoutNs)
        {
            log.add("drain");
            return true;
        }

        @Override
        public void stop()
        {
            log.add("stop");
        }

        @Override
        public Map<String, Object> statistics()
        {
            return Map.of("rows", rows.get(), "workers", Arrays.asList(workersSeen));
        }
    }
}
