package dev.millrace.cql.language.semantic;

import org.apache.calcite.sql.parser.SqlParserPos;

/** Extracts parts of a statement by position. */
final class SourceSlices
{
    private static final int MAX_CHARS = 60;

    private SourceSlices()
    {
    }

    static String cut(final String text, final SqlParserPos position)
    {
        final String[] lines = text.split("\r\n|\r|\n", -1);
        final StringBuilder cut = new StringBuilder();
        for (int line = position.getLineNum(); line <= position.getEndLineNum() && line <= lines.length; line++)
        {
            if (line < 1)
            {
                continue;
            }
            final String whole = lines[line - 1];
            final int from = line == position.getLineNum() ? position.getColumnNum() - 1 : 0;
            final int to = line == position.getEndLineNum() ? position.getEndColumnNum() : whole.length();
            cut.append(whole, Math.min(from, whole.length()), Math.min(Math.max(from, to), whole.length())).append(' ');
        }
        final String shown = cut.toString().strip().replaceAll("\\s+", " ");
        return shown.length() <= MAX_CHARS ? shown : shown.substring(0, MAX_CHARS) + "...";
    }
}
