package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.time.Clock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values with wrong bytes are rows or rejected with a reason; no decoder fails. */
@Timeout(60)
class DamagedValuesTest
{
    private static final int VALUES = 20_000;

    @TempDir
    private Path directory;

    private static final class Decoding
    {
        private final EventBatch batch;
        private final RowWriter writer;
        private final ValueDecoder decoder;

        Decoding(final EventType type, final Consumer<SourceProperties> properties)
        {
            final SourceProperties given = new SourceProperties();
            given.servers = "127.0.0.1:1";
            given.topics = "topic";
            properties.accept(given);
            final SourceSettings settings = given.check("app", "kafka");
            final int[] columns = ColumnNames.of(type, null);
            batch = new EventBatch(new BatchSchema(type));
            writer = new RowWriter(batch, columns);
            decoder = settings.avro() == null ? new WireDecoder(settings, batch, writer, columns) :
                new AvroDecoder(settings, batch, writer, columns, Clock.SYSTEM);
        }

        boolean decode(final byte[] bytes, final int from, final int to)
        {
            final boolean isRow = decoder.decode("topic", bytes, from, to, 0);
            if (!isRow)
            {
                assertThat(decoder.rejection().code()).matches("(KAF|FIL)-01\\d\\d");
                assertThat(decoder.rejection().reason()).isNotEmpty();
                assertThat(decoder.rejection().detail()).isNotEmpty();
            }
            writer.abandon(0);
            batch.clear();
            return isRow;
        }
    }

    private static void shouldSurvive(final Decoding decoding, final byte[] right)
    {
        assertThat(decoding.decode(right, 0, right.length)).isTrue();
        final Random random = new Random(1);
        int rows = 0;
        for (int i = 0; i < VALUES; i++)
        {
            // With other bytes around the value, which a decoder must not read.
            final int margin = random.nextInt(3);
            final byte[] bytes = new byte[right.length + 2 * margin];
            random.nextBytes(bytes);
            System.arraycopy(right, 0, bytes, margin, right.length);
            for (int damage = random.nextInt(4); damage > 0; damage--)
            {
                bytes[margin + random.nextInt(right.length)] = (byte)random.nextInt(256);
            }
            final int to = margin + (random.nextInt(4) == 0 ? random.nextInt(right.length) : right.length);
            rows += decoding.decode(bytes, margin, to) ? 1 : 0;
        }
        assertThat(rows).isBetween(1, VALUES - 1);
    }

    @Test
    void shouldDecodeOrRejectEachValueOfTheWireFormat()
    {
        final byte[] name = "name".getBytes(StandardCharsets.UTF_8);
        final byte[] right = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN).put((byte)1).put((byte)1)
            .put((byte)4).putLong(7).putShort((short)name.length).put(name).putDouble(0.5).array();
        shouldSurvive(new Decoding(TestStage.TICK, each -> each.format = "wire"),
            Arrays.copyOf(right, 3 + 8 + 2 + name.length + 8));
    }

    @Test
    void shouldDecodeOrRejectEachValueOfAvro() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("all.avsc"), AvroSourceTest.ALL_SCHEMA);
        shouldSurvive(new Decoding(AvroSourceTest.ALL, each ->
        {
            each.format = "avro";
            each.schemaFile = file.toString();
        }), AvroSourceTest.encode(AvroSourceTest.ALL_SCHEMA, record -> AvroSourceTest.fill(record, "name", 0.5)));
    }
}
