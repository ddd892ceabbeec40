package dev.millrace.loadgen;

import dev.millrace.api.internal.EditDistance;
import java.util.Arrays;
import java.util.Locale;

/** The keys of a property file; each is declared only here. */
public enum GeneratorProperty
{
    CSV_DATA_FILE("test.csvDataFile", "data.csv", "data file, one event per line; relative to the property file"),
    HOST("test.host", "127.0.0.1", "server host"),
    PORT("test.port", "9001", "port of the adapter (loadgen.port of the server)"),
    PACKET_TYPE("test.packetType", null, "CSV: rows of the data file are sent in binary packets; TEXT: as plain lines"),
    MODE("test.mode", "client", "client: the generator connects to the server (the only mode)"),
    SENDERS("test.senders", "1", "number of connections"),
    THREADS("test.threads", "1", "threads that serve the connections"),
    LATENCY_STATS("test.latencyStats", "false", "print percentiles of the lag (written minus due) each interval"),
    STAT_INTERVAL("test.statInterval", "2000", "milliseconds between printed statistics"),
    SECS("test.secs", "30", "length of the run in seconds"),
    RATE("test.rate", "1", "final rate of each connection in events per second; max sends as fast as possible"),
    START_RATE("test.startRate", null, "rate of each connection at the start; default test.rate"),
    RAMP_UP_SECS("test.rampUpSecs", "0", "seconds in which the rate rises linearly from test.startRate to test.rate"),
    RATE_INCREMENT("test.rateIncrement", "0", "instead of test.rampUpSecs: rise by this many events/s each second"),
    TICKS_PER_PACKET("test.ticksPerPacket", "1", "rows per packet"),
    SPLIT("test.split", "symbol", "symbol: each value of test.splitColumn is assigned to a connection; copy: each "
        + "connection " +
        "sends the whole file"),
    SPLIT_COLUMN("test.splitColumn", "1", "column, counted from 1, whose value determines the connection"),
    WRITE_PER_PACKET("test.writePerPacket", "false", "true: one write per packet, even when several are due at the "
        + "same time"),
    COLUMN_TYPES("test.columnTypes", null, "comma-separated list of char, int, bigint, float, double, boolean, "
        + "timestamp; " +
        "default: inferred from the data file"),
    TIMESYNC_PORT("test.timesyncPort", "0", "timesync.port of the server; 0: server and generator use the same clock"),
    SUMMARY_FILE("test.summaryFile", null, "file for the summary as JSON"),
    MAX_EVENTS("test.maxEvents", "0", "end after this many events over all connections; 0: only test.secs limits the "
        + "run"),
    RECONNECT("test.reconnect", "false", "true: reconnect every second after a loss instead of ending"),
    STREAM("test.stream", null, "name of the stream in front of a durable processor: the generator reconnects, sends " +
        "what is not stored there, and waits at the end until all is"),
    SPIN_MICROS("test.spinMicros", "100", "maximum time before a due time at which the thread stops sleeping; " +
        "0 never spins"),
    SPIN_PERCENT("test.spinPercent", "10", "maximum share of its time that a thread spins; 0 if generators and " +
        "servers outnumber processors, 100 if it has a dedicated processor"),
    TOKEN_FILE("test.tokenFile", null, "file of mode 600 with the token of the adapter (its tokenFile)"),
    TLS("test.tls", "false", "true: connections are encrypted, for adapters with a keyStore"),
    TRUSTED_CERTIFICATES("test.trustedCertificates", null, "PEM file with the certificates accepted from the " +
        "server; default: those that Java trusts");

    private final String key;
    private final String defaultValue;
    private final String text;

    GeneratorProperty(final String key, final String defaultValue, final String text)
    {
        this.key = key;
        this.defaultValue = defaultValue;
        this.text = text;
    }

    /**
     * The key in the property file.
     *
     * @return for example {@code test.rate}
     */
    public String key()
    {
        return key;
    }

    /**
     * The value when the file has none.
     *
     * @return value, or {@code null} if none or it depends on others
     */
    public String defaultValue()
    {
        return defaultValue;
    }

    /** Description in one line. */
    public String text()
    {
        return text;
    }

    /** Finds a setting by its exact key; {@code null} if none. */
    static GeneratorProperty byKey(final String key)
    {
        return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst().orElse(null);
    }

    /**
     * The setting whose key is most similar to a mistyped one.
     *
     * @param key unknown key
     * @return the most similar setting, or {@code null} when none is similar
     */
    static GeneratorProperty nearest(final String key)
    {
        GeneratorProperty best = null;
        int bestDistance = Math.max(3, key.length() / 3);
        for (final GeneratorProperty setting : values())
        {
            final int distance =
                EditDistance.of(key.toLowerCase(Locale.ROOT), setting.key.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance)
            {
                bestDistance = distance;
                best = setting;
            }
        }
        return best;
    }
}
