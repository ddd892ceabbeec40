package dev.millrace.tuning.signal;

import dev.millrace.adapter.loadgen.BatchAssembler;
import dev.millrace.adapter.loadgen.FrameDecoder;
import dev.millrace.adapter.loadgen.WireFormatException;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import dev.millrace.tuning.harness.Workload;
import java.util.List;

/** Bytes in a buffer to signals: frames of the load generator through the adapter's decoder into the pipeline. */
public final class WireWorkload implements Workload
{
    private final TickFrames frames;
    private final BenchQueries.Ready ready;
    private final BatchAssembler rows;
    private final FrameDecoder decoder;
    private final WireBaseline limit;
    private final ResultChecksum engineTally;
    private final ResultChecksum limitTally = new ResultChecksum();

    public WireWorkload(final TickData data, final int rowsPerFrame) throws WireFormatException
    {
        frames = new TickFrames(data, rowsPerFrame);
        final ColumnWorkload.Ticks ticks = ColumnWorkload.Ticks.of(data);
        engineTally = new ResultChecksum(new SymbolCodes(ticks.strings()));
        ready = BenchQueries.start(
            List.of(BenchQueries.VIEW, BenchQueries.PAIR), ticks.source(), ticks.relation(), ticks.strings(),
            engineTally);
        rows = new BatchAssembler(new Sender(ticks.source(), ready.pipeline()), new int[] {0, 1});
        decoder = frames.decoder(rows);
        limit = new WireBaseline(ticks.source(), ticks.strings(), data.names,
            new PairBaseline(ticks.cached(), ready.output(), limitTally));
    }

    /** A channel with system time. */
    private static final class Sender implements EventBatchSender
    {
        private final BatchSchema schema;
        private final Pipeline pipeline;
        private long timeNs;

        Sender(final BatchSchema schema, final Pipeline pipeline)
        {
            this.schema = schema;
            this.pipeline = pipeline;
        }

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public void send(final EventBatch batch)
        {
            batch.baseTimestampNs(timeNs);
            timeNs += batch.size();
            pipeline.onBatch(batch);
        }

        @Override
        public void reject(final int count, final String reason, final String detail)
        {
            throw new IllegalStateException("benchmark data was rejected, reason=" + reason + ": " + detail);
        }

        @Override
        public EventBatchSender another()
        {
            throw new IllegalStateException("the benchmark has one thread");
        }
    }

    @Override
    public int events()
    {
        return TickData.EVENTS;
    }

    @Override
    public void runEngine()
    {
        frames.decode(decoder, rows);
    }

    @Override
    public void runLimit()
    {
        limit.decode(frames.bytes(), frames.end());
    }

    @Override
    public ResultChecksum engineTally()
    {
        return engineTally;
    }

    @Override
    public ResultChecksum limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return ready.javaText();
    }
}
