package dev.millrace.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(180)
class LauncherTest
{
    private static final String FELIX = "org.apache.felix";

    private static final String EQUINOX = "org.eclipse.osgi";

    private static final long DEADLINE_SECONDS = 60;

    @TempDir
    private Path directory;

    private Path home;

    private Path domain;

    @BeforeEach
    void makeDirectories() throws IOException
    {
        home = Files.createDirectories(directory.resolve("home"));
        domain = Files.createDirectories(directory.resolve("domain"));
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("config/logback.xml"), """
            <configuration>
              <appender name="c" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%level %msg%n</pattern></encoder>
              </appender>
              <root level="INFO"><appender-ref ref="c"/></root>
            </configuration>
            """);
    }

    private void bundle(final String name, final String imports) throws IOException
    {
        final Manifest manifest = new Manifest();
        final Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", name);
        attributes.putValue("Bundle-Activator", SpeakingActivator.class.getName());
        attributes.putValue("Import-Package", "org.osgi.framework" + imports);
        final Path jar = Files.createDirectories(home.resolve("bundles/10-base")).resolve(name + ".jar");
        final String entry = SpeakingActivator.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
            InputStream in = SpeakingActivator.class.getClassLoader().getResourceAsStream(entry))
        {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
        }
    }

    private Process start(final String framework, final String... options) throws IOException
    {
        final List<String> classPath = new ArrayList<>();
        for (final String element : System.getProperty("java.class.path").split(":"))
        {
            final String name = Path.of(element).getFileName().toString();
            if (!name.startsWith(framework.equals(FELIX) ? EQUINOX : FELIX) && !element.endsWith("test-classes"))
            {
                classPath.add(element);
            }
        }
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dwlevs.home=" + home,
            "-Dwlevs.domain.home=" + domain));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", String.join(":", classPath), Main.class.getName()));
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(domain.resolve("out.txt").toFile()).start();
    }

    private String output() throws IOException
    {
        return Files.readString(domain.resolve("out.txt"));
    }

    private int awaitExit(final Process process) throws Exception
    {
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            throw new AssertionError("process does not end:\n" + output());
        }
        return process.exitValue();
    }

    private void awaitOutput(final Process process, final String text) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!output().contains(text))
        {
            if (System.nanoTime() - deadlineNs > 0 || !process.isAlive())
            {
                process.destroyForcibly();
                throw new AssertionError("process did not write " + text + ":\n" + output());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {FELIX, EQUINOX})
    void shouldStartBundlesAndStopThemOnASignal(final String framework) throws Exception
    {
        bundle("speaking.bundle", ",org.slf4j;version=\"[2.0,3)\"");
        final Process process = start(framework);
        awaitOutput(process, "bundle speaks");
        process.destroy();

        assertThat(awaitExit(process)).isEqualTo(143);
        assertThat(output()).contains("server STARTING", "SHUTTING_DOWN", "bundle is silent", "server stopped");
        assertThat(domain.resolve("var/pid")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {FELIX, EQUINOX})
    void shouldStartAnUnpackedBundleAndLeaveOtherFoldersAlone(final String framework) throws Exception
    {
        bundle("speaking.bundle", ",org.slf4j;version=\"[2.0,3)\"");
        final Path folder = home.resolve("bundles/10-base");
        unpack(folder.resolve("speaking.bundle.jar"), folder.resolve("speaking.bundle"));
        Files.createDirectories(folder.resolve("notes"));
        final Process process = start(framework);
        awaitOutput(process, "bundle speaks");
        process.destroy();

        assertThat(awaitExit(process)).isEqualTo(143);
        assertThat(output()).contains("bundle is silent", "server stopped");
    }

    private static void unpack(final Path jar, final Path directory) throws IOException
    {
        try (JarFile file = new JarFile(jar.toFile()))
        {
            for (final JarEntry entry : Collections.list(file.entries()))
            {
                final Path path = directory.resolve(entry.getName());
                Files.createDirectories(path.getParent());
                Files.copy(file.getInputStream(entry), path);
            }
        }
        Files.delete(jar);
    }

    @ParameterizedTest
    @ValueSource(strings = {FELIX, EQUINOX})
    void shouldSayWhyWhenABundleDoesNotStart(final String framework) throws Exception
    {
        bundle("speaking.bundle", ",org.slf4j");
        final Process refusing = start(framework, "-Dspeaking.refuse=config.xml:3:1: SRV-9999: no good");
        assertThat(awaitExit(refusing)).isEqualTo(ExitCode.START_FAILED);
        assertThat(output()).contains("ERROR config.xml:3:1: SRV-9999: no good").doesNotContain("\tat ");

        bundle("needy.bundle", ",org.slf4j,org.example.absent");
        final Process unresolved = start(framework);
        assertThat(awaitExit(unresolved)).isEqualTo(ExitCode.START_FAILED);
        assertThat(output()).contains("SRV-0009", "needy.bundle", "org.example.absent");
    }

    @ParameterizedTest
    @ValueSource(strings = FELIX)
    void shouldCutTheProcessOffWhenABundleDoesNotStop(final String framework) throws Exception
    {
        bundle("speaking.bundle", ",org.slf4j");
        final Process process =
            start(framework, "-Dspeaking.hang=true", "-D" + LaunchSettings.STOP_TIMEOUT + "=1");
        awaitOutput(process, "bundle speaks");
        process.destroy();

        assertThat(awaitExit(process)).isIn(143, ExitCode.STOP_TIMED_OUT);
        assertThat(output()).contains("SHUTTING_DOWN").doesNotContain("bundle is silent");
    }

    @ParameterizedTest
    @ValueSource(strings = FELIX)
    void shouldRefuseWhenThereAreNoBundles(final String framework) throws Exception
    {
        assertThat(awaitExit(start(framework))).isEqualTo(ExitCode.START_FAILED);
        assertThat(output()).contains("SRV-0004");
    }
}
