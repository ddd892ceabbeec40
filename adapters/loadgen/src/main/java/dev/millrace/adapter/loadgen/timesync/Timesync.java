package dev.millrace.adapter.loadgen.timesync;

/**
 * The datagrams of the clock exchange: little-endian, {@value #BYTES} bytes in both directions, so that a response is
 * never larger than its request. Fields: magic 4, version 1, kind 1, unused 2, then three times: request sent, by the
 * client's clock; request received and response sent, by the server's clock (0 in requests).
 */
public final class Timesync
{
    /** Size of a request and of a response. */
    public static final int BYTES = 32;
    /** The first four bytes as a little-endian int: 'M', 'R', 'T', 'S'. */
    public static final int MAGIC = 'M' | 'R' << 8 | 'T' << 16 | 'S' << 24;
    /** Version of the exchange. */
    public static final byte VERSION = 1;
    /** Kind of a request. */
    public static final byte REQUEST = 1;
    /** Kind of a response. */
    public static final byte ANSWER = 2;
    /** Offset of the version. */
    public static final int AT_VERSION = 4;
    /** Offset of the kind. */
    public static final int AT_KIND = 5;
    /** Offset of the time at which the request was sent, by the client's clock; returned unchanged. */
    public static final int AT_SENT = 8;
    /** Offset of the time at which the request arrived, by the server's clock. */
    public static final int AT_ARRIVED = 16;
    /** Offset of the time at which the response was sent, by the server's clock. */
    public static final int AT_ANSWERED = 24;

    private Timesync()
    {
    }
}
