package dev.millrace.adapter.file.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;

/**
 * The pages of a column in a row group, one after the other; keeps one page and the dictionary. Confined to one thread.
 * Failure: {@link RefusedFileException} or an exception of a library if the pages are damaged.
 */
final class PageReader
{
    private static final int MAX_PAGE_BYTES = 1 << 28;
    private static final int MAX_HEADER_BYTES = 1 << 24;
    /** Memory per string of a dictionary, in addition to its bytes; numbers take less. */
    private static final int ENTRY_BYTES = 40;

    private final ColumnDescriptor descriptor;
    private final String name;
    private final ChunkInput input;
    private final Codec codec;
    private final PageMemory.Share pageMemory;
    private final PageMemory.Share dictionaryMemory;
    private Dictionary dictionary;
    private ValuesReader levels;
    private RunLengthBitPackingHybridDecoder plainLevels;
    private ValuesReader values;
    /** Values of the current page that were not read, with nulls. */
    private int left;
    /** Rows of the row group after the current page. */
    private long rows;

    /** @param rows of the row group */
    PageReader(final FileChannel channel, final ColumnMetaData chunk, final ColumnDescriptor descriptor,
        final long rows, final PageMemory memory) throws IOException
    {
        this.rows = rows;
        this.descriptor = descriptor;
        name = descriptor.getPath()[0];
        codec = Codec.of(chunk.getCodec(), name);
        pageMemory = memory.new Share(name);
        dictionaryMemory = memory.new Share(name);
        final long data = chunk.getData_page_offset();
        final long dictionaryAt = chunk.isSetDictionary_page_offset() ? chunk.getDictionary_page_offset() : 0;
        final long begin = dictionaryAt > 0 ? Math.min(dictionaryAt, data) : data;
        final long bytes = chunk.getTotal_compressed_size();
        if (begin < 0 || bytes < 0 || begin > channel.size() - bytes)
        {
            throw RefusedFileException.damaged("a column is not within the file, column=" + name);
        }
        input = new ChunkInput(channel, begin, begin + bytes);
    }

    /** Values of the current page that were not read. */
    int left()
    {
        return left;
    }

    /** Whether the next value is null; it is to be read from {@link #values} if it is not. */
    boolean isNull() throws IOException
    {
        left--;
        return descriptor.getMaxDefinitionLevel() > 0 &&
            (plainLevels == null ? levels.readInteger() : plainLevels.readInt()) == 0;
    }

    ValuesReader values()
    {
        return values;
    }

    /** Skips values. Pages of which nothing is read are not decompressed. */
    void skip(final long count) throws IOException
    {
        long rest = count;
        while (rest > 0)
        {
            if (left == 0)
            {
                rest -= nextPage(rest);
            }
            for (; left > 0 && rest > 0; rest--)
            {
                if (!isNull())
                {
                    values.skip();
                }
            }
        }
    }

    /** Reads the next page, if all values of the current one were read. */
    void ensurePage() throws IOException
    {
        while (left == 0)
        {
            nextPage(0);
        }
    }

    /** Reads a page, or skips it if it has at most a number of values; returns how many were skipped. */
    private int nextPage(final long skippable) throws IOException
    {
        if (input.left() <= 0)
        {
            throw RefusedFileException.damaged("a column has fewer values than its row group has rows, column=" + name);
        }
        levels = null;
        plainLevels = null;
        values = null;
        pageMemory.clear();
        final PageHeader header = Metadata.read(input, new PageHeader(), (int)Math.min(MAX_HEADER_BYTES, input.left()));
        final int bytes = header.getCompressed_page_size();
        final int size = header.getUncompressed_page_size();
        if (bytes < 0 || bytes > Math.min(input.left(), MAX_PAGE_BYTES) || size < 0 || size > MAX_PAGE_BYTES)
        {
            throw RefusedFileException.damaged("the size of a page is wrong, column=" + name + " compressed=" + bytes +
                " uncompressed=" + size + " left=" + input.left() + " maximum=" + MAX_PAGE_BYTES);
        }
        final PageType type = header.getType();
        final int count = type == PageType.DATA_PAGE ? header.getData_page_header().getNum_values() :
            type == PageType.DATA_PAGE_V2 ? header.getData_page_header_v2().getNum_values() : 0;
        final boolean isData = type == PageType.DATA_PAGE || type == PageType.DATA_PAGE_V2;
        if (count < 0 || count > rows)
        {
            throw RefusedFileException.damaged("the number of values of a page is wrong, column=" + name + " values=" +
                count + " rows=" + rows);
        }
        rows -= count;
        if (type == PageType.INDEX_PAGE || isData && count <= skippable)
        {
            input.pass(bytes);
            return count;
        }
        pageMemory.take((long)bytes + size);
        final byte[] page = input.take(bytes);
        check(header, page);
        switch (type)
        {
            case DICTIONARY_PAGE -> dictionary(header, page, size);
            case DATA_PAGE -> open(header.getData_page_header(), codec.decompress(page, 0, bytes, size));
            default -> open(header.getData_page_header_v2(), page, size);
        }
        left = count;
        return 0;
    }

