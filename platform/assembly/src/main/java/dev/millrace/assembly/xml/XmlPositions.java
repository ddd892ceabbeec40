package dev.millrace.assembly.xml;

import dev.millrace.network.definition.RulePositions;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import org.w3c.dom.Attr;
import org.w3c.dom.CDATASection;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/** Positions of the parts of a document that {@link HardenedXml} has parsed. */
public final class XmlPositions
{
    private static final String KEY = XmlPositions.class.getName();
    private static final String CDATA_START = "<![CDATA[";

    private XmlPositions()
    {
    }

    /** The start of a start tag. */
    private record Place(SourceText source, int tagOffset)
    {
    }

    static void mark(final Document document, final SourceText source, final int[] tagOffsets)
    {
        int count = 0;
        Node node = document.getDocumentElement();
        while (node != null)
        {
            if (node instanceof Element)
            {
                if (count == tagOffsets.length)
                {
                    throw disagree(source);
                }
                node.setUserData(KEY, new Place(source, tagOffsets[count++]), null);
            }
            Node next = node.getFirstChild();
            while (next == null && node != document)
            {
                next = node.getNextSibling();
                if (next == null)
                {
                    node = node.getParentNode();
                }
            }
            node = next;
        }
        if (count != tagOffsets.length)
        {
            throw disagree(source);
        }
    }

    private static IllegalStateException disagree(final SourceText source)
    {
        return new IllegalStateException("positions of elements are wrong, file=" + source.name() +
            "; this is an internal error of Millrace, please report it with the file");
    }

    private static Place place(final Node node)
    {
        return (Place)node.getUserData(KEY);
    }

    /**
     * Returns the position of a node: the {@code <} of an element, the name of an attribute, the first character of a
     * text that is its element's only content.
     *
     * @param node of a document
     * @return position, {@link SourcePosition#NONE} when the document was not parsed by {@link HardenedXml}
     */
    public static SourcePosition of(final Node node)
    {
        if (node instanceof Attr attribute)
        {
            return ofAttribute(attribute.getOwnerElement(), attribute.getName());
        }
        if (node instanceof Document document)
        {
            return of(document.getDocumentElement());
        }
        if (!(node instanceof Element))
        {
            return node == null || node.getParentNode() == null ? SourcePosition.NONE : ofText(node.getParentNode());
        }
        final Place place = place(node);
        return place == null ? SourcePosition.NONE : place.source.position(place.tagOffset);
    }

    /**
     * Returns the position of the name of an attribute.
     *
     * @param element element
     * @param name    qualified name as written
     * @return position; the element's when it has no such attribute
     */
    public static SourcePosition ofAttribute(final Element element, final String name)
    {
        final Place place = place(element);
        if (place == null)
        {
            return SourcePosition.NONE;
        }
        final int found = XmlScan.attributeName(place.source.text(), place.tagOffset, name);
        return place.source.position(found < 0 ? place.tagOffset : found);
    }

    /**
     * Returns the position of the value of an attribute, after its quote.
     *
     * @param element element
     * @param name    qualified name as written
     * @return position; the element's when it has no such attribute
     */
    public static SourcePosition ofValue(final Element element, final String name)
    {
        final Place place = place(element);
        if (place == null)
        {
            return SourcePosition.NONE;
        }
        final String text = place.source.text();
        final int found = XmlScan.attributeName(text, place.tagOffset, name);
        return place.source.position(found < 0 ? place.tagOffset : XmlScan.attributeValue(text, found));
    }

    /**
     * Reads the text of an element that has no element children.
     *
     * @param element element
     * @return exactly as written when there is one CDATA section surrounded only by blanks; otherwise the whole text,
     *     stripped. If the text contains CDATA sections or character references, later characters may be further right
     *     in the file than their offset from the first one: see {@link #runs}
     */
    public static Located text(final Element element)
    {
        final StringBuilder all = new StringBuilder();
        CDATASection section = null;
        boolean alone = true;
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof CDATASection cdata)
            {
                alone &= section == null;
                section = cdata;
                all.append(cdata.getData());
            }
            else if (child instanceof Text text)
            {
                alone &= text.getData().isBlank();
                all.append(text.getData());
            }
        }
        final Place place = place(element);
        if (place == null)
        {
            return new Located(all.toString().strip(), SourcePosition.NONE);
        }
        final String text = place.source.text();
        if (section != null && alone)
        {
            final int at = text.indexOf(CDATA_START, XmlScan.tagEnd(text, place.tagOffset)) + CDATA_START.length();
            return new Located(section.getData(), place.source.position(at));
        }
        return new Located(all.toString().strip(), ofText(element));
    }

    /**
     * Returns the positions of the runs of the text of an element.
     *
     * @param element element without element children
     * @return runs of the result of {@link #text}; empty when the document was not parsed by {@link HardenedXml}
     */
    public static List<RulePositions.Run> runs(final Element element)
    {
        final Place place = place(element);
        return place == null ? List.of() :
            new TextPositionMap(place.source,
                XmlScan.tagEnd(place.source.text(), place.tagOffset)).of(text(element).value());
    }

    private static SourcePosition ofText(final Node parent)
    {
        final Place place = place(parent);
        if (place == null)
        {
            return SourcePosition.NONE;
        }
        final String text = place.source.text();
        int at = XmlScan.tagEnd(text, place.tagOffset);
        while (at < text.length())
        {
            if (XmlScan.isBlank(text.charAt(at)))
            {
                at++;
            }
            else if (text.startsWith("<!--", at))
            {
                at = text.indexOf("-->", at) + 3;
            }
            else if (text.startsWith(CDATA_START, at))
            {
                at += CDATA_START.length();
            }
            else
            {
                break;
            }
        }
        return place.source.position(Math.min(at, text.length()));
    }

    /**
     * Returns the content of the file that contains an element.
     *
     * @param element element
     * @return source, or {@code null} when the document was not parsed by {@link HardenedXml}
     */
    public static SourceText source(final Element element)
    {
        final Place place = place(element);
        return place == null ? null : place.source;
    }
}
