package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.house.HomeJars.Jar;
import dev.millrace.house.ThirdPartyParts.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every third-party jar of the home, alone or nested in a bundle, has its entry, its license and no known
 * vulnerability. With {@code -Dmillrace.pages=write} THIRD-PARTY.md and the SBOM are written again.
 */
@Timeout(180)
class ThirdPartyIT
{
    private static final String ANEW = "run the command of CONTRIBUTING.md that writes the pages anew";

    private static Set<String> foreign() throws IOException
    {
        return HomeJars.read().values().stream().filter(jar -> !jar.isOwn()).map(Jar::artifact)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String written(final Path file, final String text) throws IOException
    {
        if ("write".equals(System.getProperty("millrace.pages")))
        {
            Files.writeString(file, text);
        }
        return SourceTree.read(file);
    }

    @Test
    void shouldNameEveryShippedJarAndNothingElse() throws IOException
    {
        assertThat(foreign()).as("the distribution has been assembled").hasSizeGreaterThan(30);
        assertThat(ThirdPartyParts.read().stream().map(Part::artifact).toList()).as("parts.txt")
            .containsExactlyInAnyOrderElementsOf(foreign());
    }

    @Test
    void shouldShipTheTextOfEveryLicence() throws IOException
    {
        final Set<String> wanted = new TreeSet<>();
        for (final Part part : ThirdPartyParts.read())
        {
            part.texts().forEach(text -> wanted.add(text + ".txt"));
            for (final String licence : part.texts())
            {
                assertThat(part.licence()).as("licence of " + part.artifact() + ", text " + licence)
                    .contains(licence.replaceFirst("-(asm|slf4j|janino|HdrHistogram|zstd-jni|GeographicLib)$", ""));
            }
        }
        try (Stream<Path> texts = Files.list(HomeJars.home().resolve("licenses")))
        {
            assertThat(texts.map(text -> text.getFileName().toString()).toList()).as("licenses of the home")
                .containsExactlyInAnyOrderElementsOf(wanted);
        }
        for (final String text : wanted)
        {
            assertThat(HomeJars.home().resolve("licenses").resolve(text)).as(text).isNotEmptyFile();
        }
    }

    @Test
    void shouldDescribeTheHomeAsItIs() throws IOException
    {
        final String version = HomeJars.home().getFileName().toString().replaceFirst("^millrace-", "");
        assertThat(written(ThirdPartyParts.PAGE, ThirdPartyParts.page())).as(ANEW).isEqualTo(ThirdPartyParts.page());
        final String sbom = ThirdPartyParts.sbom(HomeJars.read().values(), version);
        assertThat(written(ThirdPartyParts.SBOM, sbom)).as(ANEW).isEqualTo(sbom);
        assertThat(HomeJars.home().resolve("THIRD-PARTY.md")).exists();
        assertThat(HomeJars.home().resolve("sbom.cdx.json")).exists();
    }

    @Test
    void shouldShipNoVersionWithAKnownHole() throws IOException
    {
        final List<String> wrong = new ArrayList<>();
        for (final Jar jar : HomeJars.read().values())
        {
            KnownBadVersions.read().stream().filter(range -> range.has(jar.artifact(), jar.version()))
                .forEach(range -> wrong.add(jar.artifact() + ' ' + jar.version() + ": " + range.why() +
                    ", take another version, fixedIn=" + range.fixedIn()));
        }
        assertThat(wrong).isEmpty();
    }
}
