package dev.millrace.assembly.epn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.HardenedXml;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.xml.PluggableSchemaResolver;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;

/** The vocabularies agree with the schemas that editors use. */
@Timeout(60)
class VocabularyTest
{
    private static final String XSD = "http://www.w3.org/2001/XMLSchema";
    private static final ClassLoader LOADER = VocabularyTest.class.getClassLoader();

    private static Document document(final String resource) throws Exception
    {
        try (InputStream content = LOADER.getResourceAsStream(resource))
        {
            return HardenedXml.parse(resource, content);
        }
    }

    private static Set<String> attributes(final Element declaration)
    {
        final Set<String> names = new TreeSet<>();
        final NodeList found = declaration.getElementsByTagNameNS(XSD, "attribute");
        for (int i = 0; i < found.getLength(); i++)
        {
            names.add(((Element)found.item(i)).getAttribute("name"));
        }
        return names;
    }

    @Test
    void shouldKnowEveryElementAndAttributeOfSpringSchema() throws Exception
    {
        final Element schema = document("org/springframework/beans/factory/xml/spring-beans.xsd").getDocumentElement();
        final Map<String, Element> named = new LinkedHashMap<>();
        for (final Element child : Elements.children(schema))
        {
            named.put(child.getLocalName() + ' ' + child.getAttribute("name"), child);
        }
        final Set<String> elements = new TreeSet<>();
        for (final Element child : Elements.children(schema, "element"))
        {
            final String name = child.getAttribute("name");
            elements.add(name);
            final Set<String> attributes = new LinkedHashSet<>();
            collect(child, named, attributes, new LinkedHashSet<>());
            final ElementSchema rule = SpringBeansSchema.elements().get(name);
            assertThat(rule).as(name).isNotNull();
            if (rule.refusal == null)
            {
                assertThat(rule.attributes).as(name).containsExactlyInAnyOrderElementsOf(attributes);
            }
        }
        assertThat(SpringBeansSchema.elements().keySet()).containsExactlyInAnyOrderElementsOf(elements);
    }

    /** Attributes of a declaration and of the types and groups that it names, without following element references. */
    private static void collect(final Element declaration, final Map<String, Element> named, final Set<String> out,
        final Set<Element> seen)
    {
        if (!seen.add(declaration))
        {
            return;
        }
        out.addAll(attributes(declaration));
        final NodeList all = declaration.getElementsByTagNameNS(XSD, "*");
        for (int i = -1; i < all.getLength(); i++)
        {
            final Element part = i < 0 ? declaration : (Element)all.item(i);
            if (part.getLocalName().equals("extension"))
            {
                follow(named.get("complexType " + part.getAttribute("base")), named, out, seen);
            }
            else if (part.getLocalName().equals("attributeGroup"))
            {
                follow(named.get("attributeGroup " + part.getAttribute("ref")), named, out, seen);
            }
            else if (part == declaration && part.hasAttribute("type"))
            {
                follow(named.get("complexType " + part.getAttribute("type")), named, out, seen);
            }
        }
    }

    private static void follow(final Element target, final Map<String, Element> named, final Set<String> out,
        final Set<Element> seen)
    {
        if (target != null)
        {
            collect(target, named, out, seen);
        }
    }

    /** The elements of Oracle Event Processing 11g and 12c: the path of each, and its attributes. */
    private static final String[] ORACLE_ELEMENTS = {
        "event-type-repository:",
        "event-type-repository/event-type: type-name id",
        "event-type-repository/event-type/class:",
        "event-type-repository/event-type/properties: type",
        "event-type-repository/event-type/properties/property: name type length",
        "event-type-repository/event-type/property:",
        "event-type-repository/event-type/metadata:",
        "adapter: id class provider advertise listeners init-method activate-method suspend-method destroy-method" +
            " onevent-method",
        "adapter/listener: ref", "adapter/instance-property: name value ref", "adapter/property: name value ref",
        "event-bean: id class provider advertise listeners init-method activate-method suspend-method destroy-method" +
            " onevent-method",
        "event-bean/listener: ref", "event-bean/instance-property: name value ref",
        "event-bean/property: name value ref",
        "channel: id event-type is-relation primary-key batching max-size max-threads advertise source listeners" +
            " provider manageable lazy-init",
        "channel/listener: ref", "channel/source: ref", "channel/instance-property: name value ref",
        "channel/property: name value ref", "channel/application-timestamped: is-total-order",
        "channel/application-timestamped/expression:",
        "stream: id event-type is-relation primary-key batching max-size max-threads advertise source listeners",
        "processor: id provider advertise listeners",
        "processor/listener: ref", "processor/source: ref", "processor/function: function-name epl-name exec-method",
        "processor/instance-property:",
        "processor/property:", "processor/cache-source: ref", "processor/table-source: ref",
        "factory:", "function:", "table: id event-type data-source table-name",
        "cache: id name advertise value-type key-properties key-class",
        "cache/caching-system: ref", "cache/cache-loader: ref", "cache/cache-store: ref", "cache/cache-listener: ref",
        "caching-system: id provider class advertise", "caching-system/instance-property: name value ref",
        "caching-system/property: name value ref",
        "channel/listener/adapter: id", "channel/listener/event-bean: id", "channel/listener/processor: id",
        "adapter/listener/channel: id event-type"};

