package dev.millrace.loadgen;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of a run; the keys of its JSON form are the names of the components. Immutable.
 *
 * @param file               property file
 * @param dataFile           data file
 * @param dataRows           rows of the data file
 * @param columnTypes        types used for sending the columns; empty for plain lines
 * @param split              symbol or copy
 * @param splitColumn        column that determines the connection, from 1
 * @param ticksPerPacket     rows per packet
 * @param writePerPacket     whether each packet was written separately
 * @param elapsedSecs        from the first due time to the last write
 * @param offered            rows due
 * @param sent               rows written
 * @param unsent             rows due but not written when the run ended
 * @param missed             rows due while a connection was being reestablished; part of unsent
 * @param packets            packets written
 * @param writes             socket writes
 * @param bytes              bytes written
 * @param offeredPerSec      rows due per second
 * @param sentPerSec         rows written per second
 * @param packetsPerSec      packets written per second
 * @param framesPerSec       equal to packetsPerSec; frame is the name in the wire format
 * @param writesPerSec       socket writes per second
 * @param lagMaxMs           maximum lag of a packet; 0 when unpaced
 * @param lagUs              percentiles of the lag, or {@code null} without test.latencyStats
 * @param clockOffsetNs      added to due times to convert them to the server's clock
 * @param clockUncertaintyNs maximum error of the offset
 * @param ended              completed, stopped or lost
 * @param drained            whether the server confirmed that it has read each stream to its end
 * @param failure            message when a connection was lost, or {@code null}
 * @param connections        result of each connection
 */
public record RunSummary(String file, String dataFile, int dataRows, List<String> columnTypes, String split,
    int splitColumn, int ticksPerPacket, boolean writePerPacket, double elapsedSecs, long offered, long sent,
    long unsent, long missed, long packets, long writes, long bytes, double offeredPerSec, double sentPerSec,
    double packetsPerSec, double framesPerSec, double writesPerSec, double lagMaxMs, Lag lagUs, long clockOffsetNs,
    long clockUncertaintyNs, String ended, boolean drained, String failure, List<Connection> connections)
{
    private static final Gson JSON = new GsonBuilder().setPrettyPrinting().serializeNulls().create();

    /**
     * The result of one connection. Together with {@link RowAssignment} it determines exactly which rows were sent: the
     * first {@code rowsSent} of its endless sequence, in order.
     *
     * @param index       from 0
     * @param rowsPerPass distinct rows of the connection
     * @param rowsSent    rows written
     * @param packetsSent packets written
     * @param rowsMissed  rows skipped while it was being reestablished
     * @param reconnects  number of reconnects; the sequence is only certain when 0
     * @param lagMaxMs    maximum lag of a packet
     * @param drained     whether the server confirmed that it has read the stream to its end
     */
    public record Connection(int index, int rowsPerPass, long rowsSent, long packetsSent, long rowsMissed,
        long reconnects, double lagMaxMs, boolean drained)
    {
    }

    /**
     * Percentiles of the lag (time written minus due time), in microseconds. The lag of the oldest packet of a write
     * counts for all its packets.
     *
     * @param mean  mean
     * @param p50   median
     * @param p90   90th percentile
     * @param p99   99th percentile
     * @param p9999 99.99th percentile
     * @param max   maximum
     * @param count packets
     */
    public record Lag(double mean, long p50, long p90, long p99, long p9999, long max, long count)
    {
    }

    /**
     * The summary as JSON.
     *
     * @return a JSON object
     */
    public String json()
    {
        return JSON.toJson(this);
    }

    /**
     * Several summaries as one JSON object {@code {"runs":[...]}}.
     *
     * @param runs summaries
     * @return a JSON object
     */
    public static String json(final List<RunSummary> runs)
    {
        return JSON.toJson(java.util.Map.of("runs", runs));
    }

    /**
     * Writes JSON to a file atomically, so that a reader never sees a partial file.
     *
     * @param json text
     * @param file target
     * @throws GeneratorException when it cannot be written
     */
    public static void write(final String json, final Path file) throws GeneratorException
    {
        try
        {
            final Path folder = file.toAbsolutePath().getParent();
            Files.createDirectories(folder);
            final Path temporary = Files.createTempFile(folder, "summary", ".tmp");
            Files.write(temporary, (json + "\n").getBytes(StandardCharsets.UTF_8));
            Files.move(temporary, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0401 summary cannot be written, file=" +
                file + " cause=" + ex + "; correct test.summaryFile", ex);
        }
    }

    /**
     * The exit code of the process.
     *
     * @return 0, or {@link GeneratorException#EXIT_LOST} when a connection was lost
     */
    public int exitCode()
    {
        return failure == null ? 0 : GeneratorException.EXIT_LOST;
    }
}
