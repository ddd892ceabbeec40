package dev.millrace.loadgen;

import java.util.Arrays;

/** The keys of a property file: the one place where each is declared. */
public enum Setting
{
    /** Data file. */
    CSV_DATA_FILE("test.csvDataFile", "data.csv", "data file, one event a line; relative to the property file"),
    /** Server host. */
    HOST("test.host", "127.0.0.1", "server host"),
    /** Data port. */
    PORT("test.port", "9001", "port of the adapter (loadgen.port of the server)"),
    /** Kind of packets. */
    PACKET_TYPE("test.packetType", null, "CSV: rows of the data file travel in binary packets; TEXT: as plain lines"),
    /** Who connects. */
    MODE("test.mode", "client", "client: the generator connects to the server (the only mode)"),
    /** Connections. */
    SENDERS("test.senders", "1", "number of connections"),
    /** Threads. */
    THREADS("test.threads", "1", "threads that serve the connections"),
    /** Latency figures. */
    LATENCY_STATS("test.latencyStats", "false", "print percentiles of the lag (written minus due) each interval"),
    /** Interval. */
    STAT_INTERVAL("test.statInterval", "2000", "milliseconds between printed statistics"),
    /** Length of the run. */
    SECS("test.secs", "30", "length of the run in seconds"),
    /** Rate. */
    RATE("test.rate", "1", "final rate of each connection in events a second; max sends as fast as possible"),
    /** First rate. */
    START_RATE("test.startRate", null, "rate of each connection at the start; default test.rate"),
    /** Ramp. */
    RAMP_UP_SECS("test.rampUpSecs", "0", "seconds in which the rate rises evenly from test.startRate to test.rate"),
    /** Steps. */
    RATE_INCREMENT("test.rateIncrement", "0", "instead of test.rampUpSecs: rise by this many events/s each second"),
    /** Rows a packet. */
    TICKS_PER_PACKET("test.ticksPerPacket", "1", "rows a packet"),
    /** Distribution of rows. */
    SPLIT("test.split", "symbol", "symbol: each value of test.splitColumn has its connection; copy: each connection " +
        "sends the whole file"),
    /** Column that decides. */
    SPLIT_COLUMN("test.splitColumn", "1", "column, counted from 1, whose value decides the connection"),
    /** Writes. */
    WRITE_PER_PACKET("test.writePerPacket", "false", "true: one write a packet, even when several are due together"),
    /** Types of columns. */
    COLUMN_TYPES("test.columnTypes", null, "comma list of char, int, bigint, float, double, boolean, timestamp; " +
        "default: inferred from the data file"),
    /** Clock exchange. */
    TIMESYNC_PORT("test.timesyncPort", "0", "timesync.port of the server; 0: its clock is taken to be this machine's"),
    /** Summary. */
    SUMMARY_FILE("test.summaryFile", null, "file for the summary as JSON"),
    /** Count. */
    MAX_EVENTS("test.maxEvents", "0", "end after this many events over all connections; 0: test.secs alone decides"),
    /** Reconnecting. */
    RECONNECT("test.reconnect", "false", "true: connect again after a loss, each second, instead of ending"),
    /** Precision of pacing. */
    SPIN_MICROS("test.spinMicros", "100", "how long before a packet is due the thread stops sleeping, at most; " +
        "0 never spins"),
    /** Price of precision. */
    SPIN_PERCENT("test.spinPercent", "10", "share of its time that a thread spins, at most; 0 where generators and " +
        "servers are more than processors, 100 where it has one for itself"),
    /** Token. */
    TOKEN_FILE("test.tokenFile", null, "file of mode 600 with the token of the adapter (its tokenFile)"),
    /** Encryption. */
    TLS("test.tls", "false", "true: connections are encrypted, for adapters with a keyStore"),
    /** Trust. */
    TRUSTED_CERTIFICATES("test.trustedCertificates", null, "PEM file with the certificates that the server may " +
        "show; default: those that Java trusts");

    private final String key;
    private final String defaultValue;
    private final String text;

    Setting(final String key, final String defaultValue, final String text)
    {
        this.key = key;
        this.defaultValue = defaultValue;
        this.text = text;
    }

    /**
     * The key of the property file.
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
     * @return value, or {@code null} when there is none or it depends on others
     */
    public String defaultValue()
    {
        return defaultValue;
    }

    /**
     * What it does.
     *
     * @return one line
     */
    public String text()
    {
        return text;
    }

    /**
     * Finds a setting by its key.
     *
     * @param key exact key
     * @return the setting, or {@code null}
     */
    static Setting byKey(final String key)
    {
        return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst().orElse(null);
    }

    /**
     * The setting whose key is most like a mistyped one.
     *
     * @param key unknown key
     * @return the nearest setting, or {@code null} when none is near
     */
    static Setting nearest(final String key)
    {
        Setting best = null;
        int bestDistance = Math.max(3, key.length() / 3);
        for (final Setting setting : values())
        {
            final int distance = distance(key.toLowerCase(java.util.Locale.ROOT),
                setting.key.toLowerCase(java.util.Locale.ROOT));
            if (distance < bestDistance)
            {
                bestDistance = distance;
                best = setting;
            }
        }
        return best;
    }

    /** Levenshtein distance. */
    private static int distance(final String left, final String right)
    {
        int[] previous = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++)
        {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++)
        {
            final int[] current = new int[right.length() + 1];
            current[0] = i;
            for (int j = 1; j <= right.length(); j++)
            {
                final int substitution = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
