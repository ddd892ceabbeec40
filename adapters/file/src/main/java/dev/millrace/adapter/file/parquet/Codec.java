package dev.millrace.adapter.file.parquet;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.CompressionCodec;

/** Decompresses pages, without native libraries. Confined to one thread. */
final class Codec
{
    private final CompressionCodec codec;
    /** {@code null} for gzip and pages without compression. */
    private final Decompressor decompressor;

    private Codec(final CompressionCodec codec, final Decompressor decompressor)
    {
        this.codec = codec;
        this.decompressor = decompressor;
    }

    /** @throws RefusedFileException if pages of this compression cannot be read */
    static Codec of(final CompressionCodec codec, final String column) throws RefusedFileException
    {
        return switch (codec)
        {
            case UNCOMPRESSED, GZIP -> new Codec(codec, null);
            case SNAPPY -> new Codec(codec, new SnappyDecompressor());
            case ZSTD -> new Codec(codec, new ZstdDecompressor());
            case LZ4_RAW -> new Codec(codec, new Lz4Decompressor());
            default -> throw RefusedFileException.unsupported("the compression of a column cannot be read, column=" +
                column + " compression=" + codec + "; write it with NONE, SNAPPY, ZSTD, GZIP or LZ4_RAW");
        };
    }

    /**
     * Decompresses bytes.
     *
     * @return an array of exactly {@code size} bytes, owned by the caller
     */
    byte[] decompress(final byte[] bytes, final int from, final int length, final int size) throws IOException
    {
        if (codec == CompressionCodec.UNCOMPRESSED)
        {
            check(length, size);
            return Arrays.copyOfRange(bytes, from, from + length);
        }
        final byte[] plain = new byte[size];
        if (decompressor != null)
        {
            check(decompressor.decompress(bytes, from, length, plain, 0, size), size);
        }
        else
        {
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes, from, length)))
            {
                check(in.readNBytes(plain, 0, size) + (in.read() < 0 ? 0 : 1), size);
            }
        }
        return plain;
    }

    private static void check(final int count, final int size) throws RefusedFileException
    {
        if (count != size)
        {
            throw RefusedFileException.damaged("a page has another size than its header contains, bytes=" + count +
                " expected=" + size);
        }
    }
}
