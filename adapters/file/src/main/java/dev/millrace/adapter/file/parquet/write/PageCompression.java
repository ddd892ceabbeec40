package dev.millrace.adapter.file.parquet.write;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.CompressionCodec;

/** The compressions of pages; all are Java. */
public enum PageCompression
{
    /** Pages are not compressed. */
    NONE(CompressionCodec.UNCOMPRESSED, null),
    /** Fast. */
    SNAPPY(CompressionCodec.SNAPPY, SnappyCompressor::new),
    /** Small. */
    GZIP(CompressionCodec.GZIP, null),
    /** Small, and faster than gzip. */
    ZSTD(CompressionCodec.ZSTD, ZstdCompressor::new),
    /** Fast. */
    LZ4(CompressionCodec.LZ4_RAW, Lz4Compressor::new);

    private final CompressionCodec codec;
    /** {@code null} for gzip and pages without compression. */
    private final Supplier<Compressor> compressors;

    PageCompression(final CompressionCodec codec, final Supplier<Compressor> compressors)
    {
        this.codec = codec;
        this.compressors = compressors;
    }

    CompressionCodec codec()
    {
        return codec;
    }

    /** Compresses a page; returns the same array if pages are not compressed. */
    byte[] compress(final byte[] plain) throws IOException
    {
        if (compressors != null)
        {
            final Compressor compressor = compressors.get();
            final byte[] compressed = new byte[compressor.maxCompressedLength(plain.length)];
            return Arrays.copyOf(compressed,
                compressor.compress(plain, 0, plain.length, compressed, 0, compressed.length));
        }
        if (this == NONE)
        {
            return plain;
        }
        final ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed))
        {
            out.write(plain);
        }
        return compressed.toByteArray();
    }
}
