package dev.millrace.adapter.file.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.inbound.FileSource.Format;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sources that read the files of a real directory. */
@Tag("slow")
@Timeout(180)
class DirectoryTest
{
    @TempDir
    private Path directory;

    private final RunningSource.Receiver receiver = new RunningSource.Receiver();
    private Path files;
    private RunningSource source;

    @BeforeEach
    void create() throws IOException
    {
        files = Files.createDirectory(directory.resolve("in"));
    }

    @AfterEach
    void close() throws IOException
    {
        if (source != null)
        {
            source.close();
        }
    }

    private void read(final Consumer<FileSource> properties) throws IOException
    {
        source = new RunningSource(Format.JSON, TestStage.TICK, receiver, made ->
        {
            made.setPositionFile(directory.resolve("positions").toString());
            made.setDirectory(files.toString());
            made.setPattern("*.{json,gz}");
            properties.accept(made);
        }).start();
    }

    private void put(final String name, final long... ids) throws IOException
    {
        final Path next = directory.resolve("next");
        try (OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(Files.newOutputStream(next)) :
            Files.newOutputStream(next))
        {
            for (final long id : ids)
            {
                out.write(("{\"id\":" + id + ",\"symbol\":\"s\",\"price\":1}\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(next, files.resolve(name));
    }

    @Test
    void shouldReadNewFilesInTheOrderOfNames() throws Exception
    {
        put("b.json", 2, 3);
        put("a.json.gz", 1);
        put("c.txt", 99);
        put("c.json", 4);
        Files.createDirectory(files.resolve("d.json"));
        read(made ->
        {
        });
        source.awaitRows(4);
        put("aa.json", 5);
        source.awaitRows(5);
        // A file that has grown is continued, one that was replaced is read.
        Files.writeString(files.resolve("b.json"), "{\"id\":6,\"symbol\":\"s\",\"price\":1}\n",
            StandardOpenOption.APPEND);
        source.awaitRows(6);
        Files.delete(files.resolve("c.json"));
        put("c.json", 7, 8);
        source.awaitRows(8);
        assertThat(receiver.column(0)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void shouldNotReadFilesAgainAfterARestart() throws Exception
    {
        put("a.json", 1);
        put("b.json", 2);
        read(made ->
        {
        });
        source.awaitRows(2);
        source.suspend();
        source.close();
        put("0.json", 3);
        read(made ->
        {
        });
        source.awaitRows(3);
        source.suspend();
        assertThat(receiver.column(0)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldDeleteFilesWhoseRowsWereReceived() throws Exception
    {
        receiver.isStoring = true;
        put("a.json", 1, 2);
        put("b.json.gz", 3);
        read(made -> made.setAfterRead("delete"));
        source.await("no more files", () -> files.toFile().list().length == 0);
        put("a.json", 4);
        source.await("no more files", () -> files.toFile().list().length == 0);
        assertThat(receiver.column(0)).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void shouldMoveFilesAndReportWhenThatIsImpossible() throws Exception
    {
        final Path done = directory.resolve("done");
        Files.writeString(done, "not a directory");
        put("a.json", 1);
        read(made ->
        {
            made.setAfterRead("move");
            made.setMoveTo(done.toString());
        });
        source.await("the condition", () -> source.stage.raised.containsKey("FIL-0116"));
        Files.delete(done);
        source.await("the moved file", () -> Files.exists(done.resolve("a.json")));
        source.await("the end of the condition", source.stage.raised::isEmpty);
        put("b.json", 2);
        source.awaitRows(2);
        assertThat(receiver.column(0)).containsExactly(1L, 2L);
    }

    @Test
    void shouldKeepDamagedFiles() throws Exception
    {
        put("a.json", 1);
        Files.move(files.resolve("a.json"), files.resolve("a.gz"));
        put("b.json", 2);
        read(made -> made.setAfterRead("delete"));
        source.await("the good file", () -> !Files.exists(files.resolve("b.json")));
        assertThat(files.resolve("a.gz")).exists();
        assertThat(source.rejections()).hasSize(1).allMatch(each -> each.startsWith("damaged-file FIL-0130"));
        assertThat(receiver.column(0)).containsExactly(2L);
    }

    @Test
    void shouldReportAMissingDirectory() throws Exception
    {
        Files.delete(files);
        read(made ->
        {
        });
        source.await("the condition", () -> source.stage.raised.containsKey("FIL-0111"));
        Files.createDirectory(files);
        put("a.json", 1);
        source.awaitRows(1);
        source.await("the end of the condition", source.stage.raised::isEmpty);
    }
}
