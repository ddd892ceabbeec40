package dev.millrace.adapter.file.parquet.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;

/** A column in a row group, whose pages are kept until the group is written. Confined to one thread. */
final class ChunkWriter
{
    /** A reader decompresses a page for any of its rows. */
    private static final int PAGE_ROWS = 20_000;

    private final ParquetColumn column;
    private final PageCompression compression;
    private final int pageBytes;
    private final ValuesWriter values;
    private final ValuesWriter levels;
    private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
    private final Set<Encoding> encodings = EnumSet.of(Encoding.RLE);
    private long plainBytes;
    private int pageRows;
    private long rows;
    private long nulls;
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    ChunkWriter(final ParquetColumn column, final ParquetProperties properties, final PageCompression compression)
    {
        this.column = column;
        this.compression = compression;
        pageBytes = properties.getPageSizeThreshold();
        values = properties.newValuesWriter(column.descriptor());
        levels = properties.newDefinitionLevelWriter(column.descriptor());
    }

    /** Takes the values of rows from a record of a log. */
    void write(final ByteBuffer from, final int count) throws IOException
    {
        final int present = column.isRequired() ? count : writeLevels(from, count);
        switch (column.type())
        {
            case INT32 ->
            {
                for (int i = 0; i < present; i++)
                {
                    final int value = from.getInt();
                    compare(value);
                    values.writeInteger(value);
                }
            }
            case INT64 ->
            {
                for (int i = 0; i < present; i++)
                {
                    final long value = from.getLong();
                    compare(value);
                    values.writeLong(value);
                }
            }
            case FLOAT ->
            {
                for (int i = 0; i < present; i++)
                {
                    values.writeFloat(from.getFloat());
                }
            }
            case DOUBLE ->
            {
                for (int i = 0; i < present; i++)
                {
                    values.writeDouble(from.getDouble());
                }
            }
            case BOOLEAN ->
            {
                for (int i = 0; i < present; i++)
                {
                    values.writeBoolean(from.get() != 0);
                }
            }
            default -> writeBytes(from, present);
        }
        pageRows += count;
        rows += count;
        nulls += count - present;
        if (pageRows >= PAGE_ROWS || values.getBufferedSize() >= pageBytes)
        {
            endPage();
        }
    }

    private int writeLevels(final ByteBuffer from, final int count)
    {
        int present = 0;
        final boolean hasNulls = from.get() != 0;
        final int bits = from.position();
        for (int i = 0; i < count; i++)
        {
            final boolean isNull = hasNulls && (from.get(bits + (i >> 3)) & 1 << (i & 7)) != 0;
            levels.writeInteger(isNull ? 0 : 1);
            present += isNull ? 0 : 1;
        }
        from.position(hasNulls ? bits + (count + 7 >> 3) : bits);
        return present;
    }

    private void writeBytes(final ByteBuffer from, final int present)
    {
        for (int i = 0; i < present; i++)
        {
            final int length = from.getInt();
            // The writer copies what it keeps.
            values.writeBytes(
                Binary.fromReusedByteArray(from.array(), from.arrayOffset() + from.position(), length));
            from.position(from.position() + length);
        }
    }

    private void compare(final long value)
    {
        least = Math.min(least, value);
        most = Math.max(most, value);
    }

    private void endPage() throws IOException
    {
        final byte[] plain = bytes(BytesInput.concat(levels.getBytes(), values.getBytes()));
        final Encoding encoding = Encoding.valueOf(values.getEncoding().name());
        encodings.add(encoding);
        final DataPageHeader header = new DataPageHeader(pageRows, encoding, Encoding.RLE, Encoding.RLE);
        addPage(pages, new PageHeader(PageType.DATA_PAGE, plain.length, 0).setData_page_header(header), plain);
        levels.reset();
        values.reset();
        pageRows = 0;
    }

    private static byte[] bytes(final BytesInput from) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream((int)from.size());
        from.writeAllTo(bytes);
        return bytes.toByteArray();
    }

    private void addPage(final ByteArrayOutputStream to, final PageHeader header, final byte[] plain)
        throws IOException
    {
        final byte[] bytes = compression.compress(plain);
        final CRC32 checksum = new CRC32();
        checksum.update(bytes);
        final int before = to.size();
        Util.writePageHeader(header.setCompressed_page_size(bytes.length).setCrc((int)checksum.getValue()), to);
        plainBytes += to.size() - before + plain.length;
        to.write(bytes);
    }

    /** The memory of the column. */
    long allocatedBytes()
    {
        return pages.size() + values.getAllocatedSize() + levels.getAllocatedSize();
    }

    /**
     * Writes the column, which then has ended.
     *
     * @param position of the column in the file
     * @return its metadata
     */
    ColumnChunk end(final long position, final OutputStream to) throws IOException
    {
        if (pageRows > 0)
        {
            endPage();
        }
        final ByteArrayOutputStream first = new ByteArrayOutputStream();
        final DictionaryPage dictionary = values.toDictPageAndClose();
        if (dictionary != null)
        {
            final Encoding encoding = Encoding.valueOf(dictionary.getEncoding().name());
            encodings.add(encoding);
            final byte[] plain = bytes(dictionary.getBytes());
            addPage(first, new PageHeader(PageType.DICTIONARY_PAGE, plain.length, 0)
                .setDictionary_page_header(new DictionaryPageHeader(dictionary.getDictionarySize(), encoding)), plain);
        }
        values.close();
        levels.close();
        first.writeTo(to);
        pages.writeTo(to);
        final ColumnMetaData metadata = new ColumnMetaData(column.metadataType(), new ArrayList<>(encodings),
            List.of(column.name()), compression.codec(), rows, plainBytes, first.size() + pages.size(),
            position + first.size()).setStatistics(statistics());
        if (dictionary != null)
        {
            metadata.setDictionary_page_offset(position);
        }
        return new ColumnChunk(position).setMeta_data(metadata);
    }

    private Statistics statistics()
    {
        final Statistics statistics = new Statistics().setNull_count(nulls);
        if (least <= most)
        {
            statistics.setMin_value(bytes(least)).setMax_value(bytes(most));
        }
        return statistics;
    }

    private ByteBuffer bytes(final long value)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return switch (column.type())
        {
            case INT32 -> bytes.putInt((int)value).flip();
            default -> bytes.putLong(value).flip();
        };
    }
}
