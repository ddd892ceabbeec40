package dev.millrace.cql.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the documents and compares their output. Blocks of one document share their files. */
@Timeout(120)
class ConsoleExamplesTest
{
    private static final String KIND = "console";

    @TempDir
    private static Path folder;

    @TestFactory
    Stream<DynamicTest> shouldPrintWhatTheDocumentsShow()
    {
        return Fence.documents().stream().filter(document -> blocks(document).findAny().isPresent())
            .map(document -> DynamicTest.dynamicTest(Fence.root().relativize(document).toString(), () -> {
                final Console console = new Console(Files.createTempDirectory(folder, "document").toRealPath());
                for (final Fence fence : blocks(document).toList())
                {
                    console.run(fence);
                }
            }));
    }

    private static Stream<Fence> blocks(final Path document)
    {
        return Fence.of(document).stream().filter(fence -> fence.kind().equals(KIND));
    }

    private static Fence block(final String... lines)
    {
        return new Fence(Fence.root().resolve("README.md"), 1, KIND, List.of(lines));
    }

    @Test
    void shouldNoticeOtherOutput() throws IOException
    {
        final Console console = new Console(Files.createTempDirectory(folder, "own").toRealPath());
        console.run(block("$ cat q.cql", "select k from S where k > 1", "$ cat s.csv", "1", "2",
            "$ millrace cql run q.cql --stream 'S=s.csv:k int'", "q1 2 + 2", "$ echo $?", "0"));
        assertThatThrownBy(() -> console.run(block("$ millrace cql run q.cql --stream 'S=s.csv:k int'", "q1 2 + 3")))
            .isInstanceOf(AssertionError.class).hasMessageContaining("printed\nq1 2 + 2\ninstead of\nq1 2 + 3");
        assertThatThrownBy(() -> console.run(block("$ rm -rf nothing"))).hasMessageContaining("cannot be tried");
    }

    @Test
    void shouldTakeDotsForAnyLines() throws IOException
    {
        final Console console = new Console(Files.createTempDirectory(folder, "dots").toRealPath());
        console.run(block("$ cat q.cql", "select k from S", "$ cat s.csv", "1", "2", "3",
            "$ millrace cql run q.cql --stream 'S=s.csv:k int'", "q1 1 + 1", "...", "q1 3 + 3",
            "$ millrace cql run q.cql --stream 'S=s.csv:k int'", "..."));
        assertThat(folder).isNotEmptyDirectory();
    }
}
