package dev.millrace.cql.functions.xml;

import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import javax.xml.transform.sax.SAXSource;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XdmNode;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.DefaultHandler;

/** Processes XML source text: checks that it is well-formed, and builds trees. Stateless. */
final class XmlTexts
{
    private static final Pattern DECLARATION = Pattern.compile("^\\s*<\\?xml\\s[^>]*\\?>\\s*");
    private static final String ROOT = "content";

    private XmlTexts()
    {
    }

    /** Removes the XML declaration. */
    static String withoutDeclaration(final String text)
    {
        return text.contains("<?xml") ? DECLARATION.matcher(text).replaceFirst("") : text;
    }

    /**
     * Checks that XML is well-formed.
     *
     * @param text       XML without declaration
     * @param isDocument whether it must have exactly one root element
     * @throws RowRejectedException if it is not well-formed
     */
    static void check(final String text, final boolean isDocument)
    {
        checkLength(text);
        try
        {
            final XMLReader reader = HardenedXml.reader();
            final DefaultHandler handler = new Throwing();
            reader.setContentHandler(handler);
            reader.setErrorHandler(handler);
            reader.setEntityResolver(handler);
            reader.parse(source(isDocument ? text : wrapped(text)));
        }
        catch (final SAXException failure)
        {
            throw XmlErrors.failure("not well-formed: " + failure.getMessage());
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException("a string cannot fail to be read; this is an internal error", failure);
        }
    }

    private static void checkLength(final String text)
    {
        if (text.length() > FunctionErrors.MAX_LENGTH)
        {
            throw XmlErrors.failure("XML of more than " + FunctionErrors.MAX_LENGTH + " characters");
        }
    }

    private static String wrapped(final String text)
    {
        return '<' + ROOT + '>' + text + "</" + ROOT + '>';
    }

    private static InputSource source(final String text)
    {
        return new InputSource(new StringReader(text));
    }

    /** A document node over the XML, which may be a fragment. */
    static XdmNode tree(final String xml)
    {
        final String text = withoutDeclaration(xml);
        checkLength(text);
        try
        {
            return parse(text);
        }
        catch (final SaxonApiException noDocument)
        {
            return content(text, noDocument);
        }
    }

    private static XdmNode content(final String text, final SaxonApiException noDocument)
    {
        try
        {
            final XdmNode root = parse(wrapped(text));
            return (XdmNode) XQuery.of("document { /" + ROOT + "/node() }").items(root).get(0);
        }
        catch (final SaxonApiException alsoNoContent)
        {
            throw XmlErrors.failure("not well-formed: " + noDocument.getMessage());
        }
    }

    private static XdmNode parse(final String text) throws SaxonApiException
    {
        final XMLReader reader = HardenedXml.reader();
        reader.setErrorHandler(new Throwing());
        return XQuery.PROCESSOR.newDocumentBuilder().build(new SAXSource(reader, source(text)));
    }

    /** Treats every error as fatal and opens no external entity. */
    private static final class Throwing extends DefaultHandler
    {
        @Override
        public InputSource resolveEntity(final String publicId, final String systemId)
        {
            return source("");
        }

        @Override
        public void error(final SAXParseException failure) throws SAXException
        {
            throw failure;
        }
    }
}
