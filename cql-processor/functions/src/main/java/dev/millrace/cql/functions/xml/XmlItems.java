package dev.millrace.cql.functions.xml;

import dev.millrace.cql.runtime.function.FunctionErrors;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.sf.saxon.s9api.ItemType;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.Serializer;
import net.sf.saxon.s9api.XdmAtomicValue;
import net.sf.saxon.s9api.XdmEmptySequence;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XdmNodeKind;
import net.sf.saxon.s9api.XdmValue;

/** Converts CQL values to XQuery items and back. Stateless. */
final class XmlItems
{
    private static final String CONTEXT = ".";

    /** Values passed to a query. */
    record Passed(XdmItem context, XdmValue[] values)
    {
    }

    private XmlItems()
    {
    }

    /**
     * Whether a query returns at least one item.
     *
     * @param query  XQuery text
     * @param passed values, each with its name; {@code .} names the context item
     * @return true for at least one item
     */
    static boolean exist(final String query, final Object... passed)
    {
        return !items(query, passed).isEmpty();
    }

    /**
     * The result of a query.
     *
     * @param query  XQuery text
     * @param passed values, each with its name; {@code .} names the context item
     * @return XML; {@code null} if the result is empty
     */
    static String found(final String query, final Object... passed)
    {
        return text(items(query, passed));
    }

    private static List<XdmItem> items(final String query, final Object... passed)
    {
        final List<String> names = new ArrayList<>();
        final List<Object> values = new ArrayList<>();
        for (int i = 0; i + 1 < passed.length; i += 2)
        {
            values.add(passed[i]);
            names.add((String) passed[i + 1]);
        }
        return EvaluationBudget.within(() ->
        {
            final Passed given = passed(names, values.toArray());
            if (given.context == null && names.contains(CONTEXT))
            {
                return List.of();
            }
            return XQuery.of(query, List.of(), variables(names)).items(given.context, given.values);
        });
    }

    /** The names among these that are variables. */
    static List<String> variables(final List<String> names)
    {
        return names.stream().filter(name -> !name.equals(CONTEXT)).toList();
    }

    /** Converts values for a query. */
    static Passed passed(final List<String> names, final Object[] values)
    {
        XdmItem context = null;
        final List<XdmValue> variables = new ArrayList<>();
        for (int i = 0; i < names.size(); i++)
        {
            if (!names.get(i).equals(CONTEXT))
            {
                variables.add(values[i] == null ? XdmEmptySequence.getInstance() : item(values[i]));
            }
            else if (values[i] != null)
            {
                // As context item, a string is parsed as XML.
                context = values[i] instanceof String text ? XmlTexts.tree(text) : item(values[i]);
            }
        }
        return new Passed(context, variables.toArray(new XdmValue[0]));
    }

    private static XdmItem item(final Object value)
    {
        if (value instanceof XmlValue xml)
        {
            return XmlTexts.tree(xml.text());
        }
        if (value instanceof Integer || value instanceof Long)
        {
            return new XdmAtomicValue(((Number) value).longValue());
        }
        if (value instanceof Float number)
        {
            return new XdmAtomicValue(number);
        }
        if (value instanceof Double number)
        {
            return new XdmAtomicValue(number);
        }
        if (value instanceof BigDecimal number)
        {
            return new XdmAtomicValue(number);
        }
        if (value instanceof Boolean flag)
        {
            return new XdmAtomicValue(flag);
        }
        try
        {
            return value instanceof byte[] bytes ?
                new XdmAtomicValue(HexFormat.of().formatHex(bytes), ItemType.HEX_BINARY) :
                new XdmAtomicValue(value.toString());
        }
        catch (final SaxonApiException failure)
        {
            throw XmlErrors.failure(failure.getMessage());
        }
    }

    /** Items as XML; {@code null} if there are no items. */
    static String text(final List<XdmItem> items)
    {
        if (items.isEmpty())
        {
            return null;
        }
        final Bounded text = new Bounded();
        boolean wasAtomic = false;
        for (final XdmItem item : items)
        {
            final boolean isAtomic = !(item instanceof XdmNode);
            if (isAtomic && wasAtomic)
            {
                text.write(" ", 0, 1);
            }
            wasAtomic = isAtomic;
            append(text, item);
        }
        return text.toString().isEmpty() ? null : text.toString();
    }

    private static void append(final Bounded text, final XdmItem item)
    {
        if (item instanceof XdmNode node && node.getNodeKind() != XdmNodeKind.ATTRIBUTE &&
            node.getNodeKind() != XdmNodeKind.NAMESPACE)
        {
            serialize(text, node);
            return;
        }
        final String value = string(item);
        final String escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        text.write(escaped, 0, escaped.length());
    }

    private static void serialize(final Bounded text, final XdmNode node)
    {
        final Serializer serializer = XQuery.PROCESSOR.newSerializer(text);
        serializer.setOutputProperty(Serializer.Property.METHOD, "xml");
        serializer.setOutputProperty(Serializer.Property.OMIT_XML_DECLARATION, "yes");
        serializer.setOutputProperty(Serializer.Property.INDENT, "no");
        try
        {
            serializer.serializeNode(node);
        }
        catch (final SaxonApiException failure)
        {
            throw XmlErrors.failure(failure.getMessage());
        }
    }

    /** The string value of an item. */
    static String string(final XdmItem item)
    {
        try
        {
            return item.getStringValue();
        }
        // Saxon throws unchecked exceptions of several classes.
        catch (final RuntimeException noValue)
        {
            throw XmlErrors.failure("a function, map or array is not a value");
        }
    }

    /** A writer that limits the length to that of an XML value. */
    private static final class Bounded extends Writer
    {
        private final StringWriter text = new StringWriter();

        @Override
        public void write(final char[] characters, final int offset, final int length) throws IOException
        {
            write(new String(characters, offset, length), 0, length);
        }

        @Override
        public void write(final String more, final int offset, final int length)
        {
            if (text.getBuffer().length() + length > FunctionErrors.MAX_LENGTH)
            {
                throw XmlErrors.failure("a result of more than " + FunctionErrors.MAX_LENGTH + " characters");
            }
            text.write(more, offset, length);
        }

        @Override
        public void flush()
        {
        }

        @Override
        public void close()
        {
        }

        @Override
        public String toString()
        {
            return text.toString();
        }
    }
}
