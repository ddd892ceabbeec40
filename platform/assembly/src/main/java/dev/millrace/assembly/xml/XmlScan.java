package dev.millrace.assembly.xml;

import java.util.Arrays;

/**
 * One pass over a document before the parser reads it: refuses DOCTYPE, enforces the limits and records the start of
 * each start tag. It does not check well-formedness; the scan ends where the document is not XML, and the parser
 * reports the error.
 */
final class XmlScan
{
    /** Maximum nesting of elements. */
    static final int MAX_DEPTH = 64;
    /** Maximum number of attributes of an element. */
    static final int MAX_ATTRIBUTES = 64;
    /** Maximum length of an attribute's value. */
    static final int MAX_ATTRIBUTE_CHARS = 32_768;
    /** Maximum number of elements of a document. */
    static final int MAX_ELEMENTS = 10_000;

    /** Offset of the {@code <} of each start tag in document order. */
    final int[] tagOffsets;
    /** Code of the first limit that was exceeded, or {@code null}. */
    final XmlErrorCode refusal;
    /** Description of that limit. */
    final String refusalText;
    /** Offset where the limit was exceeded. */
    final int refusalOffset;

    private XmlScan(final int[] tagOffsets, final XmlErrorCode refusal, final String refusalText,
        final int refusalOffset)
    {
        this.tagOffsets = tagOffsets;
        this.refusal = refusal;
        this.refusalText = refusalText;
        this.refusalOffset = refusalOffset;
    }

    static XmlScan of(final String text)
    {
        int[] offsets = new int[64];
        int count = 0;
        int depth = 0;
        int at = text.indexOf('<');
        while (at >= 0)
        {
            final int end;
            if (text.startsWith("<!--", at))
            {
                end = after(text, "-->", at + 4);
            }
            else if (text.startsWith("<![CDATA[", at))
            {
                end = after(text, "]]>", at + 9);
            }
            else if (text.startsWith("<?", at))
            {
                end = after(text, "?>", at + 2);
            }
            else if (text.startsWith("<!", at))
            {
                return new XmlScan(new int[0], XmlErrorCode.DOCTYPE, "DOCTYPE is not allowed", at);
            }
            else if (text.startsWith("</", at))
            {
                depth--;
                end = after(text, ">", at + 2);
            }
            else
            {
                if (count == MAX_ELEMENTS)
                {
                    return limit("too many elements, limit=" + MAX_ELEMENTS, at);
                }
                if (count == offsets.length)
                {
                    offsets = Arrays.copyOf(offsets, count * 2);
                }
                offsets[count++] = at;
                final XmlScan refused = checkTag(text, at);
                if (refused != null)
                {
                    return refused;
                }
                end = tagEnd(text, at);
                if (end > 0 && text.charAt(end - 2) != '/' && ++depth > MAX_DEPTH)
                {
                    return limit("elements are nested too deep, limit=" + MAX_DEPTH, at);
                }
            }
            at = end < 0 ? -1 : text.indexOf('<', end);
        }
        return new XmlScan(Arrays.copyOf(offsets, count), null, null, 0);
    }

    private static XmlScan limit(final String text, final int offset)
    {
        return new XmlScan(new int[0], XmlErrorCode.LIMIT, text, offset);
    }

    private static int after(final String text, final String end, final int from)
    {
        final int found = text.indexOf(end, from);
        return found < 0 ? -1 : found + end.length();
    }

    /** Offset after the {@code >} of a tag, or -1. */
    static int tagEnd(final String text, final int tagOffset)
    {
        for (int i = tagOffset + 1; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (c == '>')
            {
                return i + 1;
            }
            if (c == '"' || c == '\'')
            {
                i = text.indexOf(c, i + 1);
                if (i < 0)
                {
                    return -1;
                }
            }
        }
        return -1;
    }

    private static XmlScan checkTag(final String text, final int tagOffset)
    {
        int attributes = 0;
        for (int i = tagOffset + 1; i < text.length() && text.charAt(i) != '>'; i++)
        {
            final char c = text.charAt(i);
            if (c == '"' || c == '\'')
            {
                final int close = text.indexOf(c, i + 1);
                if ((close < 0 ? text.length() : close) - i - 1 > MAX_ATTRIBUTE_CHARS)
                {
                    return limit("attribute value is too long, limit=" + MAX_ATTRIBUTE_CHARS, i + 1);
                }
                if (++attributes > MAX_ATTRIBUTES)
                {
                    return limit("too many attributes, limit=" + MAX_ATTRIBUTES, tagOffset);
                }
                if (close < 0)
                {
                    return null;
                }
                i = close;
            }
        }
        return null;
    }

    /**
     * Finds an attribute in a start tag.
     *
     * @param text      document
     * @param tagOffset offset of the tag
     * @param name      qualified name as written
     * @return offset of the first character of its name, or -1
     */
    static int attributeName(final String text, final int tagOffset, final String name)
    {
        int i = tagOffset + 1;
        while (i < text.length() && text.charAt(i) != '>')
        {
            final char c = text.charAt(i);
            if (c == '"' || c == '\'')
            {
                i = text.indexOf(c, i + 1);
                if (i < 0)
                {
                    return -1;
                }
            }
            else if (isBlank(c) && text.startsWith(name, i + 1) && isNameEnd(text, i + 1 + name.length()))
            {
                return i + 1;
            }
            i++;
        }
        return -1;
    }

    /** Offset of the first character of the value of the attribute whose name is at an offset. */
    static int attributeValue(final String text, final int nameOffset)
    {
        int i = nameOffset;
        while (text.charAt(i) != '"' && text.charAt(i) != '\'')
        {
            i++;
        }
        return i + 1;
    }

    static boolean isBlank(final char c)
    {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    private static boolean isNameEnd(final String text, final int at)
    {
        return at < text.length() && (text.charAt(at) == '=' || isBlank(text.charAt(at)));
    }
}
