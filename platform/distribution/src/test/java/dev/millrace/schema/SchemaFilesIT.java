package dev.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.catalog.Catalog;
import javax.xml.catalog.CatalogFeatures;
import javax.xml.catalog.CatalogManager;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xml.sax.SAXException;

/** The schemas of the home accept the XML files of the repository, with the catalog and without network. */
@Timeout(60)
class SchemaFilesIT
{
    private static final Path XSD = Path.of(System.getProperty("millrace.home")).resolve("xsd");
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern NAMESPACE = Pattern.compile("xmlns(?::\\w+)?=\"([^\"]+)\"");
    private static final Pattern MAPPED = Pattern.compile("(?:name|systemId)=\"([^\"]+)\"\\s+uri=\"([^\"]+)\"");
    private static final Pattern ADDRESS = Pattern.compile("(?m)^(https?)\\\\:(\\S+)=");

    private static Catalog catalog;

    @BeforeAll
    static void readCatalog()
    {
        catalog = CatalogManager.catalog(CatalogFeatures.defaults(), XSD.resolve("catalog.xml").toUri());
    }

    /** The schemas of the namespaces that a text declares, from the catalog. */
    private static Schema schema(final String text) throws SAXException
    {
        final Set<String> files = new LinkedHashSet<>();
        final Matcher namespace = NAMESPACE.matcher(text);
        while (namespace.find())
        {
            final String file = catalog.matchURI(namespace.group(1));
            if (file != null)
            {
                files.add(file);
            }
        }
        assertThat(files).as(text).isNotEmpty();
        final SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "file");
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        return factory.newSchema(files.stream().map(StreamSource::new).toArray(Source[]::new));
    }

    private static void validate(final String text) throws SAXException, IOException
    {
        final Validator validator = schema(text).newValidator();
        validator.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
        validator.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        validator.validate(new StreamSource(new StringReader(text)));
    }

    /** The files that declare a namespace. */
    private static List<Path> files(final String namespace) throws IOException
    {
        final Pattern declaration = Pattern.compile("xmlns(?::\\w+)?=\"" + Pattern.quote(namespace) + '"');
        final List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT))
        {
            for (final Path file : files.filter(each -> each.toString().endsWith(".xml") &&
                !ROOT.relativize(each).toString().matches("(.*/)?(target|\\..*)/.*")).toList())
            {
                if (declaration.matcher(Files.readString(file)).find())
                {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static void assertValid(final List<Path> files) throws IOException
    {
        for (final Path file : files)
        {
            try
            {
                validate(Files.readString(file));
            }
            catch (final SAXException e)
            {
                throw new AssertionError(file + ": " + e, e);
            }
        }
    }

    @Test
    void shouldAcceptAssemblyFiles() throws IOException
    {
        final List<Path> files = files("http://www.springframework.org/schema/beans");
        assertThat(files).hasSizeGreaterThan(8);
        assertValid(files);
    }

    @Test
    void shouldAcceptConfigurationFiles() throws IOException
    {
        final List<Path> files = files("http://www.bea.com/ns/wlevs/config/application");
        assertThat(files).hasSizeGreaterThan(8);
        assertValid(files);
    }

    @Test
    void shouldAcceptFilesOfDomains() throws IOException
    {
        final List<Path> files = files("http://www.bea.com/ns/wlevs/config/server");
        assertThat(files).contains(ROOT.resolve("domains/defaultserver/config/config.xml"));
        assertValid(files);
    }

    @Test
    void shouldRefuseUnknownNames() throws IOException
    {
        final String file = Files.readString(ROOT.resolve("domains/defaultserver/config/config.xml"));
        for (final String namespace : List.of("http://www.bea.com/ns/wlevs/config/server",
            "https://millrace.dev/ns/config/server"))
        {
            assertThatThrownBy(() -> validate(file.replace("http://www.bea.com/ns/wlevs/config/server", namespace)
                .replace("server-name>", "servername>"))).isInstanceOf(SAXException.class)
                .hasMessageContaining("servername");
        }
        assertThatThrownBy(() -> validate("""
            <m:config xmlns:m="https://millrace.dev/ns/config/application">
              <processor><name>p</name><rules><query id="q" ordering-constraint="NONE">x</query></rules></processor>
            </m:config>
            """)).isInstanceOf(SAXException.class).hasMessageContaining("PARTITION_ORDERED");
    }

    @Test
    void shouldMapOnlyToFilesThatExist() throws IOException
    {
        final Matcher mapped = MAPPED.matcher(Files.readString(XSD.resolve("catalog.xml")));
        int count = 0;
        while (mapped.find())
        {
            assertThat(XSD.resolve(mapped.group(2))).isRegularFile();
            count++;
        }
        assertThat(count).isGreaterThan(40);
    }

    @Test
    void shouldMapTheAddressesThatTheServerKnows() throws IOException
    {
        for (final String module : List.of("assembly", "server"))
        {
            final String known =
                Files.readString(ROOT.resolve("platform/" + module + "/src/main/resources/META-INF/spring.schemas"));
            final List<String> addresses = ADDRESS.matcher(known).results()
                .map(found -> found.group(1) + ":" + found.group(2)).toList();
            assertThat(addresses).isNotEmpty().allSatisfy(address ->
            {
                assertThat(catalog.matchSystem(address)).as(address).isNotNull();
                assertThat(Path.of(URI.create(catalog.matchSystem(address)))).isRegularFile();
            });
        }
    }
}
