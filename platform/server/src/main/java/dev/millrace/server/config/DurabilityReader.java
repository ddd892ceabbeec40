package dev.millrace.server.config;

import dev.millrace.journal.SyncMode;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.spi.DurabilitySettings;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how durable processors store their state. Not thread-safe. */
final class DurabilityReader
{
    private static final String BAD_VALUE = "SRV-0154";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,6})([kmgtKMGT])");
    private static final String SIZE_UNITS = "kmgt";
    private static final int UNIT_BITS = 10;
    private static final long LEAST_FILE_BYTES = 1L << 20;

    private final ConfigurationProblems problems;

    /**
     * @param problems receives errors
     */
    DurabilityReader(final ConfigurationProblems problems)
    {
        this.problems = problems;
    }

    DurabilitySettings read(final XmlElement element)
    {
        final DurabilitySettings standard = DurabilitySettings.DEFAULT;
        SyncMode sync = standard.sync();
        long syncIntervalNs = standard.syncIntervalNs();
        long snapshotIntervalNs = standard.snapshotIntervalNs();
        long maxPauseNs = standard.maxPauseNs();
        long fileBytes = standard.fileBytes();
        long maxBytes = standard.maxBytes();
        long minFreeBytes = standard.minFreeBytes();
        boolean waitsForSpace = standard.waitsForSpace();
        long retentionMs = standard.retentionMs();
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "sync" -> sync = sync(child, sync);
                case "sync-interval" -> syncIntervalNs = duration(child, syncIntervalNs);
                case "snapshot-interval" -> snapshotIntervalNs = duration(child, snapshotIntervalNs);
                case "max-pause" -> maxPauseNs = duration(child, maxPauseNs);
                case "file-size" -> fileBytes = size(child, LEAST_FILE_BYTES, fileBytes);
                case "max-size" -> maxBytes = size(child, LEAST_FILE_BYTES, maxBytes);
                case "min-free-space" -> minFreeBytes = size(child, 0, minFreeBytes);
                case "when-full" -> waitsForSpace = whenFull(child, waitsForSpace);
                case "retention" -> retentionMs = retention(child, retentionMs);
                default -> problems.addUnknown(child);
            }
        }
        if (maxBytes < 2 * fileBytes)
        {
            problems.add(BAD_VALUE, element, "a journal has room for less than two files, max-size=" + maxBytes +
                " file-size=" + fileBytes, "raise max-size or lower file-size: only whole files are deleted");
        }
        return new DurabilitySettings(sync, syncIntervalNs, snapshotIntervalNs, maxPauseNs, fileBytes, maxBytes,
            minFreeBytes, waitsForSpace, retentionMs);
    }

    private SyncMode sync(final XmlElement element, final SyncMode otherwise)
    {
        for (final SyncMode mode : SyncMode.values())
        {
            if (mode.name().toLowerCase(Locale.ROOT).equals(element.text()))
            {
                return mode;
            }
        }
        return invalid(element, "none, interval or batch", otherwise);
    }

    private boolean whenFull(final XmlElement element, final boolean otherwise)
    {
        return switch (element.text())
        {
            case "wait" -> true;
            case "reject" -> false;
            default -> invalid(element, "wait or reject", otherwise);
        };
    }

    private long duration(final XmlElement element, final long otherwise)
    {
        final Duration time = DurationFormat.parse(element.text());
        return time == null || time.isZero() ?
            invalid(element, "a whole number with ms, s, m, h or d such as 30s", otherwise) : time.toNanos();
    }

    private long retention(final XmlElement element, final long otherwise)
    {
        final Duration time = DurationFormat.parse(element.text());
        return time == null ? invalid(element, DurationFormat.FORM, otherwise) : time.toMillis();
    }

    private long size(final XmlElement element, final long least, final long otherwise)
    {
        final Matcher size = SIZE.matcher(element.text());
        if (size.matches())
        {
            final int unit = SIZE_UNITS.indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
            final long bytes = Long.parseLong(size.group(1)) << unit * UNIT_BITS;
            if (bytes >= least)
            {
                return bytes;
            }
        }
        return invalid(element, "a whole number with k, m, g or t such as 256m, at least " + (least >> 20) + "m",
            otherwise);
    }

    private <T> T invalid(final XmlElement element, final String form, final T otherwise)
    {
        problems.add(BAD_VALUE, element, "invalid value, " + element.name() + '=' + element.text(), "use " + form);
        return otherwise;
    }
}
