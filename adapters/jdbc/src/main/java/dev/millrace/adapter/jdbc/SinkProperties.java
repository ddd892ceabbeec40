package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.ColumnName;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.buffer.OverflowPolicy;
import dev.millrace.adapter.jdbc.buffer.RowBlock;
import dev.millrace.adapter.jdbc.buffer.SinkMode;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import dev.millrace.adapter.jdbc.database.Dialect;
import dev.millrace.adapter.jdbc.database.TableMetadata;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The instance properties of a sink as set, and their validation. Not thread-safe. */
final class SinkProperties
{
    /** System property with the directory of the domain. */
    static final String DOMAIN = "wlevs.domain.home";

    private static final int MAX_MILLIS = 3_600_000;
    private static final int MAX_ROWS = 1 << 24;

    String table;
    String mode = SinkMode.INSERT_ROWS.text();
    String columns;
    String keys;
    String dialect;
    int batchRows = 1_024;
    int batchMillis;
    int bufferRows = 65_536;
    String positionTable;
    String whenFull;
    String spillDirectory;
    long spillMaxBytes = 1L << 30;
    int retryMillis = 100;
    int maxRetryMillis = 5_000;
    int answerMillis = 30_000;
    int shutdownMillis = 10_000;
    private String place;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final String application, final String stage)
    {
        place = application + '/' + stage;
        if (table == null || !TableMetadata.isName(table))
        {
            throw wrong("table", table, "specify the table: words or quoted names, separated by dots");
        }
        final SinkMode chosen = Arrays.stream(SinkMode.values())
            .filter(one -> one.text().equalsIgnoreCase(mode.strip())).findFirst()
            .orElseThrow(() -> wrong("mode", mode, "choose one of " +
                Arrays.stream(SinkMode.values()).map(SinkMode::text).toList()));
        if (positionTable != null && !TableMetadata.isName(positionTable))
        {
            throw wrong("positionTable", positionTable,
                "specify a table: words or quoted names, separated by dots; or leave it out");
        }
        final String overflow = whenFull != null ? whenFull : positionTable == null ? "spill" : "block";
        final OverflowPolicy full = Arrays.stream(OverflowPolicy.values())
            .filter(one -> one.name().equalsIgnoreCase(overflow.strip())).findFirst()
            .orElseThrow(() -> wrong("whenFull", whenFull, "choose one of [spill, block, reject]"));
        final List<String> keyNames = ColumnName.parse(keys).stream().map(ColumnName::property).toList();
        if (positionTable != null && full != OverflowPolicy.BLOCK)
        {
            throw wrong("whenFull", whenFull, "set it to block or leave it out: with positionTable the journal of " +
                "the durable processor keeps the rows that are not written");
        }
        if (chosen != SinkMode.INSERT_ROWS && keyNames.isEmpty())
        {
            throw wrong("keys", keys, "specify the properties that identify a row of the table: mode " + chosen.text() +
                " needs them");
        }
        if (dialect != null && Dialect.byName(dialect) == null)
        {
            throw wrong("dialect", dialect, "choose one of " + Dialect.names() + ", or leave it out");
        }
        final List<ColumnName> written = ColumnName.parse(columns);
        checkColumns(written, keyNames);
        range("batchRows", batchRows, 1, MAX_ROWS);
        range("batchMillis", batchMillis, 0, MAX_MILLIS);
        range("bufferRows", bufferRows, RowBlock.CAPACITY, MAX_ROWS);
        range("spillMaxBytes", spillMaxBytes, 1_024, Long.MAX_VALUE);
        range("retryMillis", retryMillis, 1, MAX_MILLIS);
        range("maxRetryMillis", maxRetryMillis, retryMillis, MAX_MILLIS);
        range("answerMillis", answerMillis, 1, MAX_MILLIS);
        range("shutdownMillis", shutdownMillis, 0, MAX_MILLIS);
        final Path directory = positionTable == null ? directory(application, stage) : null;
        if (full == OverflowPolicy.SPILL && directory == null)
        {
            throw wrong("spillDirectory", null, "specify a directory for waiting rows, or set whenFull to block or " +
                "reject");
        }
        return new SinkSettings(place, table, chosen, written, keyNames, dialect, batchRows, batchMillis, bufferRows,
            full, directory, spillMaxBytes, retryMillis, maxRetryMillis, answerMillis, shutdownMillis,
            positionTable);
    }

    private void checkColumns(final List<ColumnName> written, final List<String> keyNames)
    {
        final List<String> names = written.stream().map(column -> column.property().toLowerCase(Locale.ROOT)).toList();
        if (written.stream().anyMatch(column -> column.property().isEmpty() || column.column().isEmpty()) ||
            names.stream().distinct().count() < names.size())
        {
            throw wrong("columns", columns, "list each property once: property, property=column");
        }
        for (final String key : keyNames)
        {
            if (!written.isEmpty() && !names.contains(key.toLowerCase(Locale.ROOT)))
            {
                throw wrong("keys", keys, "a key must be one of columns " +
                    written.stream().map(ColumnName::property).collect(Collectors.joining(", ")));
            }
        }
    }

    private Path directory(final String application, final String stage)
    {
        if (spillDirectory != null && !spillDirectory.isBlank())
        {
            return Path.of(spillDirectory);
        }
        final String domain = System.getProperty(DOMAIN);
        return domain == null ? null :
            Path.of(domain, "var", "spill", (application + '.' + stage).replaceAll("[^\\p{Alnum}._-]", "_"));
    }

    private void range(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw wrong(name, value, "specify a number from " + min + " to " + max);
        }
    }

    private IllegalArgumentException wrong(final String name, final Object value, final String next)
    {
        return new IllegalArgumentException(JdbcErrorCode.PROPERTY.message((value == null ?
            "an instance property is missing" : "an instance property is invalid") + ", stage=" + place + " name=" +
            name + (value == null ? "" : " value=" + value), next));
    }
}