    private void check(final PageHeader header, final byte[] page) throws RefusedFileException
    {
        if (header.isSetCrc())
        {
            final CRC32 sum = new CRC32();
            sum.update(page);
            if ((int)sum.getValue() != header.getCrc())
            {
                throw RefusedFileException.damaged("the checksum of a page is wrong, column=" + name);
            }
        }
    }

    private void dictionary(final PageHeader header, final byte[] page, final int size) throws IOException
    {
        final Encoding encoding = encoding(header.getDictionary_page_header().getEncoding());
        final int count = header.getDictionary_page_header().getNum_values();
        if (count < 0 || count > size)
        {
            throw RefusedFileException.damaged("the size of a dictionary is wrong, column=" + name + " values=" +
                count);
        }
        dictionary = null;
        dictionaryMemory.clear();
        dictionaryMemory.take(size + (long)ENTRY_BYTES * count);
        final byte[] plain = codec.decompress(page, 0, page.length, size);
        dictionary = encoding.initDictionary(descriptor, new DictionaryPage(BytesInput.from(plain), count,
            encoding));
    }

    private void open(final DataPageHeader header, final byte[] plain) throws IOException
    {
        final ByteBufferInputStream in = ByteBufferInputStream.wrap(ByteBuffer.wrap(plain));
        if (descriptor.getMaxDefinitionLevel() > 0)
        {
            final Encoding encoding = encoding(header.getDefinition_level_encoding());
            EncodedValues.check(encoding, header.getNum_values(), in, pageMemory);
            levels = encoding.getValuesReader(descriptor, ValuesType.DEFINITION_LEVEL);
            levels.initFromPage(header.getNum_values(), in);
        }
        openValues(encoding(header.getEncoding()), header.getNum_values(), in);
    }

    private void open(final DataPageHeaderV2 header, final byte[] page, final int size) throws IOException
    {
        final int before = header.getRepetition_levels_byte_length();
        final int levelBytes = header.getDefinition_levels_byte_length();
        if (before < 0 || levelBytes < 0 || (long)before + levelBytes > Math.min(page.length, size))
        {
            throw RefusedFileException.damaged("the size of the levels of a page is wrong, column=" + name);
        }
        if (descriptor.getMaxDefinitionLevel() > 0)
        {
            final ByteBuffer bytes = ByteBuffer.wrap(page, before, levelBytes).slice();
            EncodedValues.checkRuns(1, header.getNum_values(), ByteBufferInputStream.wrap(bytes.duplicate()),
                pageMemory);
            // Not another stream: the decoder would not end at the end of one that returns -1.
            plainLevels = new RunLengthBitPackingHybridDecoder(1, ByteBufferInputStream.wrap(bytes));
        }
        final int from = before + levelBytes;
        final boolean isPlain = header.isSetIs_compressed() && !header.isIs_compressed() || size == from;
        final ByteBuffer data = isPlain ? ByteBuffer.wrap(page, from, page.length - from).slice() :
            ByteBuffer.wrap(codec.decompress(page, from, page.length - from, size - from));
        openValues(encoding(header.getEncoding()), header.getNum_values(), ByteBufferInputStream.wrap(data));
    }

    private void openValues(final Encoding encoding, final int count, final ByteBufferInputStream in)
        throws IOException
    {
        if (encoding.usesDictionary() && dictionary == null)
        {
            throw RefusedFileException.damaged("a page needs a dictionary that is missing, column=" + name);
        }
        values = encoding.usesDictionary() ?
            encoding.getDictionaryBasedValuesReader(descriptor, ValuesType.VALUES, dictionary) :
            encoding.getValuesReader(descriptor, ValuesType.VALUES);
        EncodedValues.check(encoding, count, in, pageMemory);
        values.initFromPage(count, in);
    }

    private Encoding encoding(final org.apache.parquet.format.Encoding given) throws RefusedFileException
    {
        try
        {
            return Encoding.valueOf(given.name());
        }
        catch (final IllegalArgumentException e)
        {
            throw RefusedFileException.unsupported("the encoding of a column cannot be read, column=" + name +
                " encoding=" + given);
        }
    }
}
