package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.server.ServerLimits;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Prints rows per second that a source receives from one client on loopback; {@code -DargLine="-Drows=1000000
 * -Drounds=5"} for the figures of INBOUND.md. Formats alternate, and the first round is not printed.
 */
@Tag("slow")
@Timeout(600)
class SpeedTest
{
    private static final int ROWS = Integer.getInteger("rows", 40_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 1);
    private static final int ROWS_PER_REQUEST = 10_000;
    /** Bodies that differ; they are sent again until all rows were sent. */
    private static final int BODIES = 4;
    private static final String TEXT = "x".repeat(20);
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("text", CqlType.CHAR));
    /** Of the two types of XML, {@code text/xml} has values in attributes here. */
    private static final Map<String, LongFunction<String>> FORMATS = Map.of(
        "text/csv; header=absent", id -> id + "," + id / 4.0 + "," + TEXT + "\n",
        "application/x-ndjson", id -> "{\"id\":" + id + ",\"price\":" + id / 4.0 + ",\"text\":\"" + TEXT + "\"}\n",
        "application/json", id -> ",{\"id\":" + id + ",\"price\":" + id / 4.0 + ",\"text\":\"" + TEXT + "\"}\n",
        "application/xml", id -> "<row><id>" + id + "</id><price>" + id / 4.0 + "</price><text>" + TEXT +
            "</text></row>\n",
        "text/xml", id -> "<row id=\"" + id + "\" price=\"" + id / 4.0 + "\" text=\"" + TEXT + "\"/>\n");

    /** Adds up a column, so that it must be read. */
    private static final class Sum implements EventBatchSender
    {
        private final BatchSchema schema = new BatchSchema(ROW);
        private long rows;
        private long sum;

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public synchronized void send(final EventBatch batch)
        {
            rows += batch.size();
            for (int row = 0; row < batch.size(); row++)
            {
                sum += batch.longs(0)[row];
            }
        }

        /** The sums since the last call. */
        synchronized List<Long> take()
        {
            final List<Long> taken = List.of(rows, sum);
            rows = 0;
            sum = 0;
            return taken;
        }

        @Override
        public void reject(final int count, final String reason, final String detail)
        {
            throw new AssertionError(detail);
        }

        @Override
        public long receivedFrom(final String producer)
        {
            return SequencedSink.NOT_STORED;
        }

        @Override
        public EventBatchSender another()
        {
            return this;
        }
    }

    private static byte[] body(final String type, final int number)
    {
        final StringBuilder body = new StringBuilder();
        for (long id = 0; id < ROWS_PER_REQUEST; id++)
        {
            body.append(FORMATS.get(type).apply((long)number * ROWS_PER_REQUEST + id));
        }
        final String text = type.endsWith("json") && !type.contains("nd") ? "[" + body.substring(1) + "]" :
            type.endsWith("xml") ? "<rows>" + body + "</rows>" : body.toString();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldReceiveRows() throws Exception
    {
        final Sum sum = new Sum();
        final RestSource source = new RestSource(
            () -> List.of(new EventServer("Events", List.of(new EventPort("events", "127.0.0.1", 0, null)))),
            name -> null, new ServerPool(ServerLimits.standard(1_024)));
        source.setStageContext(new TestStage(ROW));
        source.setContextPath("/rows");
        source.setBatchSender(sum);
        source.afterPropertiesSet();
        source.afterConfigurationActive();
        final Thread thread = new Thread(source, "source");
        thread.start();
        try
        {
            final URI uri = URI.create("http://127.0.0.1:" + source.port(0) + "/rows");
            for (int round = 0; round <= ROUNDS; round++)
            {
                for (final String type : FORMATS.keySet().stream().sorted().toList())
                {
                    final double rate = rate(uri, type, sum);
                    if (round > 0)
                    {
                        System.out.printf("%s round=%d rows/s=%.0f%n", type, round, rate);
                    }
                }
            }
        }
        finally
        {
            source.suspend();
            thread.join();
            source.destroy();
        }
    }

    private static double rate(final URI uri, final String type, final Sum sum) throws Exception
    {
        final List<byte[]> bodies = new ArrayList<>();
        for (int number = 0; number < BODIES; number++)
        {
            bodies.add(body(type, number));
        }
        long expected = 0;
        final long startNs = System.nanoTime();
        for (int request = 0; request < ROWS / ROWS_PER_REQUEST; request++)
        {
            assertThat(RunningSource.send(HttpRequest.newBuilder(uri).header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(bodies.get(request % BODIES)))).statusCode())
                .isEqualTo(200);
            final long first = (long)request % BODIES * ROWS_PER_REQUEST;
            expected += ROWS_PER_REQUEST * first + (long)ROWS_PER_REQUEST * (ROWS_PER_REQUEST - 1) / 2;
        }
        final long takenNs = System.nanoTime() - startNs;
        assertThat(sum.take()).containsExactly((long)ROWS, expected);
        return ROWS * 1e9 / takenNs;
    }
}
