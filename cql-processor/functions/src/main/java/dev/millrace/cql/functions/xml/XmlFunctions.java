package dev.millrace.cql.functions.xml;

import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.function.Values;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * XML functions. A value of type xmltype is passed as its source text; for parameters of any type it is passed as an
 * {@link XmlValue}, which distinguishes it from a string, which is escaped.
 *
 * <p>Stateless. Failure: rows are rejected.
 */
public final class XmlFunctions
{
    private static final Pattern NAME =
        Pattern.compile("[\\p{L}_][\\p{L}\\p{M}\\p{N}._\\-]*(:[\\p{L}_][\\p{L}\\p{M}\\p{N}._\\-]*)?");
    private static final int INVALID = -1;

    private XmlFunctions()
    {
    }

    /** A value of type xmltype for a parameter of any type. */
    public static Object node(final String xml)
    {
        return xml == null ? null : new XmlValue(xml);
    }

    /** A comment. */
    public static String xmlcomment(final String text)
    {
        FunctionErrors.need(!text.contains("--") && !text.endsWith("-"), "xmlcomment",
            "a string with -- or with - at its end");
        checkCharacters("xmlcomment", text);
        return FunctionErrors.text("xmlcomment", "<!--" + text + "-->");
    }

    /** Concatenation of XML values. */
    public static String xmlconcat(final String... values)
    {
        final StringBuilder all = new StringBuilder();
        for (final String value : values)
        {
            append("xmlconcat", all, value == null ? "" : XmlTexts.withoutDeclaration(value));
        }
        return FunctionErrors.text("xmlconcat", all);
    }

    /** An element; attributes as returned by {@link #xmlattributes}. */
    public static String xmlelement(final String name, final String attributes, final Object... contents)
    {
        final StringBuilder element = new StringBuilder();
        open(element, "xmlelement", name);
        append("xmlelement", element, attributes == null ? "" : attributes);
        element.append('>');
        for (final Object content : contents)
        {
            append("xmlelement", element, content == null ? "" : markup("xmlelement", content));
        }
        return FunctionErrors.text("xmlelement", element.append("</").append(name).append('>'));
    }

    /** Attributes: values, each with its name. */
    public static String xmlattributes(final Object... values)
    {
        final StringBuilder all = new StringBuilder();
        for (int i = 0; i + 1 < values.length; i += 2)
        {
            if (values[i] != null)
            {
                final String name = name("xmlattributes", values[i + 1]);
                append("xmlattributes", all, ' ' + name + "=\"" + attribute(values[i]) + '"');
            }
        }
        return FunctionErrors.text("xmlattributes", all);
    }

    private static String attribute(final Object value)
    {
        final String text = value instanceof XmlValue xml ? xml.text() : plain(value);
        return escaped("xmlattributes", text).replace("\"", "&quot;").replace("\n", "&#10;").replace("\t", "&#9;");
    }

    /** An element for each value that is not null. */
    public static String xmlforest(final Object... values)
    {
        final StringBuilder all = new StringBuilder();
        for (int i = 0; i + 1 < values.length; i += 2)
        {
            if (values[i] != null)
            {
                open(all, "xmlforest", values[i + 1]);
                append("xmlforest", all, '>' + markup("xmlforest", values[i]) + "</" + values[i + 1] + '>');
            }
        }
        return FunctionErrors.text("xmlforest", all);
    }

    /** An element "column" for each value that is not null. */
    public static String xmlcolattval(final Object... values)
    {
        final StringBuilder all = new StringBuilder();
        for (int i = 0; i + 1 < values.length; i += 2)
        {
            if (values[i] != null)
            {
                append("xmlcolattval", all, "<column name=\"" + attribute(values[i + 1]) + "\">" +
                    markup("xmlcolattval", values[i]) + "</column>");
            }
        }
        return FunctionErrors.text("xmlcolattval", all);
    }

    /** Parses a string as XML. */
    public static String xmlparse(final String kind, final String text, final boolean isWellFormed)
    {
        final String xml = XmlTexts.withoutDeclaration(text);
        if (!isWellFormed)
        {
            XmlTexts.check(xml, kind.equals("document"));
        }
        return FunctionErrors.text("xmlparse", xml);
    }

    /** Whether a query returns at least one item. */
    public static boolean xmlexists(final String query, final Object... passed)
    {
        return XmlItems.exist(query, passed);
    }

    /** The result of a query; null if it is empty. */
    public static String xmlquery(final String query, final Object... passed)
    {
        return XmlItems.found(query, passed);
    }

    private static void open(final StringBuilder text, final String function, final Object name)
    {
        append(function, text, '<' + name(function, name));
    }

    private static String name(final String function, final Object name)
    {
        final String text = String.valueOf(name);
        if (!(text.length() <= 1000 && NAME.matcher(text).matches()))
        {
            throw FunctionErrors.domain(function,
                "a name that XML does not allow, name=" + text.substring(0, Math.min(100, text.length())));
        }
        return text;
    }

    /** A value as content of an element. */
    private static String markup(final String function, final Object value)
    {
        return value instanceof XmlValue xml ? XmlTexts.withoutDeclaration(xml.text()) :
            escaped(function, plain(value));
    }

    private static String plain(final Object value)
    {
        return value instanceof byte[] bytes ? Values.text(bytes) :
            value instanceof BigDecimal number ? Values.text(number) : value.toString();
    }

    private static String escaped(final String function, final String text)
    {
        checkCharacters(function, text);
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;");
    }

    private static void checkCharacters(final String function, final String text)
    {
        FunctionErrors.need(text.codePoints().filter(each -> !isCharacter(each)).findFirst().orElse(INVALID) == INVALID,
            function, "a character that XML does not allow");
    }

    private static boolean isCharacter(final int point)
    {
        return point >= 0x20 && point < 0xd800 || point >= 0xe000 && point < 0xfffe || point >= 0x10000 ||
            point == '\t' || point == '\n' || point == '\r';
    }

    private static void append(final String function, final StringBuilder text, final String more)
    {
        if (text.length() + more.length() > FunctionErrors.MAX_LENGTH)
        {
            throw FunctionErrors.domain(function, "a string of more than " + FunctionErrors.MAX_LENGTH + " characters");
        }
        text.append(more);
    }
}
