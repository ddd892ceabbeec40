package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.ColumnName;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.database.TableMetadata;
import dev.millrace.adapter.jdbc.polling.PositionQuery;
import dev.millrace.adapter.jdbc.polling.PositionQuery.Parameter;
import dev.millrace.adapter.jdbc.polling.SourceSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The instance properties of a source as set, and their validation. Not thread-safe. */
final class SourceProperties
{
    private static final int MAX_MILLIS = 3_600_000;
    private static final int MAX_ROWS = 1 << 24;
    private static final String ONCE = "once";
    private static final String FOLLOW = "follow";

    String table;
    String query;
    String positionColumn;
    String tieColumn;
    String columns;
    String timeColumn;
    String startAt = SourceSettings.BEGINNING;
    String mode = FOLLOW;
    int pollMillis = 1_000;
    int lagMillis = 1_000;
    int fetchSize = 1_000;
    int pollRows = 50_000;
    int retryMillis = 100;
    int maxRetryMillis = 5_000;
    int answerMillis = 30_000;
    String positionDirectory;
    private String qualifiedStage;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(final String application, final String stage)
    {
        qualifiedStage = application + '/' + stage;
        if (isBlank(table) == isBlank(query))
        {
            throw wrong(isBlank(table) ? "table" : "query", isBlank(table) ? null : query,
                "specify either table or query");
        }
        if (!isBlank(table) && !TableMetadata.isName(table))
        {
            throw wrong("table", table, "specify the table: words or quoted names, separated by dots");
        }
        if (isBlank(positionColumn))
        {
            throw wrong("positionColumn", null, "specify the column whose values increase");
        }
        if (isBlank(startAt))
        {
            throw wrong("startAt", startAt, "use beginning, end or a position");
        }
        if (!isBlank(query))
        {
            checkQuery();
        }
        final String chosen = mode.strip().toLowerCase(Locale.ROOT);
        if (!List.of(FOLLOW, ONCE).contains(chosen))
        {
            throw wrong("mode", mode, "use follow or once");
        }
        final List<ColumnName> read = checkColumns();
        checkRanges();
        return new SourceSettings(qualifiedStage, isBlank(table) ? null : table, isBlank(query) ? null : query,
            positionColumn.strip(), isBlank(tieColumn) ? null : tieColumn.strip(), read,
            isBlank(timeColumn) ? null : timeColumn.strip(), startAt, pollMillis, lagMillis, fetchSize, pollRows,
            chosen.equals(ONCE), retryMillis, maxRetryMillis, answerMillis, directory(application, stage));
    }

    private static boolean isBlank(final String text)
    {
        return text == null || text.isBlank();
    }

    private void checkQuery()
    {
        final PositionQuery parsed = PositionQuery.parse(query);
        if (!parsed.contains(Parameter.POSITION))
        {
            throw wrong("query", query, "compare the position column with the placeholder ? or :position, and order " +
                "the rows: select ... where id > ? order by id");
        }
        if (parsed.contains(Parameter.TIE) == isBlank(tieColumn))
        {
            throw wrong("query", query, isBlank(tieColumn) ? "specify tieColumn for the placeholder :tie" :
                "compare the tie column with the placeholder :tie: where p >= :position and (p > :position or t > " +
                ":tie) order by p, t");
        }
    }

    private List<ColumnName> checkColumns()
    {
        final List<ColumnName> read = ColumnName.parse(columns);
        if (read.stream().anyMatch(column -> column.property().isEmpty() || column.column().isEmpty()) ||
            read.stream().map(column -> column.property().toLowerCase(Locale.ROOT)).distinct().count() < read.size())
        {
            throw wrong("columns", columns, "list each property once: property, property=column");
        }
        return read;
    }

    private void checkRanges()
    {
        range("pollMillis", pollMillis, 1, MAX_MILLIS);
        range("lagMillis", lagMillis, 0, MAX_MILLIS);
        range("fetchSize", fetchSize, 1, MAX_ROWS);
        range("pollRows", pollRows, 1, MAX_ROWS);
        range("retryMillis", retryMillis, 1, MAX_MILLIS);
        range("maxRetryMillis", maxRetryMillis, retryMillis, MAX_MILLIS);
        range("answerMillis", answerMillis, 1, MAX_MILLIS);
    }

    private Path directory(final String application, final String stage)
    {
        if (!isBlank(positionDirectory))
        {
            return Path.of(positionDirectory.strip());
        }
        final String domain = System.getProperty(SinkProperties.DOMAIN);
        if (domain == null)
        {
            throw wrong("positionDirectory", null, "specify a directory for the positions of rows that were sent");
        }
        return Path.of(domain, "var", "positions", (application + '.' + stage).replaceAll("[^\\p{Alnum}._-]", "_"));
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
            "an instance property is missing" : "an instance property is invalid") + ", stage=" + qualifiedStage +
            " name=" + name + (value == null ? "" : " value=" + value), next));
    }
}
