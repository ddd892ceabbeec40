package dev.millrace.cql.functions;

import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;

/** The only place of this module that makes XML parsers: no DOCTYPE, nothing is ever opened. Keeps no state. */
final class HardenedXml
{
    /** Greatest nesting of elements. */
    static final int MAX_DEPTH = 512;
    private static final String DISALLOW_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";
    private static final String GENERAL_ENTITIES = "http://xml.org/sax/features/external-general-entities";
    private static final String PARAMETER_ENTITIES = "http://xml.org/sax/features/external-parameter-entities";
    private static final ThreadLocal<XMLReader> READER = ThreadLocal.withInitial(HardenedXml::newReader);
    private static final String LOAD_DTD = "http://apache.org/xml/features/nonvalidating/load-external-dtd";

    private HardenedXml()
    {
    }

    /** The parser of the thread, namespace aware; not to be used while another text is parsed with it. */
    static XMLReader reader()
    {
        return READER.get();
    }

    /** A new parser, namespace aware. */
    static XMLReader newReader()
    {
        try
        {
            final SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature(DISALLOW_DOCTYPE, true);
            factory.setFeature(GENERAL_ENTITIES, false);
            factory.setFeature(PARAMETER_ENTITIES, false);
            factory.setFeature(LOAD_DTD, false);
            factory.setNamespaceAware(true);
            factory.setXIncludeAware(false);
            final XMLReader reader = factory.newSAXParser().getXMLReader();
            reader.setProperty("http://www.oracle.com/xml/jaxp/properties/maxElementDepth",
                Integer.toString(MAX_DEPTH));
            return reader;
        }
        catch (final ParserConfigurationException | SAXException failure)
        {
            throw new IllegalStateException("the Java runtime's own XML parser lacks a security feature; this is a " +
                "bug of Millrace, please report it with the output of java -version", failure);
        }
    }
}
