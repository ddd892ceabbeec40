package dev.millrace.adapter.file.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** A file with one column, {@code v}, whose pages are written byte by byte. */
public final class ColumnFile
{
    private static final byte[] MAGIC = {'P', 'A', 'R', '1'};

    private final SchemaElement column = new SchemaElement("v");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Long> groups = new ArrayList<>();
    private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;

    public ColumnFile(final Type type, final boolean isOptional)
    {
        column.setType(type);
        column.setRepetition_type(isOptional ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED);
        out.writeBytes(MAGIC);
    }

    /** For logical types. */
    public SchemaElement column()
    {
        return column;
    }

    public ColumnFile compressed()
    {
        codec = CompressionCodec.GZIP;
        return this;
    }

    private ColumnFile add(final PageHeader header, final byte[] bytes) throws IOException
    {
        Util.writePageHeader(header, out);
        out.writeBytes(bytes);
        return this;
    }

    public ColumnFile dictionary(final int count, final int size, final byte... bytes) throws IOException
    {
        return add(new PageHeader(PageType.DICTIONARY_PAGE, size, bytes.length)
            .setDictionary_page_header(new DictionaryPageHeader(count, Encoding.PLAIN)), bytes);
    }

    public ColumnFile page(final int count, final Encoding encoding, final byte... bytes) throws IOException
    {
        return add(new PageHeader(PageType.DATA_PAGE, bytes.length, bytes.length)
            .setData_page_header(new DataPageHeader(count, encoding, Encoding.RLE, Encoding.RLE)), bytes);
    }

    /** A page of the second version, which begins with definition levels. */
    public ColumnFile levels(final int count, final int levelBytes, final byte... bytes) throws IOException
    {
        return add(new PageHeader(PageType.DATA_PAGE_V2, bytes.length, bytes.length).setData_page_header_v2(
            new DataPageHeaderV2(count, 0, count, Encoding.PLAIN, levelBytes, 0).setIs_compressed(false)), bytes);
    }

    /** Row groups with all of the pages. */
    public ColumnFile groups(final long... rows)
    {
        for (final long each : rows)
        {
            groups.add(each);
        }
        return this;
    }

    public FileMetaData metadata()
    {
        final SchemaElement root = new SchemaElement("schema");
        root.setNum_children(1);
        final int begin = MAGIC.length;
        final ColumnMetaData chunk = new ColumnMetaData(column.getType(), List.of(Encoding.PLAIN), List.of("v"), codec,
            groups.get(0), out.size() - begin, out.size() - begin, begin);
        return new FileMetaData(1, List.of(root, column), groups.stream().mapToLong(rows -> rows).sum(),
            groups.stream().map(rows -> new RowGroup(List.of(new ColumnChunk(begin).setMeta_data(chunk)), 0, rows))
                .toList());
    }

    public byte[] bytes() throws IOException
    {
        final ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata(), footer);
        return bytes(footer.toByteArray());
    }

    /** The file with another footer. */
    public byte[] bytes(final byte... footer)
    {
        final ByteBuffer all = ByteBuffer.allocate(out.size() + footer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
        return all.put(out.toByteArray()).put(footer).putInt(footer.length).put(MAGIC).array();
    }

    /** Numbers in the encoding DELTA_BINARY_PACKED. */
    public static byte[] delta(final int... values) throws IOException
    {
        final DeltaBinaryPackingValuesWriterForInteger writer =
            new DeltaBinaryPackingValuesWriterForInteger(100, 100, new HeapByteBufferAllocator());
        for (final int value : values)
        {
            writer.writeInteger(value);
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.getBytes().writeAllTo(bytes);
        return bytes.toByteArray();
    }

    /** The beginning of numbers in that encoding: blocks of 128 in 4 parts. */
    public static byte[] beginning(final int count)
    {
        return join(new byte[] {(byte)0x80, 1, 4}, number(count), new byte[64]);
    }

    /** A number of variable length. */
    public static byte[] number(final int value)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int rest = value; rest != 0 || bytes.size() == 0; rest >>>= 7)
        {
            bytes.write(rest & 0x7F | (rest >>> 7 == 0 ? 0 : 0x80));
        }
        return bytes.toByteArray();
    }

    public static byte[] join(final byte[]... parts)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (final byte[] part : parts)
        {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
