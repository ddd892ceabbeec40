package dev.millrace.cql.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command in a separate process, with a heap that could not hold the strings of its input. */
@Tag("slow")
@Timeout(300)
class CqlRunMemoryTest
{
    /** Stored as strings they would take about 120 MB. */
    private static final int IDS = 600_000;
    private static final long FIRST_ID = 1_000_000_000L;
    private static final int IDS_A_MILLISECOND = 20;

    @TempDir
    private Path folder;

    /** Main class of the process: the tool without its start script. */
    static final class Tool
    {
        private Tool()
        {
        }

        /** Runs the command. */
        public static void main(final String[] arguments)
        {
            final PrintWriter out = new PrintWriter(System.out);
            final int exit = CqlTool.run(System.in, out, new PrintWriter(System.err, true), arguments);
            out.flush();
            System.exit(exit);
        }
    }

    private Path ids() throws IOException
    {
        final Path file = folder.resolve("orders.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file))
        {
            for (int i = 0; i < IDS; i++)
            {
                // Formatting the ids would take longer than the runs.
                out.write("order-" + (FIRST_ID + i) + ',' + i % 10 + ',' + i / IDS_A_MILLISECOND + '\n');
            }
        }
        return file;
    }

    private List<String> rows(final String heap, final String statement) throws IOException, InterruptedException
    {
        final Path query = Files.writeString(folder.resolve("q.cql"), statement);
        final Path out = folder.resolve("out.txt");
        final Path err = folder.resolve("err.txt");
        final Process process = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), heap, "-cp",
            System.getProperty("java.class.path"), Tool.class.getName(), "run", query.toString(), "--stream",
            "Orders=" + ids() + ":id char,qty bigint,at bigint", "--time", "at"))
            .redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try
        {
            assertThat(process.waitFor(280, TimeUnit.SECONDS)).as("ends in time").isTrue();
        }
        finally
        {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        try (var lines = Files.lines(out))
        {
            return lines.filter(line -> line.startsWith("q1 ")).toList();
        }
    }

    @Test
    void shouldRunOverMoreDifferentTextsThanTheHeapHolds() throws IOException, InterruptedException
    {
        assertThat(rows("-Xmx64m", "select id, qty from Orders where qty > 8\n")).hasSize(IDS / 10);
    }

    /**
     * Each id has a group while it is in the window; a group of two rows would reveal an id that got the code of
     * another.
     */
    @Test
    void shouldGroupMoreDifferentTextsThanTheHeapHoldsWhileTheyAreInAWindow() throws IOException, InterruptedException
    {
        final List<String> rows = rows("-Xmx32m", "select id, count(*) as n, sum(qty) as qty from Orders " +
            "[range 200 milliseconds slide 100 milliseconds] group by id having count(*) > 1 or sum(qty) = 9\n");
        final int ticks = (IDS - 1) / IDS_A_MILLISECOND / 100;
        assertThat(rows.stream().filter(line -> line.contains(" + ")))
            .hasSize((ticks * 100 + 1) * IDS_A_MILLISECOND / 10);
        assertThat(rows).noneMatch(line -> line.contains(",2,"));
    }
}
