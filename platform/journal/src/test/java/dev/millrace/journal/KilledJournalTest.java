package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that appends numbered records of random length, again and again, and counts what is there. */
@Tag("slow")
@Timeout(240)
class KilledJournalTest
{
    private static final int KILLS = 12;
    private static final long SEED = 20261129;
    private static final int MAX_BYTES = 3_000;

    @TempDir
    private Path directory;

    private static JournalSettings settings(final Path directory)
    {
        return JournalSettings.of(directory, "killed").withSpace(1 << 20, 1L << 34, 0);
    }

    /** Appends until it is killed; writes the number of each record that was appended to its standard output. */
    public static final class Appender
    {
        private Appender()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            final Random random = new Random(Long.parseLong(args[1]));
            final DataOutputStream out = new DataOutputStream(System.out);
            try (Journal journal = Journals.open(settings(Path.of(args[0])), System::currentTimeMillis))
            {
                long number = count(journal);
                while (true)
                {
                    final ByteBuffer record = record(number, random.nextInt(MAX_BYTES));
                    journal.append(record.array(), 0, record.capacity());
                    out.writeLong(number++);
                    out.flush();
                }
            }
        }
    }

    private static ByteBuffer record(final long number, final int length)
    {
        final ByteBuffer record = ByteBuffer.allocate(Long.BYTES + length);
        record.putLong(0, number);
        for (int i = Long.BYTES; i < record.capacity(); i++)
        {
            record.put(i, (byte)(number + i));
        }
        return record;
    }

    /** Number of records; fails if one is missing, doubled or changed. */
    private static long count(final Journal journal)
    {
        long number = 0;
        try (JournalReader reader = journal.openReader())
        {
            while (reader.next())
            {
                final ByteBuffer read = ByteBuffer.wrap(reader.bytes(), 0, reader.length());
                assertThat(read).isEqualTo(record(number, reader.length() - Long.BYTES));
                number++;
            }
        }
        return number;
    }

    @Test
    void shouldLoseAndDoubleNothingWhenItsProcessIsKilled() throws Exception
    {
        final Random random = new Random(SEED);
        long acknowledged = 0;
        for (int kill = 0; kill < KILLS; kill++)
        {
            acknowledged = Math.max(acknowledged, runAndKill(random.nextLong(), random.nextInt(3_000)));
        }
        try (Journal journal = Journals.open(settings(directory), System::currentTimeMillis))
        {
            // At most one record was appended, but not acknowledged when the process was killed.
            assertThat(count(journal)).isBetween(acknowledged, acknowledged + 1);
            assertThat(acknowledged).isGreaterThan(KILLS);
        }
    }

    /** Returns the number of records that the process has acknowledged. */
    private long runAndKill(final long seed, final int records) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-")).forEach(command::add);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            Appender.class.getName(), directory.toString(), Long.toString(seed)));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        long last = -1;
        try (DataInputStream in = new DataInputStream(process.getInputStream()))
        {
            for (int i = 0; i < records + 1; i++)
            {
                last = in.readLong();
            }
            // Unlike the process, its handle leaves the pipe open, so that all that was written can be read.
            process.toHandle().destroyForcibly();
            while (true)
            {
                last = in.readLong();
            }
        }
        catch (final EOFException end)
        {
            process.waitFor();
        }
        return last + 1;
    }
}
