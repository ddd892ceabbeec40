package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The POMs of published artifacts have what Maven Central requires, and nothing that only the build needs. */
@Timeout(60)
class PublishedPomsTest
{
    private static final String PUBLISHED = "<maven.deploy.skip>false</maven.deploy.skip>";

    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    /** POMs by artifact. */
    private static final Map<String, Document> POMS = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException, ParserConfigurationException, SAXException, XPathExpressionException
    {
        for (final String module : SourceTree.modules())
        {
            final Path directory = SourceTree.root().resolve(module);
            if (SourceTree.read(directory.resolve("pom.xml")).contains(PUBLISHED))
            {
                final Document pom = parse(directory.resolve("target/.flattened-pom.xml"));
                POMS.put(text(pom, "/project/artifactId"), pom);
            }
        }
    }

    private static Document parse(final Path file) throws IOException, ParserConfigurationException, SAXException
    {
        assertThat(file).as("build the modules first").exists();
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    }

    private static String text(final Document pom, final String path) throws XPathExpressionException
    {
        return XPATH.evaluate(path, pom).strip();
    }

    private static List<String> texts(final Document pom, final String path) throws XPathExpressionException
    {
        final NodeList nodes = (NodeList)XPATH.evaluate(path, pom, XPathConstants.NODESET);
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++)
        {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }

    @Test
    void shouldHaveTheMetadataThatCentralRequires() throws XPathExpressionException
    {
        for (final Map.Entry<String, Document> pom : POMS.entrySet())
        {
            for (final String path : List.of("groupId", "artifactId", "version", "name", "description", "url",
                "licenses/license/name", "licenses/license/url", "developers/developer/name",
                "developers/developer/organization", "developers/developer/organizationUrl", "scm/connection",
                "scm/developerConnection", "scm/url"))
            {
                assertThat(text(pom.getValue(), "/project/" + path)).as("%s of %s", path, pom.getKey())
                    .isNotBlank().doesNotContain("${");
            }
            assertThat(text(pom.getValue(), "/project/url")).as(pom.getKey())
                .isEqualTo(text(POMS.get("millrace-api"), "/project/url"));
            assertThat(text(pom.getValue(), "/project/scm/connection")).as(pom.getKey()).startsWith("scm:git:");
        }
    }

    @Test
    void shouldContainNothingThatOnlyTheBuildNeeds() throws XPathExpressionException
    {
        for (final Map.Entry<String, Document> pom : POMS.entrySet())
        {
            assertThat(texts(pom.getValue(), "/project/parent | /project/build | /project/profiles | /project/modules"
                + " | /project/distributionManagement | /project/repositories | /project/properties"
                + " | /project/dependencies/dependency[scope='test']")).as(pom.getKey()).isEmpty();
            final List<String> names = texts(pom.getValue(), "//dependency/artifactId");
            assertThat(texts(pom.getValue(), "//dependency/version")).as(pom.getKey()).hasSameSizeAs(names);
        }
    }

    @Test
    void shouldPublishWhatPublishedArtifactsNeed() throws XPathExpressionException
    {
        assertThat(POMS.keySet()).contains("millrace-bom", "millrace-api", "millrace-embedded", "millrace-test");
        for (final Map.Entry<String, Document> pom : POMS.entrySet())
        {
            assertThat(POMS.keySet()).as("dependencies of %s: publish them, by %s in their pom.xml", pom.getKey(),
                PUBLISHED).containsAll(texts(pom.getValue(), "//dependency[groupId='dev.millrace']/artifactId"));
        }
        assertThat(texts(POMS.get("millrace-bom"), "/project/dependencyManagement/dependencies/dependency/artifactId"))
            .contains("millrace-api", "millrace-embedded", "millrace-test");
        assertThat(texts(POMS.get("millrace-bom"), "/project/dependencies/dependency")).isEmpty();
        assertThat(texts(POMS.get("millrace-bom"), "//dependency/version"))
            .containsOnly("${project.version}");
    }
}
