package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.api.internal.Utf8Validator;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The records of an XML document: an element with the name of the event type, or an element with any other name whose
 * children are events. Values are child elements or attributes with the names of properties; prefixes and namespaces
 * are not compared. Confined to the thread of the source.
 */
final class XmlRecords implements Records
{
    private static final int MAX_DEPTH = 512;
    private static final int PART_CHARS = 1 << 12;
    /** Text before the cause in messages of the parser. */
    private static final String PREFIX = "Message: ";
    private static final Set<String> ENCODINGS = Set.of("UTF-8", "US-ASCII");
    private static final Set<String> TRUE = Set.of("true", "1");

    private enum State
    {
        /** The document was not opened. */
        BEGIN,
        /** After an event, or at the beginning of a list. */
        LIST,
        /** After the root element. */
        END,
        /** After the document, or after a problem that hides the rest. */
        DONE
    }

    private final HardenedXml parsers = new HardenedXml();
    private final RowWriter out;
    private final String typeName;
    private final boolean isMissingNull;
    private final int[] readColumns;
    private final CqlType[] types;
    private final Map<String, Integer> columns = new HashMap<>();
    private final boolean[] isPresent;
    private final XmlText text = new XmlText();
    private byte[] bytes;
    private int from;
    private int to;
    private XMLStreamReader reader;
    private State state = State.DONE;
    private int line;
    private RowProblem problem;

    /** @param columns to read, as {@link ColumnNames#of} returns them */
    XmlRecords(final RowWriter out, final EventType type, final int[] columns, final boolean isMissingNull)
    {
        this.out = out;
        this.isMissingNull = isMissingNull;
        typeName = type.name();
        types = type.properties().stream().map(property -> property.type()).toArray(CqlType[]::new);
        isPresent = new boolean[types.length];
        readColumns = IntStream.of(columns).filter(column -> column != ColumnNames.SKIPPED).toArray();
        for (final int column : readColumns)
        {
            this.columns.put(type.properties().get(column).name(), column);
        }
    }

    @Override
    public void begin(final byte[] body, final int size)
    {
        bytes = body;
        from = LineRecords.markLength(body, size);
        to = size;
        line = 1;
        state = State.BEGIN;
        text.shrink();
    }

    @Override
    public RowDecoder.Outcome next(final int row)
    {
        problem = null;
        if (state == State.BEGIN && Utf8Validator.length(bytes, from, to) == Utf8Validator.INVALID)
        {
            // Here, because the parser of Java also prints a message.
            state = State.DONE;
            problem = new RowProblem(RejectReason.INVALID_BYTES, "the document is not UTF-8, at=" + invalid());
            return RowDecoder.Outcome.REJECTED;
        }
        try
        {
            return switch (state)
            {
                case BEGIN -> root(row);
                case LIST -> following(row);
                case END -> rest();
                case DONE -> null;
            };
        }
        catch (final XMLStreamException e)
        {
            state = State.DONE;
            reader = null;
            problem = problem(e);
            return RowDecoder.Outcome.REJECTED;
        }
    }

    private RowDecoder.Outcome root(final int row) throws XMLStreamException
    {
        reader = parsers.reader(bytes, from, to);
        final String encoding = reader.getCharacterEncodingScheme();
        if (encoding != null && !ENCODINGS.contains(encoding.toUpperCase(Locale.ROOT)))
        {
            throw broken("the declared encoding is not UTF-8, encoding=" + encoding);
        }
        int event = advance();
        while (event != XMLStreamConstants.START_ELEMENT)
        {
            event = advance();
        }
        if (reader.getLocalName().equalsIgnoreCase(typeName))
        {
            state = State.END;
            return event(row);
        }
        state = State.LIST;
        return following(row);
    }

    /** The next event of a list. */
    private RowDecoder.Outcome following(final int row) throws XMLStreamException
    {
        while (true)
        {
            line = reader.getLocation().getLineNumber();
            final int event = advance();
            if (event == XMLStreamConstants.START_ELEMENT)
            {
                return event(row);
            }
            if (event == XMLStreamConstants.END_ELEMENT)
            {
                state = State.END;
                return rest();
            }
            if (isText(event) && !reader.isWhiteSpace())
            {
                throw broken("text between the elements of events");
            }
        }
    }

    /** Reads what follows the root element. */
    private RowDecoder.Outcome rest() throws XMLStreamException
    {
        while (reader.hasNext())
        {
            advance();
        }
        state = State.DONE;
        reader = null;
        return null;
    }

    private RowDecoder.Outcome event(final int row) throws XMLStreamException
    {
        out.begin(row);
        Arrays.fill(isPresent, false);
        attributes(row);
        int event = advance();
        while (event != XMLStreamConstants.END_ELEMENT)
        {
            if (event == XMLStreamConstants.START_ELEMENT)
            {
                property(row);
            }
            else if (isText(event) && !reader.isWhiteSpace() && problem == null)
            {
                problem = RowProblem.brokenXml("text outside of the elements of properties" + position());
            }
            event = advance();
        }
        addMissing(row);
        return problem == null ? RowDecoder.Outcome.ROW : RowDecoder.Outcome.REJECTED;
    }

    private void attributes(final int row)
    {
        for (int i = 0; i < reader.getAttributeCount(); i++)
        {
            final Integer column =
                isEmpty(reader.getAttributeNamespace(i)) ? columns.get(reader.getAttributeLocalName(i)) : null;
            if (column != null)
            {
                text.clear();
                text.append(reader.getAttributeValue(i));
                if (isFirst(column))
                {
                    value(column, row);
                }
            }
        }
    }

    private static boolean isEmpty(final String namespace)
    {
        return namespace == null || namespace.isEmpty();
    }

