package dev.millrace.adapter.file.inbound.input;

import java.io.Closeable;
import java.io.IOException;

/** The bytes of a file, as UTF-8 for decoders. Confined to one thread. */
public interface ByteInput extends Closeable
{
    /**
     * Reads the next bytes.
     *
     * @return how many, at least 1; -1 if none are available
     */
    int read(byte[] to, int at, int length) throws IOException;

    /**
     * Continues at a position where the format permits that.
     *
     * @param offset in the bytes that {@link #read} returns
     * @return the offset; 0 if nothing has changed
     */
    long seek(long offset) throws IOException;
}
