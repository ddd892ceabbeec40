package dev.millrace.assembly.xml;

import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Helper methods for DOM elements. */
public final class Elements
{
    private Elements()
    {
    }

    /**
     * Returns the element children.
     *
     * @param parent element
     * @return in order
     */
    public static List<Element> children(final Element parent)
    {
        final List<Element> out = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof Element element)
            {
                out.add(element);
            }
        }
        return out;
    }

    /**
     * Returns the element children of one name.
     *
     * @param parent    element
     * @param localName name
     * @return in order
     */
    public static List<Element> children(final Element parent, final String localName)
    {
        return children(parent).stream().filter(child -> localName.equals(child.getLocalName())).toList();
    }

    /**
     * Returns an attribute.
     *
     * @param element element
     * @param name    name
     * @return stripped value and its position, or {@code null} if missing
     */
    public static Located attribute(final Element element, final String name)
    {
        return element.hasAttribute(name) ?
            strip(new Located(element.getAttribute(name), XmlPositions.ofValue(element, name))) : null;
    }

    /**
     * Returns the text of an element.
     *
     * @param element element without element children
     * @return stripped text and the position of its first character
     */
    public static Located text(final Element element)
    {
        return strip(XmlPositions.text(element));
    }

    private static Located strip(final Located located)
    {
        final String stripped = located.value().stripLeading();
        return new Located(stripped.strip(), forward(located, located.value().length() - stripped.length()));
    }

    /**
     * Splits a list of names, separated by commas or blanks.
     *
     * @param list value
     * @return names with their positions; exact if the list is on one line
     */
    public static List<Located> names(final Located list)
    {
        final List<Located> out = new ArrayList<>();
        final String text = list.value();
        int at = 0;
        while (at < text.length())
        {
            int end = at;
            while (end < text.length() && !isSeparator(text.charAt(end)))
            {
                end++;
            }
            if (end > at)
            {
                out.add(new Located(text.substring(at, end), forward(list, at)));
            }
            at = end + 1;
        }
        return out;
    }

    private static SourcePosition forward(final Located list, final int chars)
    {
        final var start = list.position();
        final String before = list.value().substring(0, chars);
        final int lastLine = before.lastIndexOf('\n');
        final int lines = (int)before.chars().filter(c -> c == '\n').count();
        return start.line() == 0 ? start : new SourcePosition(start.file(),
            start.line() + lines, lines == 0 ? start.column() + chars : chars - lastLine);
    }

    private static boolean isSeparator(final char c)
    {
        return c == ',' || Character.isWhitespace(c);
    }
}
