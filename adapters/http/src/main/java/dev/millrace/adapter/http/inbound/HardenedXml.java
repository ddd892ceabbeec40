package dev.millrace.adapter.http.inbound;

import java.io.ByteArrayInputStream;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Creates the XML parsers of a source: no DTD, no entities except those of XML, no access. Not thread-safe. */
final class HardenedXml
{
    private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();

    HardenedXml()
    {
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setXMLResolver((publicId, systemId, base, namespace) ->
        {
            throw new XMLStreamException("external entities are not permitted");
        });
    }

    /** A parser of UTF-8, before the first element. A DTD is an event of the parser, which the caller refuses. */
    XMLStreamReader reader(final byte[] bytes, final int from, final int to) throws XMLStreamException
    {
        return factory.createXMLStreamReader(new ByteArrayInputStream(bytes, from, to - from), "UTF-8");
    }
}
