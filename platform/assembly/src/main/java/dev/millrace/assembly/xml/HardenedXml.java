package dev.millrace.assembly.xml;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * The only class in the product that creates XML factories. No DOCTYPE, no entities except the five of XML; no file and
 * no connection is ever opened. Documents are limited in size, depth and numbers.
 *
 * <p>Thread-safe; the factories and documents it returns are not.
 */
public final class HardenedXml
{
    /** Maximum size of a document in bytes. */
    public static final int MAX_DOCUMENT_BYTES = 1 << 20;

    private static final String DISALLOW_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";
    private static final String GENERAL_ENTITIES = "http://xml.org/sax/features/external-general-entities";
    private static final String PARAMETER_ENTITIES = "http://xml.org/sax/features/external-parameter-entities";
    private static final String LOAD_DTD = "http://apache.org/xml/features/nonvalidating/load-external-dtd";
    private static final Pattern DECLARED_ENCODING =
        Pattern.compile("^<\\?xml[^>]{0,200}?encoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._-]{0,40})[\"']");
    private static final ErrorHandler THROWING = new ThrowingErrorHandler();

    private HardenedXml()
    {
    }

    /**
     * Parses a document. Every element has a position: see {@link XmlPositions}.
     *
     * @param name    name of the file as the user knows it
     * @param content the bytes; not closed
     * @return the document, namespace aware
     * @throws DeploymentException when it is refused, with file, line and column
     */
    public static Document parse(final String name, final InputStream content) throws DeploymentException
    {
        final byte[] bytes;
        try
        {
            bytes = content.readNBytes(MAX_DOCUMENT_BYTES + 1);
        }
        catch (final IOException e)
        {
            throw refuse(XmlErrorCode.UNREADABLE, new SourcePosition(name, 0, 0), "the file cannot be read: " + e,
                "check that the file exists and is complete", "", e);
        }
        return parse(name, bytes);
    }

    /**
     * Parses a document. Every element has a position: see {@link XmlPositions}.
     *
     * @param name  name of the file as the user knows it
     * @param bytes content
     * @return the document, namespace aware
     * @throws DeploymentException when it is refused, with file, line and column
     */
    public static Document parse(final String name, final byte[] bytes) throws DeploymentException
    {
        if (bytes.length > MAX_DOCUMENT_BYTES)
        {
            throw refuse(XmlErrorCode.LIMIT, new SourcePosition(name, 0, 0),
                "the document is too large, limitBytes=" + MAX_DOCUMENT_BYTES, "split it into several files", "", null);
        }
        final SourceText source = new SourceText(name, decode(name, bytes));
        final XmlScan scan = XmlScan.of(source.text());
        if (scan.refusal != null)
        {
            final SourcePosition position = source.position(scan.refusalOffset);
            final String hint = scan.refusal == XmlErrorCode.DOCTYPE ?
                "remove the declaration; neither grammars nor entities are needed" : "split or simplify the file";
            throw refuse(scan.refusal, position, scan.refusalText, hint, source.excerpt(position), null);
        }
        try
        {
            final DocumentBuilder builder = documentBuilderFactory().newDocumentBuilder();
            builder.setErrorHandler(THROWING);
            builder.setEntityResolver((publicId, systemId) -> new InputSource(new StringReader("")));
            final Document document = builder.parse(new InputSource(new StringReader(source.text())));
            XmlPositions.mark(document, source, scan.tagOffsets);
            return document;
        }
        catch (final SAXParseException e)
        {
            final SourcePosition position =
                new SourcePosition(name, Math.max(e.getLineNumber(), 0), Math.max(e.getColumnNumber(), 0));
            throw refuse(XmlErrorCode.MALFORMED, position, "not well-formed XML: " + e.getMessage(),
                "correct the file at this position", source.excerpt(position), e);
        }
        catch (final SAXException e)
        {
            throw refuse(XmlErrorCode.MALFORMED, new SourcePosition(name, 0, 0),
                "not well-formed XML: " + e.getMessage(),
                "correct the file", "", e);
        }
        catch (final ParserConfigurationException e)
        {
            throw unsupported(e);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("reading a string cannot fail; this is an internal error of Millrace", e);
        }
    }

