package dev.millrace.adapter.common.encode;

import java.util.List;

/**
 * How rows are written as lines. Immutable.
 *
 * @param columns    names of the properties to write; {@code null} for all
 * @param header     whether CSV begins with the names of the columns
 * @param separator  between values of CSV
 * @param timeColumn name of a column for the time of rows; {@code null} for none
 * @param kindColumn name of a column for the kind of rows; {@code null} for none
 */
public record FormatSettings(List<String> columns, boolean header, char separator, String timeColumn, String kindColumn)
{
}
