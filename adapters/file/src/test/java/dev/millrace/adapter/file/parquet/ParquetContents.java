package dev.millrace.adapter.file.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/** The rows and metadata of a file. */
public final class ParquetContents
{
    private static final int TAIL_BYTES = 8;

    private ParquetContents()
    {
    }

    /** All rows, by the reader of the source. */
    public static List<List<Object>> rows(final Path file, final EventType type) throws IOException
    {
        final EventBatch batch = new EventBatch(new BatchSchema(type));
        final int[] columns = IntStream.range(0, type.properties().size()).toArray();
        final List<List<Object>> all = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file))
        {
            final ParquetRows rows = new ParquetRows(channel, batch, new RowWriter(batch, columns), columns, false,
                Runtime.getRuntime().maxMemory());
            rows.open(channel.size());
            for (int loaded = rows.load(); loaded > 0; loaded = rows.load())
            {
                for (int i = 0; i < loaded; i++)
                {
                    batch.clear();
                    assertThat(rows.put(i, 0)).isNull();
                    all.add(Arrays.stream(columns).mapToObj(column -> batch.value(column, 0))
                        .collect(Collectors.toCollection(ArrayList::new)));
                }
            }
            assertThat(all).hasSize((int)rows.count());
        }
        return all;
    }

    /** The metadata at the end, by the library. */
    public static FileMetaData metadata(final Path file) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        final int length =
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - TAIL_BYTES);
        return Util.readFileMetaData(
            new ByteArrayInputStream(bytes, bytes.length - TAIL_BYTES - length, length));
    }
}
