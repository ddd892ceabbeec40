package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.adapter.loadgen.WireType;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The validated content of a property file. Immutable.
 *
 * @param name             name for messages, usually the property file
 * @param dataFile         data file
 * @param host             server host
 * @param port             data port
 * @param packetType       binary packets or plain lines
 * @param senders          number of connections
 * @param threads          threads that serve them
 * @param latencyStats     whether percentiles of the lag are collected
 * @param statIntervalMs   milliseconds between reports
 * @param secs             length of the run
 * @param schedule         rate of each connection over time
 * @param ticksPerPacket   rows per packet
 * @param split            distribution of rows
 * @param splitColumn      column that determines the connection, from 0
 * @param writePerPacket   one write per packet
 * @param columnTypes      types of the columns, or an empty list to infer them
 * @param timesyncPort     clock exchange port of the server, or 0
 * @param summaryFile      file for the summary, or {@code null}
 * @param maxEvents        maximum number of events, or 0
 * @param reconnect        whether to reconnect after a connection loss
 * @param spinMicros       maximum time before a due time at which sleeping ends
 * @param spinPercent      maximum share of a thread's time spent spinning
 * @param tokenFile        file with the token of the port, or {@code null}
 * @param tls              whether connections are encrypted
 * @param trustedCertificates certificates trusted for the server, or {@code null} for Java's default
 * @param stream           name of the stream that is resumed, or {@code null}
 * @param ignoredKeys      keys of the file that OEP's generator knows and this one does not, in order of name
 */
