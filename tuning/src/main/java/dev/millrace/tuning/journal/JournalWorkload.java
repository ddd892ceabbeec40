package dev.millrace.tuning.journal;

import dev.millrace.adapter.loadgen.BatchAssembler;
import dev.millrace.adapter.loadgen.FrameDecoder;
import dev.millrace.adapter.loadgen.WireFormatException;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.Journals;
import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.partition.RowEncoder;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.ComparedLoop;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import dev.millrace.tuning.harness.Workload;
import dev.millrace.tuning.signal.TickFrames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Bytes of frames to signals through a network whose processor is durable; the limit is the same network without a
 * journal. Two more loops append the same records: through the journal, and to a bare queue of Chronicle.
 */
public final class JournalWorkload implements Workload
{
    private static final EventType SIGNAL = EventType.tuple("Signal", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE), new EventProperty("percLastPrice", CqlType.DOUBLE));
    private static final String CHANNEL = "StockTickStream";
    /** The pair of the white paper, without its view. */
    private static final String TEXT = BenchQueries.PAIR.text().replace("from S ", "from " + CHANNEL + ' ');
    /** Enough for the columns of a batch. */
    private static final int RECORD_BYTES = 1 << 16;

    private final TickFrames frames;
    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final FramePath durable;
    private final FramePath plain;
    private final List<byte[]> records = new ArrayList<>();
    private final Journal journal;
    private final BareQueue bare;

    /** @param rowsPerFrame of the frames; batches have 256 rows in any case */
    public JournalWorkload(final TickData data, final int rowsPerFrame)
    {
        frames = new TickFrames(data, rowsPerFrame);
        durable = new FramePath(data, directory.storage());
        plain = new FramePath(data, null);
        record();
        journal = Journals.open(JournalSettings.of(directory.directory("records"), "records"),
            System::currentTimeMillis);
        bare = new BareQueue(directory.directory("bare"));
    }

    /** From the decoder to the checksum. */
    private final class FramePath implements AutoCloseable
    {
        private final ResultChecksum tally;
        private final BenchNetwork network = new BenchNetwork(() -> 0);
        private final BatchAssembler rows;
        private final FrameDecoder decoder;

        FramePath(final TickData data, final DurableStorage state)
        {
            tally = new ResultChecksum(SymbolCodes.of(data.names));
            if (state != null)
            {
                network.durable(state);
            }
            try
            {
                final BenchNetwork.Feed feed = network.feed("feed", CHANNEL);
                network.channel(CHANNEL, BenchQueries.TICK, Queue.PASS_THROUGH, "rules")
                    .processor("rules", List.of(BenchNetwork.query("perc", TEXT)), Map.of(), "out")
                    .channel("out", SIGNAL, Queue.PASS_THROUGH, "sink").bean("sink", tally).start();
                rows = assembler(feed.sender());
                decoder = frames.decoder(rows);
            }
            catch (final DeploymentException | WireFormatException e)
            {
                throw new IllegalStateException("the benchmark's network cannot be built: " + e.getMessage(), e);
            }
        }

        void run()
        {
            frames.decode(decoder, rows);
        }

        @Override
        public void close()
        {
            network.close();
        }
    }

    private static BatchAssembler assembler(final EventBatchSender sender)
    {
        return new BatchAssembler(sender, new int[] {0, 1});
    }

    /** Encodes the batches of a pass as the processor's journal does. */
    private void record()
    {
        final BatchSchema schema = new BatchSchema(BenchQueries.TICK);
        final RowEncoder encoder = RowEncoder.forJournal(schema, column -> true);
        final BatchAssembler rows = assembler(new BatchSink(schema)
        {
            @Override
            public void send(final EventBatch batch)
            {
                final ByteBuffer record = encoder.encode(batch,
                    ByteBuffer.allocate(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN));
                records.add(Arrays.copyOf(record.array(), record.position()));
            }
        });
        try
        {
            frames.decode(frames.decoder(rows), rows);
        }
        catch (final WireFormatException e)
        {
            throw new IllegalStateException("the decoder refuses the benchmark's columns", e);
        }
    }

    /** A sender that cannot reject rows. */
    private abstract static class BatchSink implements EventBatchSender
    {
        private final BatchSchema schema;

        BatchSink(final BatchSchema schema)
        {
            this.schema = schema;
        }

        @Override
        public BatchSchema schema()
        {
            return schema;
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

    private void append()
    {
        long last = Journal.NONE;
        for (final byte[] record : records)
        {
            last = journal.append(record, 0, record.length);
        }
        journal.deleteBefore(last);
    }

    @Override
    public int events()
    {
        return TickData.EVENTS;
    }

    @Override
    public void runEngine()
    {
        durable.run();
    }

    @Override
    public void runLimit()
    {
        plain.run();
    }

    @Override
    public ResultChecksum engineTally()
    {
        return durable.tally;
    }

    @Override
    public ResultChecksum limitTally()
    {
        return plain.tally;
    }

    @Override
    public String javaText()
    {
        return "";
    }

    @Override
    public List<ComparedLoop> others()
    {
        return List.of(new ComparedLoop("journal", this::append, null, null),
            new ComparedLoop("bareAppend", () -> bare.append(records), null, "journal"));
    }

    @Override
    public void close()
    {
        durable.close();
        plain.close();
        journal.close();
        bare.close();
        directory.close();
    }
}
