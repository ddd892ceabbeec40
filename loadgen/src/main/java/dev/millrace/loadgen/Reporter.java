package dev.millrace.loadgen;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** Creates progress reports from the statistics of the connections. Not thread-safe. */
final class Reporter
{
    private final GeneratorSettings settings;
    private final List<SenderConnection> connections;
    private final List<SingleWriterRecorder> recorders;
    private final Histogram total;
    private final long startNs;
    private final Histogram interval = new Histogram(3);
    private long lastNs;
    private long lastOffered;
    private long lastSent;
    private long lastPackets;
    private long lastWrites;

    Reporter(final GeneratorSettings settings, final List<SenderConnection> connections,
        final List<SingleWriterRecorder> recorders, final Histogram total, final long startNs)
    {
        this.settings = settings;
        this.connections = connections;
        this.recorders = recorders;
        this.total = total;
        this.startNs = startNs;
        lastNs = startNs;
    }

    Progress report(final long nowNs)
    {
        long offered = 0;
        long sent = 0;
        long packets = 0;
        long writes = 0;
        long lagNs = 0;
        long lagMaxNs = 0;
        int open = 0;
        for (final SenderConnection connection : connections)
        {
            offered += connection.offered(nowNs);
            sent += connection.rowsSent.get();
            packets += connection.framesSent.get();
            writes += connection.writes.get();
            lagNs = Math.max(lagNs, connection.lagNs.get());
            lagMaxNs = Math.max(lagMaxNs, settings.schedule().isPaced() ? connection.lagMaxNs.get() : 0);
            open += connection.isOpen() ? 1 : 0;
        }
        interval.reset();
        for (final SingleWriterRecorder recorder : recorders)
        {
            interval.add(recorder.getIntervalHistogram());
        }
        total.add(interval);
        final double secs = Math.max(1e-9, (nowNs - lastNs) / 1e9);
        final boolean hasLag = settings.latencyStats() && interval.getTotalCount() > 0;
        final Progress progress = new Progress(settings.name(), Math.max(0, nowNs - startNs) / 1e9, offered, sent,
            (offered - lastOffered) / secs, (sent - lastSent) / secs, (packets - lastPackets) / secs,
            (writes - lastWrites) / secs, lagNs / 1e6, lagMaxNs / 1e6, hasLag ? interval.getValueAtPercentile(50) : -1,
            hasLag ? interval.getValueAtPercentile(99) : -1, open);
        lastNs = nowNs;
        lastOffered = offered;
        lastSent = sent;
        lastPackets = packets;
        lastWrites = writes;
        return progress;
    }
}