    private static String decode(final String name, final byte[] bytes) throws DeploymentException
    {
        Charset charset = StandardCharsets.UTF_8;
        int skip = 0;
        if (bytes.length >= 3 && (bytes[0] & 0xff) == 0xef && (bytes[1] & 0xff) == 0xbb && (bytes[2] & 0xff) == 0xbf)
        {
            skip = 3;
        }
        else if (bytes.length >= 2 && (bytes[0] & 0xff) == 0xfe && (bytes[1] & 0xff) == 0xff)
        {
            charset = StandardCharsets.UTF_16BE;
            skip = 2;
        }
        else if (bytes.length >= 2 && (bytes[0] & 0xff) == 0xff && (bytes[1] & 0xff) == 0xfe)
        {
            charset = StandardCharsets.UTF_16LE;
            skip = 2;
        }
        else
        {
            final Matcher declared = DECLARED_ENCODING.matcher(
                new String(bytes, 0, Math.min(bytes.length, 300), StandardCharsets.ISO_8859_1));
            if (declared.find())
            {
                charset = charset(name, declared.group(1));
            }
        }
        try
        {
            return charset.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, skip, bytes.length - skip)).toString();
        }
        catch (final CharacterCodingException e)
        {
            throw refuse(XmlErrorCode.MALFORMED, new SourcePosition(name, 1, 1),
                "the bytes are not valid in the encoding of the file, encoding=" + charset,
                "save the file as UTF-8 or declare its encoding", "", e);
        }
    }

    private static Charset charset(final String name, final String declared) throws DeploymentException
    {
        try
        {
            final Charset charset = Charset.forName(declared);
            // Without a byte order mark the declaration was readable as single bytes, whatever encoding it specifies.
            return charset.name().startsWith("UTF-16") ? StandardCharsets.UTF_8 : charset;
        }
        catch (final IllegalArgumentException e)
        {
            throw refuse(XmlErrorCode.MALFORMED, new SourcePosition(name, 1, 1),
                "unknown encoding, encoding=" + declared, "save the file as UTF-8", "", e);
        }
    }

    private static DeploymentException refuse(final XmlErrorCode code, final SourcePosition position, final String text,
        final String hint, final String excerpt, final Exception cause)
    {
        return new DeploymentException(
            List.of(new DeploymentException.Problem(code.code(), position, text, hint, excerpt)), cause);
    }

    /**
     * Creates a DOM factory.
     *
     * @return namespace aware, CDATA sections kept
     */
    public static DocumentBuilderFactory documentBuilderFactory()
    {
        try
        {
            final DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature(DISALLOW_DOCTYPE, true);
            factory.setFeature(GENERAL_ENTITIES, false);
            factory.setFeature(PARAMETER_ENTITIES, false);
            factory.setFeature(LOAD_DTD, false);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setAttribute("jdk.xml.maxElementDepth", Integer.toString(XmlScan.MAX_DEPTH));
            factory.setAttribute("jdk.xml.elementAttributeLimit", Integer.toString(XmlScan.MAX_ATTRIBUTES));
            factory.setNamespaceAware(true);
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            return factory;
        }
        catch (final ParserConfigurationException e)
        {
            throw unsupported(e);
        }
    }

    private static IllegalStateException unsupported(final Exception cause)
    {
        return new IllegalStateException("the Java runtime's own XML parser lacks a security feature: " +
            cause.getMessage() + "; this is an internal error of Millrace, please report it with the output of java "
                + "-version",
            cause);
    }

    /** Reports every warning and error. */
    private static final class ThrowingErrorHandler implements ErrorHandler
    {
        @Override
        public void warning(final SAXParseException exception) throws SAXException
        {
            throw exception;
        }

        @Override
        public void error(final SAXParseException exception) throws SAXException
        {
            throw exception;
        }

        @Override
        public void fatalError(final SAXParseException exception) throws SAXException
        {
            throw exception;
        }
    }
}
