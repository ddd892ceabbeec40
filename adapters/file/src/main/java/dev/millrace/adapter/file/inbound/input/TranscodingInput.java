package dev.millrace.adapter.file.inbound.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of another charset as UTF-8. Bytes that are invalid in it become {@link #INVALID}, which is invalid in UTF-8,
 * so that decoders reject the rows that contain them. Owns its source.
 */
final class TranscodingInput implements ByteInput
{
    /** Occurs in no UTF-8. */
    static final byte INVALID = (byte)0xFF;

    private static final int CHARS = 1 << 13;
    private static final int MAX_CHARACTER_BYTES = 4;

    private final ByteInput source;
    private final boolean isComplete;
    private final CharsetDecoder decoder;
    private final CharsetEncoder encoder;
    private final ByteBuffer raw = ByteBuffer.allocate(CHARS).limit(0);
    private final CharBuffer chars = CharBuffer.allocate(CHARS).limit(0);
    private final ByteBuffer utf8 = ByteBuffer.allocate(CHARS * MAX_CHARACTER_BYTES).limit(0);

    /** @param isComplete whether the file does not grow, so that a part of a character at its end is invalid */
    TranscodingInput(final ByteInput source, final Charset charset, final boolean isComplete)
    {
        this.source = source;
        this.isComplete = isComplete;
        decoder = charset.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
        encoder = StandardCharsets.UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    @Override
    public int read(final byte[] to, final int at, final int length) throws IOException
    {
        boolean isEnd = false;
        while (!utf8.hasRemaining() && !isEnd)
        {
            raw.compact();
            final int count = source.read(raw.array(), raw.position(), raw.remaining());
            isEnd = count < 0;
            raw.position(raw.position() + Math.max(0, count)).flip();
            transcode();
            if (isEnd && isComplete && raw.hasRemaining())
            {
                raw.position(raw.limit());
                utf8.compact().put(INVALID).flip();
            }
        }
        if (!utf8.hasRemaining())
        {
            return -1;
        }
        final int count = Math.min(length, utf8.remaining());
        utf8.get(to, at, count);
        return count;
    }

    private void transcode()
    {
        utf8.clear();
        boolean isInvalid = true;
        while (isInvalid)
        {
            chars.compact();
            final CoderResult decoded = decoder.decode(raw, chars, false);
            chars.flip();
            encode();
            isInvalid = decoded.isError();
            if (isInvalid)
            {
                raw.position(raw.position() + decoded.length());
                utf8.put(INVALID);
            }
        }
        utf8.flip();
    }

    private void encode()
    {
        CoderResult encoded = encoder.encode(chars, utf8, false);
        while (encoded.isError())
        {
            chars.position(chars.position() + encoded.length());
            utf8.put(INVALID);
            encoded = encoder.encode(chars, utf8, false);
        }
    }

    @Override
    public long seek(final long offset)
    {
        return 0;
    }

    @Override
    public void close() throws IOException
    {
        source.close();
    }
}
