package dev.millrace.assembly.xml;

import dev.millrace.network.definition.RulePositions.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * Scans the content of an element in the file and records the starts of the runs of its text: after character
 * references, after comments, and at both ends of CDATA sections. Used for one element; not thread-safe.
 */
final class TextPositionMap
{
    private static final String CDATA_START = "<![CDATA[";
    private static final String CDATA_END = "]]>";

    private final SourceText source;
    private final String text;
    private final StringBuilder content = new StringBuilder();
    private final List<int[]> starts = new ArrayList<>();
    private int at;

    /**
     * Starts after a start tag.
     *
     * @param source file
     * @param at     offset of the first character of the content
     */
    TextPositionMap(final SourceText source, final int at)
    {
        this.source = source;
        this.at = at;
        text = source.text();
    }

    /**
     * Returns the runs of a part of the content.
     *
     * @param value text of the element, possibly stripped
     * @return runs; the first one begins with the value
     */
    List<Run> of(final String value)
    {
        scan();
        final int skipped = Math.max(0, content.indexOf(value));
        final List<Run> runs = new ArrayList<>();
        int[] before = starts.get(0);
        for (final int[] start : starts)
        {
            if (start[0] > skipped)
            {
                first(runs, before, skipped);
                runs.add(new Run(start[0] - skipped, source.position(start[1])));
            }
            before = start;
        }
        first(runs, before, skipped);
        return runs;
    }

    private void first(final List<Run> runs, final int[] start, final int skipped)
    {
        if (runs.isEmpty())
        {
            runs.add(new Run(0, source.position(offset(start, skipped))));
        }
    }

    /** Offset in the file of a character of a run: line ends of two characters are one character in the content. */
    private int offset(final int[] start, final int index)
    {
        int found = start[1];
        for (int i = start[0]; i < index; i++)
        {
            found += text.startsWith("\r\n", found) ? 2 : 1;
        }
        return found;
    }

    private void scan()
    {
        begin();
        while (at < text.length())
        {
            if (text.startsWith("<!--", at))
            {
                skip("-->");
            }
            else if (text.startsWith("<?", at))
            {
                skip("?>");
            }
            else if (text.startsWith(CDATA_START, at))
            {
                at += CDATA_START.length();
                begin();
                final int end = Math.max(at, text.indexOf(CDATA_END, at));
                while (at < end)
                {
                    take();
                }
                at += CDATA_END.length();
                begin();
            }
            else if (text.charAt(at) == '<')
            {
                return;
            }
            else if (text.charAt(at) == '&')
            {
                reference();
            }
            else
            {
                take();
            }
        }
    }

    private void begin()
    {
        starts.add(new int[] {content.length(), at});
    }

    private void skip(final String end)
    {
        final int found = text.indexOf(end, at);
        at = found < 0 ? text.length() : found + end.length();
        begin();
    }

    private void take()
    {
        if (text.charAt(at) == '\r')
        {
            at += text.startsWith("\r\n", at) ? 2 : 1;
            content.append('\n');
            return;
        }
        content.append(text.charAt(at++));
    }

    private void reference()
    {
        final int end = text.indexOf(';', at);
        final String name = text.substring(at + 1, Math.max(at + 1, end));
        content.appendCodePoint(switch (name)
        {
            case "lt" -> '<';
            case "gt" -> '>';
            case "amp" -> '&';
            case "apos" -> '\'';
            case "quot" -> '"';
            default -> name.startsWith("#x") ? Integer.parseInt(name.substring(2), 16) :
                Integer.parseInt(name.substring(1));
        });
        at = end + 1;
        begin();
    }
}
