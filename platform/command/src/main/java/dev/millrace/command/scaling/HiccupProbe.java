package dev.millrace.command.scaling;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import dev.millrace.command.instance.InstanceProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What the machine itself adds to every latency: how late a thread wakes up that does nothing else. It is in a process
 * of its own, {@link HiccupProcess}, with a session of its own as instances and generators have: in the process that
 * measures, each of its pauses would count as one of the machine. For one thread; closed by it or by one that waits for
 * it.
 */
final class HiccupProbe implements AutoCloseable
{
    private static final long STOP_SECONDS = 5;

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private HiccupProbe(final Process process)
    {
        this.process = process;
        this.questions = process.outputWriter(StandardCharsets.US_ASCII);
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Starts it; it ends by itself when this process does. */
    static HiccupProbe start() throws IOException
    {
        final List<String> command = new ArrayList<>(InstanceProcess.ownSession());
        // What it needs is small, and its only thread with work never makes garbage.
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx16m",
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp", place(HiccupProcess.class) + File.pathSeparator + place(Histogram.class),
            HiccupProcess.class.getName()));
        return new HiccupProbe(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    /** The jar or directory that a class is from. */
    private static Path place(final Class<?> type)
    {
        try
        {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (final URISyntaxException e)
        {
            throw new IllegalStateException("no place of a class, type=" + type.getName(), e);
        }
    }

    /** The operating system's number of it. */
    long pid()
    {
        return process.pid();
    }

    /**
     * How late it was since the last call, nanoseconds; a pause counts once for each time it should have woken up.
     *
     * @throws CommandException when the process has ended
     */
    Histogram take()
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(ask())), 0);
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0189", "the probe has ended, pid=" + process.pid() +
                " reason=" + e, "somebody has killed it, or there is no memory left; run the command again");
        }
        catch (final DataFormatException e)
        {
            throw new IllegalStateException("not a histogram of the probe", e);
        }
    }

    private String ask() throws IOException
    {
        questions.newLine();
        questions.flush();
        final String answer = answers.readLine();
        if (answer == null)
        {
            throw new EOFException("no answer");
        }
        return answer;
    }

    @Override
    public void close()
    {
        process.destroy();
        try
        {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
