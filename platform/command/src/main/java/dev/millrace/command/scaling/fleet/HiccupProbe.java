package dev.millrace.command.scaling.fleet;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.Processes;
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
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Measures the latency of the machine itself: the delay with which an idle thread wakes up. It runs in a separate
 * process, {@link HiccupProcess}, with its own session like instances and generators, because pauses of the measuring
 * process would count as pauses of the machine. Confined to one thread; closed by it or by a thread that waits for it.
 */
public final class HiccupProbe implements AutoCloseable
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

    /** Starts the probe; it ends when this process ends. */
    public static HiccupProbe start() throws IOException
    {
        final List<String> command = new ArrayList<>(InstanceProcess.ownSession());
        // It needs little memory, and its only active thread creates no garbage.
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx16m",
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp", place(HiccupProcess.class) + File.pathSeparator + place(Histogram.class),
            HiccupProcess.class.getName()));
        return new HiccupProbe(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    /** Returns the jar or directory that contains a class. */
    private static Path place(final Class<?> type)
    {
        try
        {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (final URISyntaxException e)
        {
            throw new IllegalStateException("a class has no code source, type=" + type.getName(), e);
        }
    }

    /** Returns the process id. */
    long pid()
    {
        return process.pid();
    }

    /**
     * Returns the delays since the last call in nanoseconds; a pause counts once for each missed wake-up.
     *
     * @throws CommandException when the process has ended
     */
    public Histogram take()
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(ask())), 0);
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0189", "the probe has ended, pid=" + process.pid() +
                " reason=" + e, "it was killed, or the machine is out of memory; run the command again");
        }
        catch (final DataFormatException e)
        {
            throw new IllegalStateException("invalid histogram from the probe", e);
        }
    }

    private String ask() throws IOException
    {
        questions.newLine();
        questions.flush();
        final String answer = answers.readLine();
        if (answer == null)
        {
            throw new EOFException("no response");
        }
        return answer;
    }

    @Override
    public void close()
    {
        Processes.end(process, STOP_SECONDS);
    }
}
