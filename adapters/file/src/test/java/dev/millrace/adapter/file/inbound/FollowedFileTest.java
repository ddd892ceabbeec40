package dev.millrace.adapter.file.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.inbound.FileSource.Format;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sources that follow a real file that grows and is rotated. */
@Timeout(60)
class FollowedFileTest
{
    private static final String HEADER = "id,symbol,price\n";

    @TempDir
    private Path directory;

    private final RunningSource.Receiver receiver = new RunningSource.Receiver();
    private Path file;
    private RunningSource source;

    @BeforeEach
    void create()
    {
        file = directory.resolve("rows.csv");
    }

    @AfterEach
    void close() throws IOException
    {
        if (source != null)
        {
            source.close();
        }
    }

    private void follow(final Consumer<FileSource> properties) throws IOException
    {
        source = new RunningSource(Format.CSV, TestStage.TICK, receiver, made ->
        {
            made.setPositionFile(directory.resolve("positions").toString());
            made.setFile(file.toString());
            made.setMode("tail");
            properties.accept(made);
        }).start();
    }

    private void follow() throws IOException
    {
        follow(made ->
        {
        });
    }

    private void append(final String text) throws IOException
    {
        Files.writeString(file, text, StandardOpenOption.APPEND, StandardOpenOption.CREATE);
    }

    private Object[] ids(final long last)
    {
        return LongStream.rangeClosed(1, last).boxed().toArray();
    }

    @Test
    void shouldReadLinesWhenTheyAreComplete() throws Exception
    {
        append("id,sym");
        follow();
        append("bol,price\n1,a,1\n2,b");
        source.awaitRows(1);
        append("b,2\n3,\"c\n");
        source.awaitRows(2);
        append("d\",3\n");
        source.awaitRows(3);
        assertThat(receiver.column(1)).containsExactly("a", "bb", "c\nd");
        assertThat(source.rejections()).isEmpty();
    }

    @Test
    void shouldContinueWithTheNextFileWhenTheFileIsRenamed() throws Exception
    {
        receiver.isStoring = true;
        append(HEADER + "1,a,1\n");
        follow();
        source.awaitRows(1);
        Files.move(file, directory.resolve("rows.1.csv"));
        // The writer still has the renamed file open, and its last line lacks an end.
        Files.writeString(directory.resolve("rows.1.csv"), "2,b,2\n3,c,3", StandardOpenOption.APPEND);
        source.awaitRows(2);
        append(HEADER + "4,d,4\n");
        source.awaitRows(4);
        append("5,e,5\n");
        source.awaitRows(5);
        assertThat(receiver.column(0)).containsExactly(ids(5));
    }

    @Test
    void shouldBeginAnewWhenTheFileIsTruncated() throws Exception
    {
        receiver.isStoring = true;
        append(HEADER + "1,a,1\n2,b,2\n");
        follow();
        source.awaitRows(2);
        Files.writeString(file, HEADER + "3,c,3\n");
        source.awaitRows(3);
        assertThat(receiver.column(0)).containsExactly(ids(3));
        assertThat(receiver.numbers).isSorted();
    }

    @Test
    void shouldBeginAtTheEnd() throws Exception
    {
        append(HEADER + "-1,old,0\n");
        follow(made -> made.setStartAt("end"));
        source.await("an open file", () -> directory.resolve("positions").toFile().length() > 30);
        append("1,a,1\n");
        source.awaitRows(1);
        Files.move(file, directory.resolve("rows.1.csv"));
        append(HEADER + "2,b,2\n");
        source.awaitRows(2);
        assertThat(receiver.column(0)).containsExactly(ids(2));
    }

    @Test
    void shouldFindTheRotatedFileAfterARestart() throws Exception
    {
        receiver.isStoring = true;
        append(HEADER + "1,a,1\n2,b,2\n");
        follow();
        source.awaitRows(2);
        source.suspend();
        source.close();
        receiver.forget(1);
        append("3,c,3\nx,c,3\n");
        Files.move(file, directory.resolve("rows.old"));
        append(HEADER + "4,d,4\n");
        follow();
        source.awaitRows(4);
        assertThat(receiver.column(0)).containsExactly(ids(4));
        assertThat(source.rejections()).hasSize(1).allMatch(each -> each.contains(" line=5 "));
    }

    @Test
    void shouldContinueAfterTheLastRowWithoutAStoringReceiver() throws Exception
    {
        append(HEADER + "1,a,1\n2,b,2\n");
        follow();
        source.awaitRows(2);
        source.suspend();
        source.resume();
        append("3,c,3\n");
        source.awaitRows(3);
        source.suspend();
        source.close();
        append("4,d,4\nx,d,4\n");
        follow();
        source.awaitRows(4);
        source.await("the rejected row", () -> !source.rejections().isEmpty());
        assertThat(receiver.column(0)).containsExactly(ids(4));
        assertThat(source.rejections()).allMatch(each -> each.contains(" line=6 "));
    }

    @Test
    void shouldReportThatRowsAreLostWhenTheirFileWasDeleted() throws Exception
    {
        receiver.isStoring = true;
        append(HEADER + "1,a,1\n2,b,2\n");
        follow();
        source.awaitRows(2);
        source.suspend();
        source.close();
        Files.delete(file);
        append(HEADER + "3,c,3\n4,d,4\n");
        follow();
        source.awaitRows(4);
        assertThat(receiver.column(0)).containsExactly(ids(4));
        assertThat(source.figures()).containsEntry("lostFiles", 1L);
        source.suspend();
        source.close();
        follow();
        append("5,e,5\n");
        source.awaitRows(5);
        assertThat(receiver.column(0)).containsExactly(ids(5));
    }

    @Test
    void shouldBeginAnewWhenTheReceiverHasLostItsState() throws Exception
    {
        receiver.isStoring = true;
        append(HEADER + "1,a,1\n2,b,2\n");
        follow();
        source.awaitRows(2);
        Files.writeString(file, HEADER + "3,c,3\n");
        source.awaitRows(3);
        source.await("the first file to be forgotten", () -> Files.exists(file));
        source.suspend();
        source.close();
        receiver.forget(3);
        follow();
        source.awaitRows(1);
        assertThat(receiver.column(0)).last().isEqualTo(3L);
    }

    @Test
    void shouldNotStartWithPositionsOfAnotherSource() throws Exception
    {
        receiver.isStoring = true;
        append(HEADER + "1,a,1\n");
        follow();
        source.awaitRows(1);
        assertThatThrownBy(this::follow).isInstanceOf(BindException.class).hasMessageContaining("FIL-0113");
        source.suspend();
        source.close();
        Files.delete(directory.resolve("positions"));
        follow();
        source.join();
        assertThat(source.stage.raised.get("thread")).contains("FIL-0113", "do not contain");
        source.close();
        Files.writeString(directory.resolve("positions"), "other");
        assertThatThrownBy(this::follow).isInstanceOf(IOException.class).hasMessageContaining("FIL-0113");
        source = null;
    }
}
