package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** An XML element for each row, with the name of the event type. Immutable. */
final class XmlFormat implements RowFormat
{
    /** Declaration of the prefix of elements that are null. */
    private static final String NAMESPACE = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";

    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}._-]*");
    private static final String LIST = "List";
    private static final Set<CqlType> TEXTS = EnumSet.of(CqlType.CHAR, CqlType.OBJECT, CqlType.XMLTYPE);

    private final boolean isDocument;

    /** @param isDocument whether each row is a document; otherwise rows are between {@link #begin} and {@link #end} */
    XmlFormat(final boolean isDocument)
    {
        this.isDocument = isDocument;
    }

    /** Whether a name can be that of an element. */
    static boolean isName(final String name)
    {
        return NAME.matcher(name).matches();
    }

    /** The beginning of a document with several rows. */
    static void begin(final EventType type, final StringBuilder to)
    {
        to.append('<').append(type.name()).append(LIST).append(NAMESPACE).append(">\n");
    }

    /** The end of a document with several rows. */
    static void end(final EventType type, final StringBuilder to)
    {
        to.append("</").append(type.name()).append(LIST).append(">\n");
    }

    @Override
    public String header(final FormatSettings settings, final List<String> columns)
    {
        return null;
    }

    @Override
    public void append(final FormatSettings settings, final List<String> names, final int[] columns,
        final EventBatch rows, final int row, final StringBuilder to)
    {
        final String element = rows.schema().type().name();
        to.append('<').append(element).append(isDocument ? NAMESPACE : "").append('>');
        if (settings.timeColumn() != null)
        {
            value(settings.timeColumn(), RowFormat.time(rows.timestampNs(row)), to);
        }
        if (settings.kindColumn() != null)
        {
            value(settings.kindColumn(), KINDS.get(rows.kind(row)), to);
        }
        for (int i = 0; i < columns.length; i++)
        {
            if (rows.isNull(columns[i], row))
            {
                to.append('<').append(names.get(i)).append(" xsi:nil=\"true\"/>");
            }
            else
            {
                value(names.get(i), RowFormat.text(rows, columns[i], row), to);
            }
        }
        to.append("</").append(element).append(">\n");
    }

    private static void value(final String name, final String text, final StringBuilder to)
    {
        to.append('<').append(name).append('>');
        for (int i = 0; i < text.length(); i++)
        {
            final char each = text.charAt(i);
            switch (each)
            {
                case '&' -> to.append("&amp;");
                case '<' -> to.append("&lt;");
                case '>' -> to.append("&gt;");
                // Parsers replace others by line feeds.
                case '\r' -> to.append("&#13;");
                default -> to.append(each);
            }
        }
        to.append("</").append(name).append('>');
    }

    /**
     * Finds a text with characters that XML cannot contain, such as control characters.
     *
     * @return column of it; -1 for none
     */
    static int unwritable(final EventBatch rows, final int[] columns, final int row)
    {
        for (final int column : columns)
        {
            if (TEXTS.contains(rows.schema().type().properties().get(column).type()) && !rows.isNull(column, row) &&
                RowFormat.text(rows, column, row).chars().anyMatch(XmlFormat::isUnwritable))
            {
                return column;
            }
        }
        return -1;
    }

    private static boolean isUnwritable(final int each)
    {
        return each < ' ' && each != '\t' && each != '\n' && each != '\r' || each >= 0xFFFE;
    }
}
