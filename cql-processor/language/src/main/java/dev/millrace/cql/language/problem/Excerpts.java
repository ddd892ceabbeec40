package dev.millrace.cql.language.problem;

import java.util.Set;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Extracts the line of a problem from a text and adds carets under the position, as wide as its characters in a
 * terminal.
 */
final class Excerpts
{
    private static final int MAX_LINE_CHARS = 120;
    private static final int FIRST_WITHOUT_ONE_CELL = 0x300;
    private static final int CJK_SIGNS = 0x3000;
    private static final int LAST_CJK_SIGN = 0x303E;
    private static final int FULL_WIDTH = 0xFF01;
    private static final int LAST_FULL_WIDTH = 0xFF60;
    private static final int FIRST_PICTURE = 0x1F300;
    private static final int LAST_PICTURE = 0x1FAFF;
    private static final Set<Character.UnicodeScript> WIDE = Set.of(Character.UnicodeScript.HIRAGANA,
        Character.UnicodeScript.KATAKANA, Character.UnicodeScript.HANGUL, Character.UnicodeScript.BOPOMOFO);

    private Excerpts()
    {
    }

    static String of(final String text, final SqlParserPos position)
    {
        final String[] lines = text.split("\r\n|\r|\n", -1);
        final int index = Math.min(position.getLineNum(), lines.length) - 1;
        final String line = lines[Math.max(0, index)];
        final int start = position.getColumnNum() - 1;
        final int end = position.getEndLineNum() > position.getLineNum() ? line.length() : position.getEndColumnNum();
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
        final int stop = Math.max(start + 1, Math.min(end, Math.max(to, start + 1)));
        for (int i = from; i < stop;)
        {
            final int c = i < line.length() ? line.codePointAt(i) : ' ';
            shown.append(i < start ? (c == '\t' ? "\t" : " ".repeat(cells(c))) : "^".repeat(Math.max(1, cells(c))));
            i += Character.charCount(c);
        }
        return shown.toString();
    }

    /** Number of terminal cells that a character occupies. */
    private static int cells(final int c)
    {
        if (c < FIRST_WITHOUT_ONE_CELL)
        {
            return 1;
        }
        return switch (Character.getType(c))
        {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> Character.isIdeographic(c) || WIDE.contains(Character.UnicodeScript.of(c)) ||
                c >= FULL_WIDTH && c <= LAST_FULL_WIDTH || c >= FIRST_PICTURE && c <= LAST_PICTURE ||
                c >= CJK_SIGNS && c <= LAST_CJK_SIGN ? 2 : 1;
        };
    }
}
