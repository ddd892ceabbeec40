package dev.millrace.assembly.xml;

import dev.millrace.network.definition.SourcePosition;
import java.util.Arrays;

/** The content of a file with its line ends, so that messages can include the position and the line. Immutable. */
public final class SourceText
{
    private static final int MAX_EXCERPT_CHARS = 120;
    private static final String INDENT = "    ";

    private final String name;
    private final String text;
    private final int[] lineStarts;

    /**
     * Creates the content of a file.
     *
     * @param name name of the file as the user knows it
     * @param text content
     */
    public SourceText(final String name, final String text)
    {
        this.name = name;
        this.text = text;
        int[] starts = new int[64];
        int lines = 1;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (c == '\n' || c == '\r')
            {
                if (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n')
                {
                    i++;
                }
                if (lines == starts.length)
                {
                    starts = Arrays.copyOf(starts, lines * 2);
                }
                starts[lines++] = i + 1;
            }
        }
        lineStarts = Arrays.copyOf(starts, lines);
    }

    /**
     * Returns the name of the file.
     *
     * @return name as given
     */
    public String name()
    {
        return name;
    }

    /**
     * Returns the whole content.
     *
     * @return content as given
     */
    public String text()
    {
        return text;
    }

    /**
     * Returns the position of a character.
     *
     * @param offset index of the character from 0
     * @return file, line and column
     */
    public SourcePosition position(final int offset)
    {
        final int found = Arrays.binarySearch(lineStarts, offset);
        final int line = found >= 0 ? found : -found - 2;
        return new SourcePosition(name, line + 1, offset - lineStarts[line] + 1);
    }

    /**
     * Returns the line of a position with a caret below it.
     *
     * @param position position in this file
     * @return two lines, or an empty string when the position is not in the file
     */
    public String excerpt(final SourcePosition position)
    {
        if (position.line() < 1 || position.line() > lineStarts.length)
        {
            return "";
        }
        final int start = lineStarts[position.line() - 1];
        int end = position.line() < lineStarts.length ? lineStarts[position.line()] : text.length();
        while (end > start && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r'))
        {
            end--;
        }
        final int caret = Math.min(start + Math.max(position.column(), 1) - 1, end);
        final int from = Math.max(start, caret - MAX_EXCERPT_CHARS / 2);
        final int to = Math.min(end, from + MAX_EXCERPT_CHARS);
        final StringBuilder out = new StringBuilder(2 * MAX_EXCERPT_CHARS);
        out.append(INDENT);
        for (int i = from; i < to; i++)
        {
            final char c = text.charAt(i);
            out.append(Character.isISOControl(c) ? ' ' : c);
        }
        return out.append('\n').append(INDENT).append(" ".repeat(caret - from)).append('^').toString();
    }
}
