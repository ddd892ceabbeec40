package dev.millrace.adapter.loadgen;

/**
 * The datagrams of the clock exchange, little-endian and {@value #BYTES} bytes both ways, so that an answer is never
 * larger than its request: magic 4, version 1, kind 1, unused 2, then three times: when the request was sent by the
 * asker's clock, when it arrived and when the answer left by the server's clock (0 in requests).
 */
public final class Timesync
{
    /** Bytes of a request and of an answer. */
    public static final int BYTES = 32;
    /** The first four bytes as a little-endian int: 'M', 'R', 'T', 'S'. */
    public static final int MAGIC = 'M' | 'R' << 8 | 'T' << 16 | 'S' << 24;
    /** Version of the exchange. */
    public static final byte VERSION = 1;
    /** Kind of a request. */
    public static final byte REQUEST = 1;
    /** Kind of an answer. */
    public static final byte ANSWER = 2;
    /** Offset of the version. */
    public static final int AT_VERSION = 4;
    /** Offset of the kind. */
    public static final int AT_KIND = 5;
    /** Offset of the time at which the request was sent, by the asker's clock; sent back as it came. */
    public static final int AT_SENT = 8;
    /** Offset of the time at which the request arrived, by the server's clock. */
    public static final int AT_ARRIVED = 16;
    /** Offset of the time at which the answer left, by the server's clock. */
    public static final int AT_ANSWERED = 24;

    private Timesync()
    {
    }
}
