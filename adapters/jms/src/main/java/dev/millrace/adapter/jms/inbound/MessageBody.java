package dev.millrace.adapter.jms.inbound;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the bodies of text and bytes messages as UTF-8. Immutable. */
final class MessageBody
{
    private final Charset charset;
    private final int maxBytes;

    /** @param charset of bytes messages */
    MessageBody(final Charset charset, final int maxBytes)
    {
        this.charset = charset;
        this.maxBytes = maxBytes;
    }

    /** The text of a message. */
    byte[] of(final TextMessage message) throws JMSException, MessageRejectedException
    {
        final String text = message.getText();
        if (text == null)
        {
            return new byte[0];
        }
        checkSize(text.length());
        final byte[] bytes = encode(CharBuffer.wrap(text));
        checkSize(bytes.length);
        return bytes;
    }

    /** The bytes of a message. */
    byte[] of(final BytesMessage message) throws JMSException, MessageRejectedException
    {
        final long length = message.getBodyLength();
        checkSize(length);
        final byte[] bytes = new byte[(int)length];
        message.readBytes(bytes);
        // The decoders check UTF-8 themselves.
        return charset.equals(StandardCharsets.UTF_8) ? bytes : encode(decode(bytes));
    }

    private void checkSize(final long length) throws MessageRejectedException
    {
        if (length > maxBytes)
        {
            throw new MessageRejectedException("message-too-long", "length=" + length + " maxMessageBytes=" +
                maxBytes);
        }
    }

    private CharBuffer decode(final byte[] bytes) throws MessageRejectedException
    {
        try
        {
            return charset.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(bytes));
        }
        catch (final CharacterCodingException e)
        {
            throw new MessageRejectedException("invalid-bytes", "charset=" + charset + " reason=" + e.getMessage());
        }
    }

    private static byte[] encode(final CharBuffer text) throws MessageRejectedException
    {
        try
        {
            final ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(text);
            return Arrays.copyOf(bytes.array(), bytes.limit());
        }
        catch (final CharacterCodingException e)
        {
            throw new MessageRejectedException("invalid-bytes", "the text has a half of a character: " +
                e.getMessage());
        }
    }
}