    @Test
    void shouldReadOrRefuseByNameEveryElementAndAttributeOfOracleEventProcessing()
    {
        final Set<String> refused = new TreeSet<>();
        for (final String entry : ORACLE_ELEMENTS)
        {
            final String[] parts = entry.split(":", -1);
            ElementSchema rule = null;
            for (final String name : parts[0].split("/"))
            {
                rule = rule == null ? EpnSchema.top().get(name) : rule.children.get(name);
                assertThat(rule).as(entry).isNotNull();
            }
            if (rule.refusal == null)
            {
                assertThat(rule.attributes).as(entry).containsAll(
                    parts[1].isBlank() ? List.of() : List.of(parts[1].strip().split(" ")));
            }
            else
            {
                refused.add(parts[0]);
                assertThat(rule.refusal).as(entry).contains("element=" + rule.name);
                assertThat(rule.refusalHint).as(entry).isNotBlank();
            }
        }
        assertThat(refused).containsExactly(
            "factory", "function", "processor/instance-property", "processor/property");
    }

    @Test
    void shouldDeclareTheSameElementsInSchemaAndVocabulary() throws Exception
    {
        final Element schema = document("dev/millrace/assembly/epn/epn-elements.xsd").getDocumentElement();
        final Set<String> top = new TreeSet<>();
        Elements.children(schema, "element").forEach(element -> top.add(element.getAttribute("name")));

        assertThat(EpnSchema.top().keySet()).containsExactlyInAnyOrderElementsOf(top);
        final Map<String, Element> named = new LinkedHashMap<>();
        for (final Element child : Elements.children(schema))
        {
            named.put(child.getLocalName() + ' ' + child.getAttribute("name"), child);
        }
        for (final String name : Set.of("adapter", "event-bean", "channel", "stream", "processor", "cache",
            "caching-system", "table"))
        {
            final Set<String> expected = new LinkedHashSet<>();
            attributesOfItself(named.get("element " + name), named, expected);
            assertThat(EpnSchema.top().get(name).attributes).as(name)
                .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static void attributesOfItself(
        final Element declaration, final Map<String, Element> named, final Set<String> out)
    {
        if (declaration.hasAttribute("type"))
        {
            attributesOfItself(named.get("complexType " + declaration.getAttribute("type")), named, out);
        }
        for (final Element part : Elements.children(declaration))
        {
            switch (part.getLocalName())
            {
                case "attribute" -> out.add(part.getAttribute("name"));
                case "attributeGroup" ->
                    attributesOfItself(named.get("attributeGroup " + part.getAttribute("ref")), named, out);
                case "complexType" -> attributesOfItself(part, named, out);
                default ->
                {
                    // Other parts hold children, not attributes.
                }
            }
        }
    }

    private static Schema schema(final String name) throws Exception
    {
        final DOMImplementationLS inputs =
            (DOMImplementationLS)DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
        final SchemaFactory factory = SchemaFactory.newDefaultInstance();
        factory.setResourceResolver((type, namespace, publicId, systemId, base) ->
        {
            final LSInput input = inputs.createLSInput();
            input.setSystemId(systemId);
            input.setByteStream(LOADER.getResourceAsStream("dev/millrace/assembly/epn/" + systemId));
            return input;
        });
        return factory.newSchema(new StreamSource(LOADER.getResourceAsStream("dev/millrace/assembly/epn/" + name)));
    }

    @Test
    void shouldValidateElementsInBothNamespacesWithSchemas() throws Exception
    {
        for (final String[] one : new String[][] {
            {"wlevs-spring.xsd", Namespaces.WLEVS}, {"epn.xsd", Namespaces.EPN}})
        {
            final Schema schema = schema(one[0]);
            final String start = "<w:channel xmlns:w='" + one[1] + "' id='a' event-type='T'";
            schema.newValidator().validate(new StreamSource(new StringReader(
                start + "><w:listener ref='b'/><w:application-timestamped><w:expression>at</w:expression>" +
                "</w:application-timestamped><w:listener><b:bean xmlns:b='" + Namespaces.BEANS +
                "'/></w:listener></w:channel>")));
            assertThatThrownBy(() -> schema.newValidator().validate(
                new StreamSource(new StringReader(start + " evnt='x'/>")))).hasMessageContaining("evnt");
        }
    }

    @Test
    void shouldResolveEverySchemaLocationToAResource() throws IOException
    {
        final Properties schemas = new Properties();
        try (InputStream content = Collections.list(LOADER.getResources("META-INF/spring.schemas")).stream()
            .filter(url -> !url.toString().contains("spring-")).findFirst().orElseThrow().openStream())
        {
            schemas.load(content);
        }
        assertThat(schemas).hasSizeGreaterThan(10);
        final PluggableSchemaResolver resolver = new PluggableSchemaResolver(LOADER);
        for (final Object location : schemas.keySet())
        {
            assertThat(resolver.resolveEntity(null, location.toString())).as(location.toString()).isNotNull();
        }
        assertThat(schemas.keySet()).contains(
            "http://www.bea.com/ns/wlevs/spring/spring-wlevs-v11_1_1_6.xsd",
            "http://www.bea.com/ns/wlevs/spring/ocep-epn.xsd");
    }
}
