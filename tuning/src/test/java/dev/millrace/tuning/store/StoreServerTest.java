package dev.millrace.tuning.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Location of the files of benchmark databases. */
@Timeout(120)
class StoreServerTest
{
    private static final long LIMIT_SECONDS = 90;

    @TempDir
    private Path directory;

    /**
     * Creates a directory for a database, prints its name, and deletes it. A separate program, since Java reads the
     * property once.
     */
    static final class Program
    {
        private Program()
        {
        }

        public static void main(final String[] args) throws Exception
        {
            final Path made = StoreServer.newDirectory();
            new StoreServer(made, null, null, () -> Files.createFile(made.resolve("data"))).close();
            System.out.print(made);
        }
    }

    @Test
    void shouldNameItsDirectoryInFullWhenThatForTemporaryFilesIsRelative() throws Exception
    {
        Files.createDirectory(directory.resolve("tmp"));
        final Path output = directory.resolve("output.txt");
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=tmp", "-cp", System.getProperty("java.class.path"), Program.class.getName())
            .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        final String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(Path.of(said)).isAbsolute();
        assertThat(Path.of(said).getParent().getFileName()).hasToString("tmp");
        assertThat(directory.resolve("tmp")).as("what is left").isEmptyDirectory();
    }
}
