package dev.millrace.command.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.command.cli.CommandException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compiled bundles run against the new API, or the report names what differs. */
@Timeout(60)
class BundleMigrationTest
{
    private static final String MANIFEST = BundleMigration.MANIFEST;
    private static final byte[] PLAIN = OldSources.manifest();

    @TempDir
    private Path directory;

    private Path migrated;

    private MigrationReport migrate(final Map<String, String> sources, final Map<String, byte[]> others)
        throws IOException
    {
        final Path bundle = OldSources.bundle(
            directory.resolve("app.jar"), OldSources.compile(directory, sources), others);
        migrated = directory.resolve("new.jar");
        return new BundleMigration(bundle, null).migrate(migrated);
    }

    private List<String> problems(final Map<String, String> sources) throws IOException
    {
        return migrate(sources, Map.of(MANIFEST, PLAIN)).problems().stream().map(Problem::format).toList();
    }

    private Object created(final String name) throws Exception
    {
        // Stays open until the test ends, because classes are loaded when they are used.
        final URLClassLoader loader =
            new URLClassLoader(new URL[] {migrated.toUri().toURL()}, getClass().getClassLoader());
        return loader.loadClass(name).getConstructor().newInstance();
    }

    @Test
    void shouldRunMigratedClasses() throws Exception
    {
        final MigrationReport report = migrate(Map.of(
            "app.Relay", "public class Relay implements com.bea.wlevs.ede.api.StreamSink,"
                + " com.bea.wlevs.ede.api.RelationSource { private com.bea.wlevs.ede.api.StreamSender sender;"
                + " public void setEventSender(com.bea.wlevs.ede.api.StreamSender sender) { this.sender = sender; }"
                + " public void onInsertEvent(Object event) {"
                + " java.util.Arrays.asList(event).forEach(sender::sendInsertEvent); } }",
            "app.Loader", "import java.util.*; public class Loader"
                + " implements com.bea.cache.jcache.CacheLoader<String, Integer> {"
                + " public Integer load(String key) { return key.length(); }"
                + " public Map<String, Integer> loadAll(Collection<String> keys) { return new HashMap<>(); }"
                + " public Map<String, Integer> loadAll() { return new HashMap<>(); } }"), Map.of(MANIFEST, PLAIN));
        assertThat(report.problems()).isEmpty();
        assertThat(report.mapped()).containsEntry(
            "com.bea.wlevs.ede.api.StreamSink -> dev.millrace.api.stage.StreamSink", 1);

        final List<Object> sent = new ArrayList<>();
        final Object relay = created("app.Relay");
        ((dev.millrace.api.oep.RelationSource)relay).setEventSender((StreamSender)new Recorder(sent));
        ((StreamSink)relay).onInsertEvent("event");
        assertThat(sent).containsExactly("event");

        final Object loader = created("app.Loader");
        assertThat(((CacheLoader)loader).load("four")).isEqualTo(4);
        // Reflection, which Spring uses, fails on type arguments of an interface that has no parameters.
        assertThat(loader.getClass().getGenericInterfaces()).containsExactly(CacheLoader.class);
    }

    private record Recorder(List<Object> sent) implements StreamSender
    {
        @Override
        public void sendInsertEvent(final Object event)
        {
            sent.add(event);
        }

        @Override
        public void sendHeartbeat(final long timestampNs)
        {
            throw new AssertionError("unexpected heartbeat");
        }
    }

    @Test
    void shouldReportAClassWithoutCounterpart() throws IOException
    {
        assertThat(problems(Map.of("app.Builder", "public class Builder implements com.bea.wlevs.ede.api.EventBuilder {"
            + " public Object createEvent() { return null; } }"))).singleElement().asString().isEqualTo(
            "app.jar!app/Builder.class: CMD-0280: the class has no counterpart, class="
                + "com.bea.wlevs.ede.api.EventBuilder\n    hint: give the event class a constructor without parameters"
                + " and setters");
    }

    @Test
    void shouldReportAMethodThatTheCounterpartDoesNotHave() throws IOException
    {
        assertThat(problems(Map.of("app.Sender", "public class Sender {"
            + " public void send(com.bea.wlevs.ede.api.StreamSender to) { to.sendInsertEvent(1); to.sendAll(2); } }")))
            .singleElement().asString().contains("CMD-0281", "class=app.Sender",
            "counterpart=dev.millrace.api.stage.StreamSender method=sendAll(I)V");
    }

    @Test
    void shouldReportAMethodThatTheClassDoesNotImplement() throws IOException
    {
        assertThat(problems(Map.of("app.Batches", "public class Batches implements"
            + " com.bea.wlevs.ede.api.BatchStreamSink { public void onInsertEvents(Object[] events) {} }")))
            .singleElement().asString().contains("CMD-0282", "class=app.Batches",
            "counterpart=dev.millrace.api.stage.BatchStreamSink method=onInsertEvents(Ljava/util/Collection;)V");
    }

