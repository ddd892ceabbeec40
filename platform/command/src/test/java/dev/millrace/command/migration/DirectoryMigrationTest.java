package dev.millrace.command.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.Main;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sources, assembly files and manifests of a directory are mapped; the rest is copied. */
@Timeout(60)
class DirectoryMigrationTest
{
    @TempDir
    private Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path source;
    private Path output;

    @BeforeEach
    void createDirectory() throws IOException
    {
        source = Files.createDirectories(directory.resolve("old"));
        output = directory.resolve("new");
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = source.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String read(final String name) throws IOException
    {
        return new String(Files.readAllBytes(output.resolve(name)), StandardCharsets.ISO_8859_1);
    }

    private int migrate(final String... arguments)
    {
        final String[] command = new String[arguments.length + 2];
        command[0] = "migrate";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        command[command.length - 1] = source.toString();
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(command);
    }

    @Test
    void shouldMapSources() throws IOException
    {
        write("src/app/Sink.java", """
            package app;
            import com.bea.wlevs.ede.api.*;
            import com.bea.wlevs.util.Service;
            /** Implements StreamSink, not RelationSink. \u00e9 */
            public class Sink implements StreamSink, com.bea.wlevs.ede.api.DisposableBean {
                @Service public void setTypes(EventTypeRepository types) {}
            }
            """);
        write("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nBundle-SymbolicName: app\n"
            + "Import-Package: com.bea.wlevs.ede.api;version=\"11.1\",com.bea.wlevs.util\n");
        write("META-INF/wlevs/config.xml", "<config/>");
        write("build.xml", "<project name=\"com.bea.wlevs.ede.api.StreamSink\"/>");
        write(".git/HEAD", "ref");

        assertThat(migrate("--output", output.toString())).isEqualTo(ExitCode.DONE);

        assertThat(read("src/app/Sink.java")).isEqualTo("""
            package app;
            import dev.millrace.api.oep.EventTypeRepository;
            import dev.millrace.api.stage.StreamSink;
            import dev.millrace.api.oep.Service;
            /** Implements StreamSink, not RelationSink. \u00e9 */
            public class Sink implements StreamSink, dev.millrace.api.lifecycle.DisposableBean {
                @Service public void setTypes(EventTypeRepository types) {}
            }
            """);
        assertThat(read("META-INF/MANIFEST.MF")).contains(
            "Import-Package: dev.millrace.api.oep,dev.millrace.api.stage\r\n");
        assertThat(read("META-INF/wlevs/config.xml")).isEqualTo("<config/>");
        assertThat(read("build.xml")).contains("com.bea.wlevs.ede.api.StreamSink");
        assertThat(output.resolve(".git")).doesNotExist();
        assertThat(out.toString()).contains("mapped: com.bea.wlevs.ede.api.DisposableBean -> "
            + "dev.millrace.api.lifecycle.DisposableBean, files 1");
        assertThat(err.toString()).contains("nothing is left to do; build it against millrace-api");
    }

    @Test
    void shouldReportWhatSourcesNeed() throws IOException
    {
        write("src/app/Loader.java", """
            package app;
            import com.bea.cache.jcache.CacheLoader;
            import com.bea.wlevs.configuration.Activate;
            import com.bea.wlevs.ede.api.*;
            // com.bea.wlevs.configuration.Prepare
            public class Loader implements CacheLoader<String, Object> { StreamSink sink; EventBuilder builder; }
            """);

        assertThat(migrate()).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString()).contains(
            "src/app/Loader.java:3:8: CMD-0280: the class has no counterpart, "
                + "class=com.bea.wlevs.configuration.Activate",
            "src/app/Loader.java:4:8: CMD-0280: the class has no counterpart, class=com.bea.wlevs.ede.api.EventBuilder",
            "src/app/Loader.java:7:32: CMD-0286: the counterpart has no type parameters, "
                + "class=dev.millrace.api.cache.CacheLoader", "left to do: 3").doesNotContain("Prepare");
        assertThat(output).doesNotExist();
    }

    @Test
    void shouldNotOverwrite() throws IOException
    {
        write("a.txt", "a");
        Files.createDirectories(output);

        assertThat(migrate("--output", output.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(migrate("--output", source.resolve("new").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("CMD-0288");
    }
}
