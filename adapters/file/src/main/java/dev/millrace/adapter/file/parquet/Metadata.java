package dev.millrace.adapter.file.parquet;

import java.io.IOException;
import java.io.InputStream;
import org.apache.parquet.format.InterningProtocol;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolUtil;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;

/**
 * Reads structures of metadata. The functions of the library for this have no limits: they allocate memory for the
 * length of a list before its elements are read, and skip unknown structures by recursion. Stateless.
 */
final class Metadata
{
    private static final int MAX_SKIP_DEPTH = 64;

    static
    {
        TProtocolUtil.setMaxSkipDepth(MAX_SKIP_DEPTH);
    }

    private Metadata()
    {
    }

    /**
     * Reads a structure.
     *
     * @param limit of the length of a list, and of the bytes of a string
     * @return {@code to}
     * @throws IOException if the bytes are no such structure; or the failure of the stream, as its cause
     */
    static <T extends TBase<T, ?>> T read(final InputStream in, final T to, final int limit) throws IOException
    {
        try
        {
            to.read(new InterningProtocol(new TCompactProtocol(new TIOStreamTransport(in), limit, limit)));
            return to;
        }
        catch (final TException e)
        {
            throw new IOException(e.getMessage(), e);
        }
    }
}
