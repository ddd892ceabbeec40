package dev.millrace.assembly.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody but {@link HardenedXml} makes XML factories. */
@Timeout(60)
class XmlFactoriesTest
{
    private static final Pattern MAKES_FACTORY = Pattern.compile(
        "(DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory|XPathFactory|" +
            "XMLReaderFactory)\\s*\\.\\s*new|JAXBContext");

    @Test
    void shouldMakeXmlFactoriesInOnePlaceOnly() throws IOException
    {
        final Path root = Path.of(System.getProperty("basedir", "."), "..", "..").normalize();
        Assumptions.assumeTrue(Files.exists(root.resolve("platform/assembly/pom.xml")), "not in the source tree");
        try (Stream<Path> files = Files.walk(root))
        {
            final List<Path> makers = files
                .filter(file -> file.toString().endsWith(".java") && file.toString().contains("src/main/java"))
                .filter(XmlFactoriesTest::makesFactory).map(Path::getFileName).toList();

            assertThat(makers).containsExactly(Path.of("HardenedXml.java"));
        }
    }

    private static boolean makesFactory(final Path file)
    {
        try
        {
            return MAKES_FACTORY.matcher(Files.readString(file)).find();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
