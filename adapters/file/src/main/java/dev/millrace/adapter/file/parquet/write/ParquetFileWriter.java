package dev.millrace.adapter.file.parquet.write;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;

/** Writes a file. Keeps one row group in memory. Confined to one thread. */
final class ParquetFileWriter implements AutoCloseable
{
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final String CREATED_BY = createdBy(ParquetFileWriter.class.getPackage().getImplementationVersion());
    private static final String ROOT = "rows";
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_PAGE_BYTES = 1 << 20;
    /** Pages of a column in a group, at least; the last one is not full. */
    private static final int PAGES = 8;

    private final List<ParquetColumn> columns;
    private final PageCompression compression;
    private final long groupBytes;
    private final ParquetProperties properties;
    private final OutputStream out;
    private final List<ChunkWriter> chunks = new ArrayList<>();
    private final List<RowGroup> groups = new ArrayList<>();
    private long position;
    private long groupRows;
    private long rows;
    private long peakBytes;

    /** @param groupBytes memory from which a row group is written */
    ParquetFileWriter(final Path file, final List<ParquetColumn> columns,
        final PageCompression compression, final long groupBytes) throws IOException
    {
        this.columns = columns;
        this.compression = compression;
        this.groupBytes = groupBytes;
        final int pageBytes = (int)Math.min(MAX_PAGE_BYTES, groupBytes / columns.size() / PAGES + 1);
        properties = ParquetProperties.builder().withPageSize(pageBytes).withDictionaryPageSize(pageBytes).build();
        out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
        out.write(MAGIC);
        position = MAGIC.length;
    }

    /** The form of the format, of which readers recognize versions. */
    private static String createdBy(final String version)
    {
        return version == null ? "Millrace" : "Millrace version " + version;
    }

    /** Writes the rows of a record of a log. */
    void write(final ByteBuffer record) throws IOException
    {
        if (chunks.isEmpty())
        {
            for (final ParquetColumn each : columns)
            {
                chunks.add(new ChunkWriter(each, properties, compression));
            }
        }
        final int count = record.getInt();
        long bytes = 0;
        for (final ChunkWriter each : chunks)
        {
            each.write(record, count);
            bytes += each.allocatedBytes();
        }
        groupRows += count;
        peakBytes = Math.max(peakBytes, bytes);
        if (bytes >= groupBytes)
        {
            endGroup();
        }
    }

    private void endGroup() throws IOException
    {
        final List<ColumnChunk> written = new ArrayList<>();
        long plainBytes = 0;
        for (final ChunkWriter each : chunks)
        {
            final ColumnChunk column = each.end(position, out);
            written.add(column);
            position += column.getMeta_data().getTotal_compressed_size();
            plainBytes += column.getMeta_data().getTotal_uncompressed_size();
        }
        groups.add(new RowGroup(written, plainBytes, groupRows));
        rows += groupRows;
        groupRows = 0;
        chunks.clear();
    }

    /** Writes the rest of the rows and the metadata, with which the file is complete. */
    void end() throws IOException
    {
        if (groupRows > 0)
        {
            endGroup();
        }
        final List<SchemaElement> schema = new ArrayList<>();
        schema.add(new SchemaElement(ROOT).setNum_children(columns.size()));
        final FileMetaData metadata = new FileMetaData(1, schema, rows, groups).setCreated_by(CREATED_BY);
        for (final ParquetColumn each : columns)
        {
            schema.add(each.element());
            // The order of its minimum and maximum.
            metadata.addToColumn_orders(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()));
        }
        final ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, footer);
        footer.writeTo(out);
        out.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.size()).array());
        out.write(MAGIC);
        out.flush();
    }

    /** The most memory that a row group has taken. */
    long peakBytes()
    {
        return peakBytes;
    }

    @Override
    public void close() throws IOException
    {
        out.close();
    }
}
