package dev.millrace.adapter.http.channel;

import java.nio.charset.StandardCharsets;

/** A message of a channel: a JSON value on one line. Immutable. */
public final class ChannelMessage
{
    /** The memory of an empty message in a queue. */
    private static final int OVERHEAD_BYTES = 64;

    private final String channel;
    private final long number;
    private final String json;
    private final byte[] utf8;

    /** @param number of the message in its channel, from 1 */
    ChannelMessage(final String channel, final long number, final String json)
    {
        this.channel = channel;
        this.number = number;
        this.json = json;
        utf8 = json.getBytes(StandardCharsets.UTF_8);
    }

    /** The name of the channel. */
    public String channel()
    {
        return channel;
    }

    /** The number of the message in its channel, from 1. */
    public long number()
    {
        return number;
    }

    /** The value. */
    public String json()
    {
        return json;
    }

    /** The value as UTF-8; must not be changed. */
    public byte[] utf8()
    {
        return utf8;
    }

    /** Its size in a queue. */
    public int sizeBytes()
    {
        return utf8.length + OVERHEAD_BYTES;
    }
}
