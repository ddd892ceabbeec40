package dev.millrace.cql.processor.classcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jars with equal and with different content. Reproducible builds have the same times in all of them. */
@Timeout(60)
class BuildIdentityTest
{
    @TempDir
    private Path directory;

    private String of(final String jar, final String... entries) throws IOException
    {
        final Path file = directory.resolve(jar);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file)))
        {
            for (int i = 0; i < entries.length; i += 2)
            {
                final ZipEntry entry = new ZipEntry(entries[i]);
                entry.setLastModifiedTime(FileTime.fromMillis(1_000_000_000_000L));
                out.putNextEntry(entry);
                out.write(entries[i + 1].getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        final StringBuilder text = new StringBuilder();
        BuildIdentity.append(text, file);
        return text.toString();
    }

    @Test
    void shouldBeTheSameForACopyAndAnotherOrder() throws Exception
    {
        final String first = of("a.jar", "x.class", "one", "lib/inner.jar", "two");
        assertThat(of("b.jar", "x.class", "one", "lib/inner.jar", "two")).isEqualTo(first);
        assertThat(of("c.jar", "lib/inner.jar", "two", "x.class", "one")).isEqualTo(first);
    }

    @Test
    void shouldDifferWhenAnEntryHasOtherContentOfTheSameLength() throws Exception
    {
        final String first = of("a.jar", "x.class", "one", "lib/inner.jar", "two");
        assertThat(of("b.jar", "x.class", "one", "lib/inner.jar", "twi")).isNotEqualTo(first);
        assertThat(of("c.jar", "y.class", "one", "lib/inner.jar", "two")).isNotEqualTo(first);
        assertThat(of("d.jar", "x.class", "one")).isNotEqualTo(first);
    }

    @Test
    void shouldKnowTheNestedJarsOfAnUnpackedBundle() throws Exception
    {
        Files.createDirectories(directory.resolve("bundle/lib"));
        of("bundle/millrace-cql-compiler-1.jar", "x.class", "one");
        of("bundle/lib/janino-3.jar", "y.class", "two");
        of("bundle/lib/other-1.jar", "z.class", "three");
        final String first = ofBundle();
        assertThat(first).contains("millrace-cql-compiler-1.jar\nx.class 3 ", "lib/janino-3.jar\ny.class 3 ")
            .doesNotContain("z.class");
        of("bundle/millrace-cql-compiler-1.jar", "x.class", "two");
        assertThat(ofBundle()).isNotEqualTo(first);
        of("bundle/millrace-cql-compiler-1.jar", "x.class", "one");
        assertThat(ofBundle()).isEqualTo(first);
        of("bundle/lib/janino-3.jar", "y.class", "one");
        assertThat(ofBundle()).isNotEqualTo(first);
    }

    private String ofBundle() throws IOException
    {
        final StringBuilder text = new StringBuilder();
        BuildIdentity.append(text, directory.resolve("bundle"));
        return text.toString();
    }

    @Test
    void shouldNotBeKnownWhereClassesLieInDirectories()
    {
        // The classes compiled there can change without a trace.
        assertThat(BuildIdentity.of(BuildIdentityTest.class)).isEmpty();
        assertThat(BuildIdentity.of(Test.class, BuildIdentityTest.class)).isEmpty();
    }

    @Test
    void shouldNameWhatIsInTheJarsAndTheVersionOfJava()
    {
        assertThat(BuildIdentity.of(Test.class)).contains(System.getProperty("java.vm.version"),
            "org/junit/jupiter/api/Test.class ");
    }
}