public record GeneratorSettings(String name, Path dataFile, String host, int port, PacketType packetType, int senders,
    int threads, boolean latencyStats, int statIntervalMs, int secs, RateSchedule schedule, int ticksPerPacket,
    Split split, int splitColumn, boolean writePerPacket, List<WireType> columnTypes, int timesyncPort,
    Path summaryFile, long maxEvents, boolean reconnect, int spinMicros, int spinPercent, Path tokenFile,
    boolean tls, Path trustedCertificates, String stream, List<String> ignoredKeys)
{
    /** Keys of OEP's files begin with it. */
    private static final String OEP_PREFIX = "test.";

    /** Encoding of packets. */
    public enum PacketType
    {
        /** Rows of the CSV file in binary packets. */
        CSV,
        /** Unchanged lines of the CSV file. */
        TEXT
    }

    /** Distribution of rows over connections. */
    public enum Split
    {
        /** Each value of one column is assigned to a connection. */
        SYMBOL,
        /** Each connection sends all rows. */
        COPY
    }

    /**
     * Reads a property file.
     *
     * @param file      the file
     * @param overrides keys to values that take precedence over the file
     * @return validated settings
     * @throws GeneratorException with file and key of the error
     */
    public static GeneratorSettings read(final Path file, final Map<String, String> overrides)
        throws GeneratorException
    {
        final Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8))
        {
            properties.load(reader);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0101 property file cannot be read, " +
                "file=" + file + " cause=" + ex + "; specify the path of a readable property file", ex);
        }
        final Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        final List<String> ignored = values.keySet().stream().filter(GeneratorSettings::isForeign).toList();
        values.keySet().removeAll(ignored);
        values.putAll(overrides);
        final Path folder = file.toAbsolutePath().getParent();
        return of(file.toString(), folder, values, ignored);
    }

    /** A key such as test.loopBack, unless it is similar to a key of this generator and thus mistyped. */
    private static boolean isForeign(final String key)
    {
        return key.startsWith(OEP_PREFIX) && GeneratorProperty.byKey(key) == null &&
            GeneratorProperty.nearest(key) == null;
    }

    /**
     * The message about keys of the file without effect.
     *
     * @return one line, or {@code null} when all keys have an effect
     */
    public String warning()
    {
        return ignoredKeys.isEmpty() ? null : "GEN-0108 keys of the file have no effect in this load generator, file=" +
            name + " keys=" + String.join(",", ignoredKeys) +
            "; remove them, or compare --help and the README, which list what has an effect";
    }

    /**
     * Validates settings given as keys and values.
     *
     * @param name   name for messages
     * @param folder base of relative paths
     * @param values keys to values
     * @return validated settings
     * @throws GeneratorException with the key of the error
     */
    public static GeneratorSettings of(final String name, final Path folder, final Map<String, String> values)
        throws GeneratorException
    {
        return of(name, folder, values, List.of());
    }

    private static GeneratorSettings of(final String name, final Path folder, final Map<String, String> values,
        final List<String> ignoredKeys) throws GeneratorException
    {
        final GeneratorProperties read = new GeneratorProperties(name, values);
        final PacketType packetType = read.choice(GeneratorProperty.PACKET_TYPE, PacketType.class);
        read.choice(GeneratorProperty.MODE, Mode.class);
        final int ticks = read.integer(GeneratorProperty.TICKS_PER_PACKET, 1, WireFormat.MAX_ROWS);
        final int secs = read.integer(GeneratorProperty.SECS, 1, Integer.MAX_VALUE);
        if (read.isSet(GeneratorProperty.TRUSTED_CERTIFICATES) && !read.bool(GeneratorProperty.TLS))
        {
            throw read.bad(GeneratorProperty.TRUSTED_CERTIFICATES, "has no effect without TLS; set test.tls=true");
        }
        if (read.isSet(GeneratorProperty.STREAM) && packetType == PacketType.TEXT)
        {
            throw read.bad(GeneratorProperty.STREAM, "has no effect on lines of text; set test.packetType=CSV");
        }
        return new GeneratorSettings(name, folder.resolve(read.text(GeneratorProperty.CSV_DATA_FILE)),
            read.text(GeneratorProperty.HOST),
            read.integer(GeneratorProperty.PORT, 1, 0xFFFF), packetType,
            read.integer(GeneratorProperty.SENDERS, 1, 4096),
            read.integer(GeneratorProperty.THREADS, 1, 256), read.bool(GeneratorProperty.LATENCY_STATS),
            read.integer(GeneratorProperty.STAT_INTERVAL, 10, Integer.MAX_VALUE), secs, schedule(read), ticks,
            read.choice(GeneratorProperty.SPLIT, Split.class),
            read.integer(GeneratorProperty.SPLIT_COLUMN, 1, WireFormat.MAX_COLUMNS) - 1,
            read.bool(GeneratorProperty.WRITE_PER_PACKET), types(read),
            read.integer(GeneratorProperty.TIMESYNC_PORT, 0, 0xFFFF),
            path(read, folder, GeneratorProperty.SUMMARY_FILE), read.integer64(GeneratorProperty.MAX_EVENTS, 0),
            read.bool(GeneratorProperty.RECONNECT), read.integer(GeneratorProperty.SPIN_MICROS, 0, 1_000_000),
            read.integer(GeneratorProperty.SPIN_PERCENT, 0, 100), path(read, folder, GeneratorProperty.TOKEN_FILE),
            read.bool(GeneratorProperty.TLS), path(read, folder, GeneratorProperty.TRUSTED_CERTIFICATES),
            read.isSet(GeneratorProperty.STREAM) ? read.text(GeneratorProperty.STREAM) : null, ignoredKeys);
    }

    private static Path path(final GeneratorProperties read, final Path folder, final GeneratorProperty setting)
    {
        final String text = read.text(setting);
        return text == null ? null : folder.resolve(text);
    }

    /** The side that connects. OEP's key has more values; this enum contains the supported one. */
    private enum Mode
    {
        CLIENT
    }

    private static RateSchedule schedule(final GeneratorProperties read) throws GeneratorException
    {
        if ("max".equalsIgnoreCase(read.text(GeneratorProperty.RATE)))
        {
            for (final GeneratorProperty ramp : List.of(GeneratorProperty.START_RATE, GeneratorProperty.RAMP_UP_SECS,
                GeneratorProperty.RATE_INCREMENT))
            {
                if (read.isSet(ramp))
                {
                    throw read.bad(ramp, "has no effect with test.rate=max; remove one of them");
                }
            }
            return RateSchedule.UNPACED;
        }
        final double rate = read.number(GeneratorProperty.RATE);
        final double startRate = read.isSet(GeneratorProperty.START_RATE) ? read.number(GeneratorProperty.START_RATE) :
            rate;
        final int rampUpSecs = read.integer(GeneratorProperty.RAMP_UP_SECS, 0, 1_000_000);
        final double increment = read.isSet(GeneratorProperty.RATE_INCREMENT) ?
            read.number(GeneratorProperty.RATE_INCREMENT) : 0;
        if (increment > 0 && rampUpSecs > 0)
        {
            throw read.bad(GeneratorProperty.RATE_INCREMENT,
                "cannot be combined with test.rampUpSecs; remove one of them");
        }
        if (startRate > rate && increment > 0)
        {
            throw read.bad(GeneratorProperty.START_RATE,
                "exceeds test.rate, which test.rateIncrement can therefore not reach; "
                + "lower it");
        }
        return increment > 0 ? RateSchedule.steps(startRate, increment, rate) :
            RateSchedule.ramp(startRate, rate, rampUpSecs);
    }

    private static List<WireType> types(final GeneratorProperties read) throws GeneratorException
    {
        final String text = read.text(GeneratorProperty.COLUMN_TYPES);
        final List<WireType> types = new ArrayList<>();
        if (text == null)
        {
            return types;
        }
        for (final String name : text.split(",", -1))
        {
            types.add(switch (name.strip().toLowerCase(Locale.ROOT))
            {
                case "char", "string" -> WireType.CHAR8;
                case "int" -> WireType.INT;
                case "bigint", "long" -> WireType.BIGINT;
                case "float" -> WireType.FLOAT;
                case "double" -> WireType.DOUBLE;
                case "boolean" -> WireType.BOOLEAN;
                case "timestamp" -> WireType.TIMESTAMP;
                default -> throw read.bad(GeneratorProperty.COLUMN_TYPES,
                    "contains an unknown type, type=" + name.strip() +
                    "; use char, int, bigint, float, double, boolean or timestamp");
            });
        }
        return List.copyOf(types);
    }

    /**
     * Maximum number of events of a connection.
     *
     * @param connection from 0
     * @return its share of {@link #maxEvents()}, or {@link Long#MAX_VALUE}
     */
    public long maxEventsOf(final int connection)
    {
        return maxEvents == 0 ? Long.MAX_VALUE :
            maxEvents / senders + (connection < maxEvents % senders ? 1 : 0);
    }
}
