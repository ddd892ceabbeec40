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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that are killed at random rows: a receiver that stores the numbers of rows gets each row once. */
@Timeout(60)
class KilledSourceTest
{
    private static final int KILLS = 12;
    private static final int ROWS_PER_FILE = 700;

    @TempDir
    private Path directory;

    private final RunningSource.Receiver receiver = new RunningSource.Receiver();
    private final Random random = new Random(Long.getLong("seed", System.nanoTime()));
    private long written;

    /** Each row has its line, a bad line and a record of two lines between them. */
    private String rows(final int count)
    {
        final StringBuilder text = new StringBuilder("id,symbol,price\n");
        for (int i = 0; i < count; i++)
        {
            written++;
            text.append(written).append(",\"s").append(random.nextInt(100_000)).append("\n\",").append(written)
                .append('\n');
            if (written % 50 == 0)
            {
                text.append("bad,").append("x".repeat(random.nextInt(200))).append(",1\n");
            }
        }
        return text.toString();
    }

    private void put(final Path file, final String text) throws IOException
    {
        Files.createDirectories(file.getParent());
        try (OutputStream out = file.toString().endsWith(".gz") ?
            new GZIPOutputStream(Files.newOutputStream(file)) : Files.newOutputStream(file))
        {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private RunningSource source(final Consumer<FileSource> properties) throws IOException
    {
        return new RunningSource(Format.CSV, TestStage.TICK, receiver, made ->
        {
            made.setPositionFile(directory.resolve("positions").toString());
            made.setMaxLineBytes(120);
            properties.accept(made);
        });
    }

    /** Kills sources until the receiver has all rows. */
    private void killAndRestart(final Consumer<FileSource> properties, final int rows) throws Exception
    {
        receiver.isStoring = true;
        for (int kill = 0; kill <= KILLS; kill++)
        {
            final int before = receiver.size();
            receiver.killAfter = kill == KILLS ? Integer.MAX_VALUE : before + random.nextInt(rows / KILLS);
            try (RunningSource source = source(properties).start())
            {
                if (kill < KILLS)
                {
                    source.join();
                    receiver.forget(random.nextInt(1 + receiver.size() - before));
                }
                else
                {
                    source.awaitRows(rows);
                    source.suspend();
                }
                assertThat(source.stage.raised).isEmpty();
            }
        }
        assertThat(receiver.size()).isEqualTo(rows);
        for (int i = 0; i < rows; i++)
        {
            assertThat(receiver.rows.get(i).get(0)).isEqualTo(i + 1L);
        }
        assertThat(receiver.numbers).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows.csv", "rows.csv.gz"})
    void shouldReadEachRowOfAFileOnce(final String name) throws Exception
    {
        put(directory.resolve(name), rows(ROWS_PER_FILE * 5));
        killAndRestart(made -> made.setFile(directory.resolve(name).toString()), ROWS_PER_FILE * 5);
    }

    @Test
    void shouldReadEachRowOfAnotherCharsetOnce() throws Exception
    {
        Files.writeString(directory.resolve("rows"), rows(ROWS_PER_FILE * 5), StandardCharsets.UTF_16);
        killAndRestart(made ->
        {
            made.setFile(directory.resolve("rows").toString());
            made.setCharset("UTF-16");
        }, ROWS_PER_FILE * 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep", "delete"})
    void shouldReadEachRowOfADirectoryOnce(final String afterRead) throws Exception
    {
        for (int i = 0; i < 8; i++)
        {
            put(directory.resolve("in/" + i + (i % 2 == 0 ? ".csv" : ".gz")), rows(i == 4 ? 0 : 1 + random.nextInt(
                ROWS_PER_FILE)));
        }
        killAndRestart(made ->
        {
            made.setDirectory(directory.resolve("in").toString());
            made.setAfterRead(afterRead);
        }, (int)written);
    }

    /** A row that is rejected is never received. */
    @Test
    void shouldDeleteAFileWhoseLastRowIsRejected() throws Exception
    {
        put(directory.resolve("in/rows.csv"), rows(10) + "bad,x,1\n");
        receiver.isStoring = true;
        receiver.killAfter = Integer.MAX_VALUE;
        final Consumer<FileSource> properties = made ->
        {
            made.setDirectory(directory.resolve("in").toString());
            made.setAfterRead("delete");
        };
        try (RunningSource source = source(properties).start())
        {
            source.awaitRows(10);
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (Files.exists(directory.resolve("in/rows.csv")) && System.nanoTime() < endNs)
            {
                Thread.onSpinWait();
            }
        }
        assertThat(directory.resolve("in")).isEmptyDirectory();
    }

    @Test
    void shouldReadEachRowOfARotatedFileOnce() throws Exception
    {
        final Path file = directory.resolve("rows.csv");
        final int rows = ROWS_PER_FILE * 6;
        final Thread writer = new Thread(() ->
        {
            try
            {
                for (int i = 0; i < 6; i++)
                {
                    final String text = rows(ROWS_PER_FILE);
                    for (int at = 0; at < text.length(); at += 997)
                    {
                        Files.writeString(file, text.substring(at, Math.min(text.length(), at + 997)),
                            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    }
                    while (i < 5 && receiver.size() < (i + 1) * ROWS_PER_FILE)
                    {
                        Thread.onSpinWait();
                    }
                    if (i < 5)
                    {
                        Files.move(file, directory.resolve("rows." + i + ".csv"));
                    }
                }
            }
            catch (final IOException e)
            {
                throw new IllegalStateException(e);
            }
        });
        put(file, "");
        writer.start();
        killAndRestart(made ->
        {
            made.setFile(file.toString());
            made.setMode("tail");
        }, rows);
        writer.join();
    }

    @Test
    void shouldShowTheRightLineOfARejectedRowAfterAKill() throws Exception
    {
        final String text = rows(1_000);
        put(directory.resolve("rows"), text + "bad,x,1\n");
        receiver.isStoring = true;
        receiver.killAfter = 900;
        source(made -> made.setFile(directory.resolve("rows").toString())).start().join().close();
        receiver.killAfter = Integer.MAX_VALUE;
        try (RunningSource last = source(made -> made.setFile(directory.resolve("rows").toString())).start().join())
        {
            assertThat(receiver.size()).isEqualTo(1_000);
            assertThat(last.rejections()).last().asString()
                .contains(" line=" + (1 + text.chars().filter(each -> each == '\n').count()) + " ");
        }
    }
}
