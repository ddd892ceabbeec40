package dev.millrace.cql.language;

import org.apache.calcite.sql.parser.SqlParserPos;

/** Cuts the line of a problem out of a text and puts carets under the place. */
final class Excerpts
{
    private static final int MAX_LINE_CHARS = 120;

    private Excerpts()
    {
    }

    static String of(final String text, final SqlParserPos place)
    {
        final String[] lines = text.split("\r\n|\r|\n", -1);
        final int index = Math.min(place.getLineNum(), lines.length) - 1;
        final String line = lines[Math.max(0, index)];
        final int start = place.getColumnNum() - 1;
        final int end = place.getEndLineNum() > place.getLineNum() ? line.length() : place.getEndColumnNum();
        return underline(line, Math.max(0, start), end);
    }

    static String ofAttribute(final String attribute, final String value, final int start, final int end)
    {
        final String before = attribute + "=\"";
        return underline(before + value + '"', before.length() + start - 1, before.length() + end);
    }

    private static String underline(final String line, final int start, final int end)
    {
        final int from = start < MAX_LINE_CHARS * 2 / 3 ? 0 : start - MAX_LINE_CHARS / 3;
        final int to = Math.min(line.length(), from + MAX_LINE_CHARS);
        final StringBuilder shown = new StringBuilder(line.substring(Math.min(from, line.length()), to)).append('\n');
        for (int i = from; i < start; i++)
        {
            shown.append(i < line.length() && line.charAt(i) == '\t' ? '\t' : ' ');
        }
        final int stop = Math.max(start + 1, Math.min(end, Math.max(to, start + 1)));
        for (int i = start; i < stop; i++)
        {
            shown.append('^');
        }
        return shown.toString();
    }
}
