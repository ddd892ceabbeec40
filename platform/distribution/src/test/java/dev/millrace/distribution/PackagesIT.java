package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.ArchiveEntries.Entry;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The archives and the Debian package, which only {@code mvn verify -Prelease} makes. */
@Tag("slow")
@Timeout(300)
@EnabledIfSystemProperty(named = "millrace.packages", matches = ".+", disabledReason = "needs -Prelease")
class PackagesIT
{
    private static final String INSTALLED = "opt/millrace/";
    private static final String INSTANCE = "user_projects/domains/defaultserver/";
    private static final String UNIT = "usr/lib/systemd/system/millrace@.service";

    @TempDir
    private static Path directory;

    /** Without the name of the directory that each archive contains. */
    private static Map<String, Entry> tar;
    private static Map<String, Entry> zip;
    private static Map<String, Entry> deb;
    private static Map<String, String> control;

    @BeforeAll
    static void read() throws IOException
    {
        tar = withoutBase(ArchiveEntries.tarGz(built(".tar.gz")));
        zip = withoutBase(ArchiveEntries.zip(built(".zip")));
        deb = ArchiveEntries.debianData(built(".deb"), directory);
        control = ArchiveEntries.debianControl(built(".deb"));
    }

    private static Path built(final String suffix) throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("millrace.packages"))))
        {
            final List<Path> found = files.filter(file -> file.toString().endsWith(suffix)).toList();
            assertThat(found).as(suffix).hasSize(1);
            return found.get(0);
        }
    }

    private static Map<String, Entry> withoutBase(final Map<String, Entry> entries)
    {
        final String base = Product.HOME.directory().getFileName() + "/";
        final Map<String, Entry> stripped = new TreeMap<>();
        entries.forEach((name, entry) ->
        {
            assertThat(name).startsWith(base);
            if (!name.equals(base))
            {
                stripped.put(name.substring(base.length()), entry);
            }
        });
        return stripped;
    }

    private static String mode(final Map<String, Entry> entries, final String name)
    {
        assertThat(entries).containsKey(name);
        return Integer.toOctalString(entries.get(name).mode());
    }

    private static void assertModes(final Map<String, Entry> entries, final String base)
    {
        assertThat(mode(entries, base + "bin/millrace")).isEqualTo("755");
        assertThat(mode(entries, base + "bin/find-java.sh")).isEqualTo("755");
        assertThat(mode(entries, base + INSTANCE + "startwlevs.sh")).isEqualTo("755");
        assertThat(mode(entries, base + INSTANCE + "config/")).isEqualTo("700");
        assertThat(mode(entries, base + INSTANCE + "config/config.xml")).isEqualTo("600");
        assertThat(mode(entries, base + "bin/millrace.cmd")).isEqualTo("644");
        assertThat(mode(entries, base + "completion/millrace.bash")).isEqualTo("644");
    }

    @Test
    void shouldContainTheFilesOfTheHomeInBothArchives()
    {
        assertThat(zip.keySet()).isEqualTo(tar.keySet());
        assertThat(tar).hasSizeGreaterThan(300);
        tar.forEach((name, entry) ->
        {
            if (!name.endsWith("/"))
            {
                assertThat(Product.HOME.directory().resolve(name)).isRegularFile();
                assertThat(zip.get(name)).as(name)
                    .extracting(Entry::mode, Entry::sizeBytes).containsExactly(entry.mode(), entry.sizeBytes());
            }
        });
        assertModes(tar, "");
        assertModes(zip, "");
    }

    @Test
    void shouldInstallTheSameFilesByThePackage()
    {
        tar.forEach((name, entry) ->
        {
            if (!name.endsWith("/"))
            {
                assertThat(deb.get(INSTALLED + name)).as(name).isNotNull()
                    .extracting(Entry::mode, Entry::sizeBytes).containsExactly(entry.mode(), entry.sizeBytes());
            }
        });
        assertModes(deb, INSTALLED);
    }

    @Test
    void shouldLetTheUserOfThePackageOwnOnlyTheDomains()
    {
        deb.forEach((name, entry) -> assertThat(entry.owner()).as(name).isEqualTo(
            name.startsWith(INSTALLED + "user_projects/") ? "millrace:millrace" : "root:root"));
        assertThat(control.get("preinst")).contains("adduser --system --group", " millrace\n");
        assertThat(control.get("control")).contains("Pre-Depends: adduser\n");
    }

    @Test
    void shouldKeepChangesOfTheFilesThatUsersEdit()
    {
        assertThat(control.get("conffiles").lines()).containsExactlyInAnyOrder(
            Stream.of("config/config.xml", "config/jvm.options", "config/logback.xml", "startwlevs.sh",
                "stopwlevs.sh").map(name -> "/" + INSTALLED + INSTANCE + name).toArray(String[]::new));
    }

    @Test
    void shouldLinkToFilesOfThePackage()
    {
        final Map<String, String> links = new TreeMap<>();
        deb.forEach((name, entry) ->
        {
            if (!entry.link().isEmpty())
            {
                links.put(name, entry.link());
                assertThat(deb).containsKey(entry.link().substring(1));
            }
        });
        assertThat(links).containsOnlyKeys("usr/bin/millrace", "usr/share/bash-completion/completions/millrace",
            "usr/share/zsh/vendor-completions/_millrace");
    }

    @Test
    void shouldStartInstancesAsTheUserOfThePackage() throws IOException
    {
        assertThat(mode(deb, UNIT)).isEqualTo("644");
        final String unit = Files.readString(directory.resolve(UNIT));
        assertThat(unit).contains("\nUser=millrace\n", "\nGroup=millrace\n", "\nWantedBy=multi-user.target\n");
        final Matcher path = Pattern.compile("(?m)^(?:ExecStart|ConditionPathExists|Documentation)=(?:file://)?/(.*)$")
            .matcher(unit.replace("%i", "defaultserver"));
        assertThat(path.results().map(found -> found.group(1)).toList()).hasSize(3)
            .allSatisfy(name -> assertThat(deb).containsKey(name));
    }

    @Test
    void shouldRunFromTheInstalledTree() throws Exception
    {
        final Result version = Product.run(Map.of(), directory.resolve(INSTALLED + "bin/millrace"), "--version");
        assertThat(version.exitCode()).as(version.output()).isZero();
        assertThat(version.output()).matches("millrace \\d+\\.\\d+.*\\s*");
        assertThat(control.get("control")).contains(
            "\nVersion: " + version.output().strip().substring("millrace ".length()).replace("-", "~") + "\n");

        final Result start =
            Product.run(Map.of(), directory.resolve(INSTALLED + INSTANCE + "startwlevs.sh"), "-dryrun");
        assertThat(start.exitCode()).as(start.output()).isZero();
        assertThat(start.output()).contains("-Dwlevs.home=" + directory.toRealPath().resolve("opt/millrace"));
    }
}