    private void property(final int row) throws XMLStreamException
    {
        final Integer column = columns.get(reader.getLocalName());
        if (column == null)
        {
            skip();
            return;
        }
        final String nil = reader.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
        final boolean isNull = nil != null && TRUE.contains(nil.strip());
        boolean isNested = false;
        text.clear();
        int event = advance();
        while (event != XMLStreamConstants.END_ELEMENT)
        {
            if (event == XMLStreamConstants.START_ELEMENT)
            {
                isNested = true;
                skip();
            }
            else if (isText(event))
            {
                text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
            }
            event = advance();
        }
        if (!isFirst(column))
        {
            return;
        }
        if (isNested)
        {
            refuse(RejectReason.NESTED_VALUE, name(column));
        }
        else if (isNull)
        {
            setNull(column, row);
        }
        else
        {
            value(column, row);
        }
    }

    /** Skips the content of an element that no column reads. */
    private void skip() throws XMLStreamException
    {
        int depth = 1;
        while (depth > 0)
        {
            final int event = advance();
            depth += event == XMLStreamConstants.START_ELEMENT ? 1 : event == XMLStreamConstants.END_ELEMENT ? -1 : 0;
            if (depth > MAX_DEPTH)
            {
                throw broken("elements are nested deeper than " + MAX_DEPTH);
            }
        }
    }

    private boolean isFirst(final int column)
    {
        if (isPresent[column])
        {
            refuse(RejectReason.EXCESS_FIELD, "the value occurs twice, " + name(column));
            return false;
        }
        isPresent[column] = true;
        return true;
    }

    /** A value that is null must be empty. */
    private void setNull(final int column, final int row)
    {
        if (text.encode(true) && text.length() == 0)
        {
            out.setNull(column, row);
        }
        else
        {
            refuse(RejectReason.WRONG_TYPE, "an element that is nil has a value, " + name(column));
        }
    }

    private void value(final int column, final int row)
    {
        final boolean isText = types[column] == CqlType.CHAR;
        if (!text.encode(!isText))
        {
            refuse(RejectReason.INVALID_BYTES, name(column));
        }
        else if (text.length() == 0 && isText)
        {
            out.setNull(column, row);
        }
        else
        {
            final RejectReason why = text.length() == 0 ? RejectReason.WRONG_TYPE :
                out.put(column, row, text.bytes(), 0, text.length());
            if (why != null)
            {
                refuse(why, out.describe(column, text.bytes(), 0, text.length()));
            }
        }
    }

    private void addMissing(final int row)
    {
        for (final int column : readColumns)
        {
            if (!isPresent[column] && isMissingNull)
            {
                out.setNull(column, row);
            }
            else if (!isPresent[column])
            {
                refuse(RejectReason.MISSING_FIELD, name(column));
            }
        }
    }

    private String name(final int column)
    {
        return "column=" + out.property(column).name();
    }

    /** The first problem of a row is reported. */
    private void refuse(final RejectReason why, final String detail)
    {
        if (problem == null)
        {
            problem = new RowProblem(why, detail + position());
        }
    }

    /** Where the parser is: in an element, after its attributes, or after its content. */
    private String position()
    {
        final Location location = reader.getLocation();
        return (reader.hasName() ? " element=" + reader.getLocalName() : "") + " at=" + location.getLineNumber() + ':' +
            location.getColumnNumber();
    }

    private int advance() throws XMLStreamException
    {
        final int event = nextEvent();
        if (event == XMLStreamConstants.DTD)
        {
            throw broken("a DOCTYPE is not permitted");
        }
        if (event == XMLStreamConstants.ENTITY_REFERENCE)
        {
            throw broken("an entity is not defined, entity=" + reader.getLocalName());
        }
        return event;
    }

    private int nextEvent() throws XMLStreamException
    {
        try
        {
            return reader.next();
        }
        catch (final RuntimeException e)
        {
            // The parser of Java throws it for some documents that are not well-formed.
            throw broken("the document cannot be parsed: " + e.getClass().getSimpleName());
        }
    }

    private static boolean isText(final int event)
    {
        return event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA ||
            event == XMLStreamConstants.SPACE;
    }

    private XMLStreamException broken(final String detail)
    {
        return new XMLStreamException(detail, reader.getLocation());
    }

    /** The records after this position cannot be found. */
    private static RowProblem problem(final XMLStreamException e)
    {
        final String message = String.valueOf(e.getMessage());
        final int at = message.lastIndexOf(PREFIX);
        final byte[] plain = message.substring(at < 0 ? 0 : at + PREFIX.length()).getBytes(StandardCharsets.UTF_8);
        final Location location = e.getLocation();
        final String detail = RowWriter.excerpt(plain, 0, plain.length) +
            (location == null ? "" : " at=" + location.getLineNumber() + ':' + location.getColumnNumber());
        return RowProblem.brokenXml(detail);
    }

    /** Line and column of the first byte that is not valid. */
    private String invalid()
    {
        final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        final ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
        final CharBuffer chars = CharBuffer.allocate(PART_CHARS);
        int lines = 1;
        int column = 1;
        CoderResult result = CoderResult.OVERFLOW;
        while (result.isOverflow())
        {
            result = decoder.decode(in, chars.clear(), true);
            for (int i = 0; i < chars.position(); i++)
            {
                final boolean isEnd = chars.get(i) == '\n';
                lines += isEnd ? 1 : 0;
                column = isEnd ? 1 : column + 1;
            }
        }
        return lines + ":" + column;
    }

    @Override
    public RowProblem problem()
    {
        return problem;
    }

    @Override
    public int line()
    {
        return line;
    }
}