    @Test
    void shouldReportAnAttributeThatTheAnnotationDoesNotHave() throws IOException
    {
        assertThat(problems(Map.of("app.Bean", "public class Bean {"
            + " @com.bea.wlevs.util.Service(timeout = 5) public void setName(String name) {} }")))
            .singleElement().asString().contains("CMD-0281", "dev.millrace.api.oep.Service attribute=timeout");
    }

    @Test
    void shouldReportClassesAndBundlesOfTheOldServer() throws IOException
    {
        final MigrationReport report = migrate(Map.of(), Map.of(
            MANIFEST, OldSources.manifest("Require-Bundle: com.bea.wlevs.ede,com.example.library"),
            "com/bea/wlevs/ede/api/StreamSink.class", OldSources.compile(directory, Map.of())
                .get("com/bea/wlevs/ede/api/StreamSink.class")));

        assertThat(report.problems()).extracting(Problem::code, Problem::text).containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("CMD-0283",
                "the manifest requires a bundle of Oracle's server, bundle=com.bea.wlevs.ede"),
            org.assertj.core.groups.Tuple.tuple("CMD-0285",
                "the bundle contains a class of the old API, class=com.bea.wlevs.ede.api.StreamSink"));
    }

    @Test
    void shouldMapTheManifest() throws IOException
    {
        final MigrationReport report = migrate(Map.of("app.Sink", "public class Sink implements"
            + " com.bea.wlevs.ede.api.StreamSink { public void onInsertEvent(Object event) {"
            + " System.out.println(((javax.jms.Message)event).getText()); } }"), Map.of(
            MANIFEST, OldSources.manifest("Import-Package: com.bea.wlevs.ede.api;version=\"[11.1,12)\",",
                " com.bea.wlevs.spring.support,javax.jms;version=\"1.1.0\",org.springframework.",
                " beans;version=\"[2.5,3)\",com.example.other;a=\"x,y\";version=\"1.0\"", "Private: com.bea",
                "Bundle-ManifestVersion: 2.0.0"),
            "META-INF/KEY.SF", new byte[] {1}));

        assertThat(report.problems()).isEmpty();
        assertThat(report.removedImports()).containsExactly("com.bea.wlevs.spring.support");
        final var main = OldSources.manifest(migrated).getMainAttributes();
        assertThat(main.getValue("Import-Package")).isEqualTo("org.springframework.beans;resolution:=optional,"
            + "com.example.other;a=\"x,y\";version=\"1.0\",dev.millrace.api.stage,jakarta.jms");
        assertThat(main.getValue("Bundle-ManifestVersion")).isEqualTo("2");
        assertThat(main.getValue("Private")).isEqualTo("com.bea");
        assertThat(OldSources.entry(migrated, "META-INF/KEY.SF")).isNull();
    }

    @Test
    void shouldMapNestedJarsAndAssemblyFiles() throws Exception
    {
        final Map<String, byte[]> classes = OldSources.compile(directory, Map.of("app.Sink", "public class Sink"
            + " implements com.bea.wlevs.ede.api.StreamSink { public void onInsertEvent(Object event) {} }"));
        final ByteArrayOutputStream nested = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(nested))
        {
            zip.putNextEntry(new ZipEntry("app/Sink.class"));
            zip.write(classes.get("app/Sink.class"));
        }
        final String assembly = "<beans>\n"
            + "<bean id=\"a\" class=\"com.oracle.cep.cluster.hagroups.ActiveActiveGroupBean\"/>"
            + "<!-- \u00e9 -->\n<bean class='com.bea.wlevs.spring.support.Configurer'/></beans>";
        final Path bundle = OldSources.bundle(directory.resolve("nested.jar"), Map.of(), Map.of(MANIFEST,
            OldSources.manifest("Bundle-ClassPath: .,lib/sink.jar"), "lib/sink.jar", nested.toByteArray(),
            "META-INF/spring/a.xml", assembly.getBytes(StandardCharsets.UTF_8)));
        migrated = directory.resolve("new.jar");

        final MigrationReport report = new BundleMigration(bundle, null).migrate(migrated);

        assertThat(report.problems()).singleElement().extracting(problem -> problem.position().toString() + ' ' +
            problem.text()).isEqualTo("nested.jar!META-INF/spring/a.xml:3:14 the class has no counterpart, "
            + "class=com.bea.wlevs.spring.support.Configurer");
        assertThat(new String(OldSources.entry(migrated, "META-INF/spring/a.xml"), StandardCharsets.UTF_8)).isEqualTo(
            assembly.replace("com.oracle.cep.cluster.hagroups", "dev.millrace.cluster.groups"));
        assertThat(OldSources.manifest(migrated).getMainAttributes().getValue("Import-Package"))
            .isEqualTo("dev.millrace.api.stage,dev.millrace.cluster.groups");
        migrated = Files.write(directory.resolve("sink.jar"), OldSources.entry(migrated, "lib/sink.jar"));
        assertThat(created("app.Sink")).isInstanceOf(StreamSink.class);
    }

    @Test
    void shouldRefuseFilesThatAreNotBundles() throws IOException
    {
        final Path text = Files.writeString(directory.resolve("text.jar"), "no archive");

        assertThatThrownBy(() -> new BundleMigration(text, null).migrate(null))
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0284");
    }
}
