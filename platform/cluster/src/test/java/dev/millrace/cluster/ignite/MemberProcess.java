package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link MemberMain} that a test starts, pauses, continues and kills. */
final class MemberProcess implements AutoCloseable
{
    private static final int LIMIT_SECONDS = 60;

    private final Process process;
    private final BlockingQueue<String> views = new LinkedBlockingQueue<>();
    private final List<String> printed = new ArrayList<>();

    MemberProcess(final String name, final int identity, final Ports ports, final long failureDetectionMs,
        final Path directory) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("--add")).forEach(command::add);
        command.addAll(List.of("-Xmx160m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            MemberMain.class.getName(), name, Integer.toString(identity), Integer.toString(ports.discovery()),
            Integer.toString(ports.communication()), Long.toString(failureDetectionMs),
            directory.resolve(name).toString()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final Thread reader = new Thread(this::read, "read " + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void read()
    {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8))
        {
            for (String line = lines.readLine(); line != null; line = lines.readLine())
            {
                synchronized (printed)
                {
                    printed.add(line);
                }
                if (line.startsWith("VIEW "))
                {
                    views.add(line.substring("VIEW ".length()));
                }
            }
        }
        catch (final IOException e)
        {
            // The process ended while its output was read.
            if (process.isAlive())
            {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Waits for a view, {@code STATE name,name}; earlier views are discarded. */
    void await(final String view) throws InterruptedException
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        String last = views.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        while (!view.equals(last))
        {
            final long left = end - System.nanoTime();
            last = left > 0 ? views.poll(left, TimeUnit.NANOSECONDS) : null;
            if (last == null)
            {
                synchronized (printed)
                {
                    throw new AssertionError("no view " + view + " was printed:\n" + String.join("\n", printed));
                }
            }
        }
    }

    /** Sends a signal, STOP or CONT. */
    void signal(final String name) throws IOException, InterruptedException
    {
        final int exitCode = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        if (exitCode != 0)
        {
            throw new IOException("kill -" + name + " failed, exit code " + exitCode);
        }
    }

    void kill()
    {
        process.destroyForcibly();
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
    }
}
