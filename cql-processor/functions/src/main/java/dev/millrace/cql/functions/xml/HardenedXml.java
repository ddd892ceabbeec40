package dev.millrace.cql.functions.xml;

import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;

/** Creates all XML parsers of this module: no DOCTYPE, no access to external entities. Stateless. */
final class HardenedXml
{
    /** Maximum nesting depth of elements. */
    static final int MAX_DEPTH = 512;
    private static final String DISALLOW_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";
    private static final String GENERAL_ENTITIES = "http://xml.org/sax/features/external-general-entities";
    private static final String PARAMETER_ENTITIES = "http://xml.org/sax/features/external-parameter-entities";
    private static final ThreadLocal<XMLReader> READER = ThreadLocal.withInitial(HardenedXml::newReader);
    private static final String LOAD_DTD = "http://apache.org/xml/features/nonvalidating/load-external-dtd";

    private HardenedXml()
    {
    }

    /** The namespace-aware parser of the current thread; must not be used while it parses another document. */
    static XMLReader reader()
    {
        return READER.get();
    }

    /** A new namespace-aware parser. */
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
                "internal error of Millrace, please report it with the output of java -version", failure);
        }
    }
}
